#include "observe/checker/fermi_reference.h"

#include "observe/checker/described_launch.h"
#include "toolchain/isa/fermi/instruction.h"
#include "toolchain/isa/fermi/special_register.h"

namespace gt200::observe {
namespace {

using isa::fermi::as_fermi;
using isa::fermi::operand_kind;

class fermi_block final : public emulated_block<emulator::fermi::block> {
 public:
  using emulated_block::emulated_block;

  void step(unsigned warp, arch_state::step_record& r) override {
    state_.step(warp, 0, r);
    if (r.state == arch_state::step_state::pending) resolve_access(r, values_, false);
  }
};

}  // namespace

void fermi_reference::begin_launch(const model::grid_descriptor& grid) {
  launch_.begin(chip_, described(launched_, grid), grid);
  launch_.describe_to(context_, chip_.generation());
}

std::unique_ptr<reference_block> fermi_reference::make_block() {
  return std::make_unique<fermi_block>(context_, launch_.grid);
}

checked_operands fermi_reference::operands_of(const isa::instruction& any) const {
  const isa::fermi::instruction& i = as_fermi(any);
  checked_operands operands;
  for (unsigned s = 0; s < operands.source_words.size(); ++s)
    operands.source_words[s] = static_cast<std::uint8_t>(context_.generation->operand_words(i, s));
  if (i.reads_condition_code) operands.flags_in = static_cast<int>(isa::fermi::condition_code_index);
  if (i.writes_condition_code) operands.flags_out = static_cast<int>(isa::fermi::condition_code_index);
  operands.predicates_in = i.predicates_used;
  for (unsigned k = 0; k < i.predicate_destination.size(); ++k)
    if (i.predicate_destination[k] != isa::fermi::true_predicate)
      operands.predicates_out |= static_cast<std::uint8_t>(1u << k);
  if (i.destination.kind == operand_kind::gpr && i.destination.index != isa::fermi::zero_register) {
    operands.destination = i.destination.index;
    operands.destination_words = i.destination.words;
  }
  return operands;
}

special_value fermi_reference::special_of(const isa::instruction& any) const {
  const isa::fermi::instruction& i = as_fermi(any);
  if (i.op != isa::fermi::opcode::s2r) return special_value::none;
  switch (i.special) {
    case isa::fermi::special::clock: return special_value::clock;
    case isa::fermi::special::clockhi: return special_value::other;
    case isa::fermi::special::physid: return special_value::place;
    default: return special_value::none;
  }
}

}  // namespace gt200::observe
