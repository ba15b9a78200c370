#include "testbenches/subsystem/toy_generation/toy_generation.h"

#include <algorithm>
#include <cstring>

#include "toolchain/arch_state/lane_rows.h"

namespace gt200::toy {
namespace {

arch_state::generation_values toy_values() {
  arch_state::generation_values v;
  v.lengths = {0, 4, 4};
  v.general_registers = register_count;
  v.predicates = predicate_count;
  v.predicate_bits = 1;
  return v;
}

}  // namespace

// -- divergence --

arch_state::control_result lowest_counter_first::execute(const isa::instruction& any, isa::lane_mask selected) {
  const instruction& i = as_toy(any);
  const isa::code_address next = flow_.pc + i.length;
  const isa::code_address target = flow_.pc + static_cast<isa::code_address>(4 * i.number);
  if (i.exit) flow_.exited |= flow_.active;
  for (unsigned lane = 0; lane < isa::warp_size; ++lane)
    if ((flow_.active >> lane & 1) != 0)
      counter_[lane] = i.op == opcode::bra && (selected >> lane & 1) != 0 ? target : next;

  const isa::lane_mask live = live_mask();
  isa::code_address lowest = ~isa::code_address{0};
  for (unsigned lane = 0; lane < isa::warp_size; ++lane)
    if ((live >> lane & 1) != 0) lowest = std::min(lowest, counter_[lane]);
  flow_.active = 0;
  for (unsigned lane = 0; lane < isa::warp_size; ++lane)
    if ((live >> lane & 1) != 0 && counter_[lane] == lowest) flow_.active |= isa::lane_mask{1} << lane;
  flow_.pc = live == 0 ? next : lowest;

  arch_state::control_result result;
  result.pc = flow_.pc;
  result.mask = flow_.active;
  result.finished = live == 0;
  result.redirected = result.finished || flow_.pc != next;
  return result;
}

// -- generation --

generation::generation() : arch_state::generation(toy_values()) {}

generation::decoded generation::decode(const isa::instruction_words& words) const {
  decoded result;
  result.instruction = std::make_shared<const instruction>(toy::decode(words[0]));
  return result;
}

std::shared_ptr<const isa::instruction> generation::trap(const isa::instruction_words& words) const {
  instruction i = toy::decode(encode(opcode::exit, 0, 0, 0, 0));
  i.words = words;
  return std::make_shared<const instruction>(i);
}

isa::lane_mask generation::collect(const isa::instruction& any, const arch_state::warp_place&,
                                   isa::lane_mask active, isa::lane_bundle& values) const {
  const instruction& i = as_toy(any);
  if (i.a == zero_register) arch_state::fill_row(values.source[0][0].lane, 0);
  if (i.b == zero_register) arch_state::fill_row(values.source[1][0].lane, 0);
  if (i.access.space == isa::memory_space::global)
    for (unsigned lane = 0; lane < isa::warp_size; ++lane)
      values.address.lane[lane] = values.source[0][0].lane[lane] + static_cast<std::uint32_t>(i.number);
  if (i.op != opcode::bra) return active;
  isa::lane_mask taken = 0;
  for (unsigned lane = 0; lane < isa::warp_size; ++lane)
    if (values.flags_in[lane] != i.b) taken |= isa::lane_mask{1} << lane;
  return active & taken;
}

std::unique_ptr<arch_state::divergence> generation::make_divergence() const {
  return std::make_unique<lowest_counter_first>();
}

// -- dependencies --

std::uint64_t control_code_tracker::pending(model::warp_slot warp) const {
  std::uint64_t barriers = 0;
  for (unsigned b = 0; b < dependency_barriers; ++b)
    if (under_way_[warp][b] != 0) barriers |= std::uint64_t{1} << b;
  return barriers;
}

control_code_tracker::lookup control_code_tracker::enter(model::warp_slot warp,
                                                         const isa::instruction& instruction) {
  return {true, instruction.codes.wait_mask & pending(warp), 0};
}

std::uint64_t control_code_tracker::issue(model::warp_slot warp, model::dependency_vectors& buffer) {
  const isa::control_codes& codes = buffer.at(warp, 0).instruction->codes;
  if (codes.write_barrier == isa::control_codes::no_barrier) return 0;
  ++under_way_[warp][codes.write_barrier];
  for (unsigned n = 1; n < buffer.buffered(warp); ++n) {
    const model::buffered_instruction& younger = buffer.at(warp, n);
    buffer.set_dependencies(warp, n, younger.dependencies | (younger.instruction->codes.wait_mask & pending(warp)));
  }
  return 0;
}

void control_code_tracker::complete(model::warp_slot warp, const isa::instruction& instruction, std::uint64_t,
                                    model::dependency_vectors& buffer) {
  const std::uint8_t barrier = instruction.codes.write_barrier;
  if (barrier == isa::control_codes::no_barrier || --under_way_[warp][barrier] != 0) return;
  buffer.clear_dependencies(warp, std::uint64_t{1} << barrier);
}

}  // namespace gt200::toy
