// Units of one's own: SFUs whose results have few bits of significand, as those of an approximate unit would. That
// goes for every instruction of the SFUs: reciprocals, roots, logarithms, powers of two, sines and cosines.
#include <cstring>
#include <memory>

#include "sc_models/plugin.h"

namespace {

using namespace gt200;

class coarse_functions final : public model::unit_arithmetic {
 public:
  explicit coarse_functions(const model::unit_context& context)
      : dropped_(23 - static_cast<unsigned>(context.keys.number("significand_bits"))) {}

  bool calculates(const isa::instruction& instruction) const override {
    const bool special =
        instruction.unit == isa::unit_class::sfu || instruction.unit == isa::unit_class::sfu_reduced;
    return special && instruction.execute != nullptr;
  }
  void calculate(const isa::instruction& instruction, isa::lane_mask lanes, isa::lane_bundle& values) override {
    instruction.execute(instruction, values, lanes);
    for (unsigned lane = 0; lane < isa::warp_size; ++lane)
      if ((lanes >> lane & 1) != 0) values.destination[0].lane[lane] &= ~((1u << dropped_) - 1);
  }

 private:
  unsigned dropped_;
};

const added<model::unit_arithmetics> here(
    {"coarse",
     "special functions whose results have fewer bits",
     {config::number_key("significand_bits", 12, config::unit::none, config::between(1, 23),
                         "bits of the results' significands that are kept")}},
    [](const model::unit_context& context) { return std::make_unique<coarse_functions>(context); });

}  // namespace

GT200_PLUGIN("coarse")
