#include "sc_models/sm/dependency/bitmap_tracker.h"

#include <algorithm>

#include "sc_models/sm/units/unit_list.h"
#include "toolchain/arch_state/register_rows.h"

namespace gt200::model {
namespace {

constexpr std::uint64_t bit_in_word(unsigned number) { return std::uint64_t{1} << number % 64; }

// Predicates and address registers of a thread; the first address register reads as zero.
unsigned flag_registers(const arch_state::generation_values& generation) {
  return generation.predicates + generation.address_registers - (generation.address_registers != 0 ? 1 : 0);
}

}  // namespace

bitmap_tracker::bitmap_tracker(const config::sm_config& config, const arch_state::generation_values& generation)
    : first_predicate_((generation.general_registers + 63) / 64 * 64),
      first_address_(first_predicate_ + generation.predicates),
      registers_(first_address_ + arch_state::register_rows::addresses),
      words_((registers_ + 63) / 64),
      pending_(std::size_t{max_warps} * words_),
      cause_(std::size_t{max_warps} * registers_),
      window_(config.scoreboard.probes_per_cycle) {
  for (unsigned first = 0; first < first_predicate_; first += 64)
    word_names_.push_back("pending_r" + std::to_string(first) + "_r" + std::to_string(first + 63));
  const std::uint64_t warps = config.limits.warps;
  cost_.storage_bits = warps * config.limits.registers_per_thread;
  cost_.flag_storage_bits = warps * flag_registers(generation);
  cost_.read_ports = std::min<std::uint64_t>(config.scoreboard.probes_per_cycle, warps) * tracking_cost::operands;
}

unsigned bitmap_tracker::number_of(const isa::register_range& range) const {
  switch (range.file) {
    case isa::register_file_kind::condition: return first_predicate_ + range.first;
    case isa::register_file_kind::address: return first_address_ + range.first;
    case isa::register_file_kind::gpr: break;
  }
  return range.first;
}

void bitmap_tracker::look_up(warp_slot warp, const isa::register_range& range, std::uint64_t& dependencies) const {
  const unsigned first = number_of(range);
  for (unsigned number = first; number < first + range.count; ++number)
    if (is_pending(warp, number)) dependencies |= bit_of(cause_[warp.index() * registers_ + number]);
}

std::uint64_t bitmap_tracker::dependencies_of(warp_slot warp, const isa::instruction& instruction) const {
  std::uint64_t dependencies = 0;
  for (unsigned i = 0; i < instruction.read_count; ++i) look_up(warp, instruction.reads[i], dependencies);
  for (unsigned i = 0; i < instruction.write_count; ++i) look_up(warp, instruction.writes[i], dependencies);
  return dependencies;
}

dependency_tracker::lookup bitmap_tracker::enter(warp_slot warp, const isa::instruction& instruction) {
  lookup result;
  result.entered = true;
  result.dependencies = dependencies_of(warp, instruction);
  return result;
}

std::uint64_t bitmap_tracker::issue(warp_slot warp, dependency_vectors& buffer) {
  const isa::instruction& issued = *buffer.at(warp, 0).instruction;
  const stall_cause cause = cause_of_result(issued);
  for (unsigned i = 0; i < issued.write_count; ++i) {
    const unsigned first = number_of(issued.writes[i]);
    for (unsigned number = first; number < first + issued.writes[i].count; ++number) {
      word_of(warp, number) |= bit_in_word(number);
      cause_[warp.index() * registers_ + number] = cause;
    }
  }
  for (unsigned i = 1; i < buffer.buffered(warp); ++i)
    buffer.set_dependencies(warp, i, dependencies_of(warp, *buffer.at(warp, i).instruction));
  return 0;
}

void bitmap_tracker::complete(warp_slot warp, const isa::instruction& instruction, std::uint64_t,
                              dependency_vectors& buffer) {
  for (unsigned i = 0; i < instruction.write_count; ++i) {
    const unsigned first = number_of(instruction.writes[i]);
    for (unsigned number = first; number < first + instruction.writes[i].count; ++number)
      word_of(warp, number) &= ~bit_in_word(number);
  }
  for (unsigned i = 0; i < buffer.buffered(warp); ++i)
    buffer.set_dependencies(warp, i, dependencies_of(warp, *buffer.at(warp, i).instruction));
}

void bitmap_tracker::publish(warp_slot warp, tlm_bus::signal_writer& to) const {
  const std::uint64_t* pending = &pending_[std::size_t{warp.index()} * words_];
  for (const std::string& name : word_names_) to.mask(name.c_str(), 64, *pending++);
  to.mask("pending_c_a", registers_ - first_predicate_, *pending);
}

}  // namespace gt200::model
