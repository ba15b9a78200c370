#include "sc_models/sm/dependency/bitmap_tracker.h"

#include <algorithm>

#include "sc_models/sm/units/unit_list.h"

namespace gt200::model {
namespace {

constexpr unsigned first_condition = 128;
constexpr unsigned first_address = first_condition + 4;
constexpr unsigned flag_registers = 4 + 4;  // that exist for a thread: $c0-$c3, $a1-$a4

constexpr std::uint64_t bit_in_word(unsigned number) { return std::uint64_t{1} << number % 64; }

}  // namespace

bitmap_tracker::bitmap_tracker(const config::sm_config& config) : window_(config.scoreboard.probes_per_cycle) {
  const std::uint64_t warps = config.limits.warps;
  cost_.storage_bits = warps * config.limits.registers_per_thread;
  cost_.flag_storage_bits = warps * flag_registers;
  cost_.read_ports = std::min<std::uint64_t>(config.scoreboard.probes_per_cycle, warps) * tracking_cost::operands;
}

unsigned bitmap_tracker::number_of(const isa::register_range& range) {
  switch (range.file) {
    case isa::register_file_kind::condition: return first_condition + range.first;
    case isa::register_file_kind::address: return first_address + range.first;
    case isa::register_file_kind::gpr: break;
  }
  return range.first;
}

void bitmap_tracker::look_up(const warp_state& warp, const isa::register_range& range,
                             std::uint64_t& dependencies) {
  const unsigned first = number_of(range);
  for (unsigned number = first; number < first + range.count; ++number)
    if ((warp.pending[number / 64] & bit_in_word(number)) != 0) dependencies |= bit_of(warp.cause[number]);
}

std::uint64_t bitmap_tracker::dependencies_of(warp_slot warp, const isa::instruction& instruction) const {
  std::uint64_t dependencies = 0;
  for (unsigned i = 0; i < instruction.read_count; ++i) look_up(warps_[warp], instruction.reads[i], dependencies);
  for (unsigned i = 0; i < instruction.write_count; ++i) look_up(warps_[warp], instruction.writes[i], dependencies);
  return dependencies;
}

dependency_tracker::lookup bitmap_tracker::enter(warp_slot warp, const isa::instruction& instruction) {
  lookup result;
  result.entered = true;
  result.dependencies = dependencies_of(warp, instruction);
  return result;
}

std::uint64_t bitmap_tracker::issue(warp_slot warp, instruction_buffer_dependency_if& buffer) {
  const isa::instruction& issued = *buffer.at(warp, 0).instruction;
  const stall_cause cause = cause_of_result(issued);
  warp_state& state = warps_[warp];
  for (unsigned i = 0; i < issued.write_count; ++i) {
    const unsigned first = number_of(issued.writes[i]);
    for (unsigned number = first; number < first + issued.writes[i].count; ++number) {
      state.pending[number / 64] |= bit_in_word(number);
      state.cause[number] = cause;
    }
  }
  for (unsigned i = 1; i < buffer.buffered(warp); ++i)
    buffer.set_dependencies(warp, i, dependencies_of(warp, *buffer.at(warp, i).instruction));
  return 0;
}

void bitmap_tracker::complete(warp_slot warp, const isa::instruction& instruction, std::uint64_t,
                              instruction_buffer_dependency_if& buffer) {
  for (unsigned i = 0; i < instruction.write_count; ++i) {
    const unsigned first = number_of(instruction.writes[i]);
    for (unsigned number = first; number < first + instruction.writes[i].count; ++number)
      warps_[warp].pending[number / 64] &= ~bit_in_word(number);
  }
  for (unsigned i = 0; i < buffer.buffered(warp); ++i)
    buffer.set_dependencies(warp, i, dependencies_of(warp, *buffer.at(warp, i).instruction));
}

void bitmap_tracker::publish(warp_slot warp, tlm_bus::signal_writer& to) const {
  const auto& pending = warps_[warp].pending;
  to.mask("pending_r0_r63", 64, pending[0]);
  to.mask("pending_r64_r127", 64, pending[1]);
  to.mask("pending_c_a", registers - 128, pending[2]);
}

}  // namespace gt200::model
