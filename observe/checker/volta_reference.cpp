#include "observe/checker/volta_reference.h"

#include "toolchain/arch_state/generic_address.h"
#include "toolchain/isa/volta/instruction.h"
#include "toolchain/isa/volta/special_register.h"

namespace gt200::observe {
namespace {

using isa::volta::as_volta;
using isa::volta::operand_kind;

void fault(arch_state::step_record& r, arch_state::fault_kind kind, isa::lane_mask lanes) {
  r.state = arch_state::step_state::faulted;
  r.fault = kind;
  r.fault_lanes = lanes;
}

class emulated_block final : public reference_block {
 public:
  emulated_block(const emulator::volta::program_context& context, const model::grid_descriptor& grid)
      : values_(context.generation->values()), grid_(grid), state_(context) {}

  void start(std::uint32_t block_id) override { state_.start(grid_.block_at(block_id)); }
  unsigned warps() const override { return state_.warps(); }
  bool finished(unsigned warp) const override { return state_.finished(warp); }
  isa::code_address pc(unsigned warp) const override { return state_.flow(warp).pc(); }
  isa::lane_mask active_mask(unsigned warp) const override { return state_.flow(warp).active_mask(); }
  bool meets_before(unsigned) const override { return false; }
  const arch_state::register_rows& registers(unsigned warp) const override { return state_.registers(warp); }
  const std::vector<std::uint8_t>& shared() const override { return state_.shared(); }
  std::uint64_t barriers_opened() const override { return state_.barriers_opened(); }

  void issued_at(std::uint32_t cycle) override { clock_ = cycle + 1; }
  void run_path(unsigned warp, isa::lane_mask lanes) override { state_.run_path(warp, lanes); }
  void step(unsigned warp, arch_state::step_record& r) override {
    state_.step(warp, clock_, r);
    if (r.state == arch_state::step_state::pending && r.access.generic) resolve(r);
  }
  void perform_shared(arch_state::step_record& r) override { state_.perform_shared(r); }
  void complete(arch_state::step_record& r) override { state_.complete(r); }
  void repeat(arch_state::step_record& r) override { state_.repeat(r); }

 private:
  // Which memory a generic access reaches, by the rules of the chip's load/store unit.
  void resolve(arch_state::step_record& r) const {
    if (r.access.wide_address)
      if (const isa::lane_mask beyond = arch_state::lanes_beyond_32_bits(r.values.address_high, r.executed))
        return fault(r, arch_state::fault_kind::unmapped_address, beyond);
    r.access.space = arch_state::resolve_generic(values_, r.executed, r.values.address);
    r.access.generic = false;
    const bool is_atomic =
        r.access.kind == isa::access_kind::atomic || r.access.kind == isa::access_kind::reduction;
    if (r.access.space == isa::memory_space::none || (is_atomic && r.access.space == isa::memory_space::local))
      fault(r, arch_state::fault_kind::unsupported, r.executed);
  }

  const arch_state::generation_values& values_;
  const model::grid_descriptor& grid_;
  emulator::volta::block state_;
  std::uint32_t clock_ = 0;
};

}  // namespace

void volta_reference::begin_launch(const model::grid_descriptor& grid) {
  const arch_state::generation& generation = chip_.generation();
  parameters_ = launched_();
  grid_ = grid;
  code_.emplace(*parameters_.kernel, generation);
  constants_ = {};
  for (unsigned space = 0; space < grid.constants.size(); ++space) {
    std::vector<std::uint8_t> bytes(grid.constants[space].bytes);
    if (!bytes.empty()) chip_.command_processor.peek(grid.constants[space].address, bytes.data(), bytes.size());
    const std::size_t size = bytes.size();
    constants_.write(space, 0, bytes, size);
  }
  context_.generation = &generation;
  context_.code = &*code_;
  context_.constants = &constants_;
  context_.launch = &parameters_;
  context_.initial_state_seed = grid.initial_state_seed;
}

std::unique_ptr<reference_block> volta_reference::make_block() {
  return std::make_unique<emulated_block>(context_, grid_);
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

std::uint32_t volta_reference::line(isa::code_address pc) const {
  std::uint32_t line = 0;
  for (const cubin::source_line& l : parameters_.kernel->lines)
    if (l.offset <= pc) line = l.line;
  return line;
}

}  // namespace gt200::observe
