#include "observe/checker/volta_reference.h"

#include "observe/checker/described_launch.h"
#include "toolchain/isa/volta/instruction.h"
#include "toolchain/isa/volta/special_register.h"

namespace gt200::observe {
namespace {

using isa::volta::as_volta;
using isa::volta::operand_kind;

class volta_block final : public emulated_block<emulator::volta::block> {
 public:
  using emulated_block::emulated_block;

  std::uint64_t barriers_opened() const override { return state_.barriers_opened(); }
  void issued_at(std::uint64_t cycle) override { clock_ = cycle + 1; }
  void run_path(unsigned warp, isa::lane_mask lanes) override { state_.run_path(warp, lanes); }
  void step(unsigned warp, arch_state::step_record& r) override {
    state_.step(warp, clock_, r);
    if (r.state == arch_state::step_state::pending) resolve_access(r, values_, true);
  }

 private:
  std::uint64_t clock_ = 0;
};

}  // namespace

void volta_reference::begin_launch(const model::grid_descriptor& grid) {
  launch_.begin(chip_, described(launched_, grid), grid);
  launch_.describe_to(context_, chip_.generation());
}

std::unique_ptr<reference_block> volta_reference::make_block() {
  return std::make_unique<volta_block>(context_, launch_.grid);
}

checked_operands volta_reference::operands_of(const isa::instruction& any) const {
  const isa::volta::instruction& i = as_volta(any);
  checked_operands operands;
  for (unsigned s = 0; s < operands.source_words.size(); ++s)
    operands.source_words[s] = static_cast<std::uint8_t>(context_.generation->operand_words(i, s));
  operands.predicates_in = i.predicates_used;
  for (unsigned k = 0; k < i.predicate_destination.size(); ++k)
    if (i.predicate_destination[k] != isa::volta::true_predicate)
      operands.predicates_out |= static_cast<std::uint8_t>(1u << k);
  if (i.destination.kind == operand_kind::gpr && i.destination.index != isa::volta::zero_register) {
    operands.destination = i.destination.index;
    operands.destination_words = i.destination.words;
  }
  return operands;
}

special_value volta_reference::special_of(const isa::instruction& any) const {
  const isa::volta::instruction& i = as_volta(any);
  const bool reads_place = i.op == isa::volta::opcode::s2r && i.special == isa::volta::sr_virtual_sm;
  return reads_place ? special_value::place : special_value::none;
}

}  // namespace gt200::observe
