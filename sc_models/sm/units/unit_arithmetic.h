// What the units of a group calculate, from outside: another implementation of instructions, such as approximate
// functions, in place of their semantics.
//
// It is chosen for groups by name (config::choose_at): 'gt200.*.execution_units.sfu=mine'. Times stay those of the
// configuration. A checked run compares results with the emulator, so it ends where the values differ.
#pragma once

#include <functional>
#include <memory>

#include "sc_models/config/unit_detail_config.h"
#include "toolchain/isa/common/lane_bundle.h"

namespace gt200::model {

class unit_arithmetic {
 public:
  virtual ~unit_arithmetic() = default;
  // Whether it calculates this instruction; the others keep their semantics.
  virtual bool calculates(const isa::instruction& instruction) const = 0;
  // Calculates the results of these lanes from the operands in `values`. Lanes outside are unspecified.
  virtual void calculate(const isa::instruction& instruction, isa::lane_mask lanes, isa::lane_bundle& values) = 0;
};

struct unit_context {
  const char* group;                  // hierarchical name
  const config::policy_values& keys;  // its own, of tpc.sm.units.<name>; outlives it
};
struct unit_arithmetics {
  using factory = std::function<std::unique_ptr<unit_arithmetic>(const unit_context&)>;
  static void add(config::added_policy about, factory make);
};
// What is chosen for the group; null: the semantics of each instruction.
std::unique_ptr<unit_arithmetic> make_unit_arithmetic(const char* group, const config::units_config& config);

}  // namespace gt200::model
