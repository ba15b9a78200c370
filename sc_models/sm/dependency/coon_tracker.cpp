#include "sc_models/sm/dependency/coon_tracker.h"

#include "sc_models/sm/signal_texts.h"
#include "sc_models/sm/units/unit_list.h"

namespace gt200::model {
namespace {

// Of the number of a register, general, predicate or address: eight on Tesla.
unsigned bits_of_number(const arch_state::generation_values& generation) {
  const unsigned registers = generation.general_registers + generation.predicates + generation.address_registers;
  unsigned bits = 0;
  while ((1u << bits) < registers) ++bits;
  return bits;
}
// Up to four registers in a row take two bits more; one says "in use".
unsigned entry_bits(const arch_state::generation_values& generation) { return bits_of_number(generation) + 2 + 1; }

}  // namespace

coon_tracker::coon_tracker(const tlm_bus::clock_domain& domain, const config::sm_config& config,
                           const arch_state::generation_values& generation)
    : domain_(domain),
      all_((std::uint64_t{1} << config.scoreboard.entries_per_warp) - 1),
      capacity_(config.scoreboard.entries_per_warp),
      lines_per_warp_((capacity_ + 7) / 8),
      at_issue_(config.scoreboard.allocate == config::scoreboard_allocation::at_issue),
      tracks_shared_(config.scoreboard.tracks_shared),
      entries_(std::size_t{max_warps} * lines_per_warp_),
      general_registers_(generation.general_registers),
      predicates_(generation.predicates),
      number_bits_(bits_of_number(generation)) {
  for (const bool reads_shared : {false, true})
    for (unsigned unit = 0; unit < isa::unit_classes; ++unit) {
      isa::instruction i;
      i.unit = static_cast<isa::unit_class>(unit);
      i.reads_shared = reads_shared;
      cause_[reads_shared][unit] = cause_of_result(i);
    }
  cost_.storage_bits = std::uint64_t{config.limits.warps} * capacity_ * entry_bits(generation);
  cost_.vector_bits = std::uint64_t{config.limits.warps} * config.instruction_buffer.entries_per_warp * capacity_;
  // One instruction enters per cycle and read port; it reads all entries of its warp at once. At issue the younger
  // buffered instructions are compared again, with as many new entries as an instruction has destinations.
  cost_.read_ports = config.fetch.instructions_per_fetch;
  cost_.comparators = cost_.read_ports * capacity_ * tracking_cost::operands;
  if (at_issue_) cost_.comparators += (config.instruction_buffer.entries_per_warp - 1) * tracking_cost::operands;
}

dependency_tracker::lookup coon_tracker::enter(warp_slot warp, const isa::instruction& instruction) {
  if (!at_issue_) return look_up(warp, instruction);
  // As in look_up().
  const std::uint64_t pending = pending_[warp].read(domain_.cycle()) | pending_[warp].next();
  lookup result;
  result.dependencies = with_room_bit(matches(warp, instruction, pending), warp, instruction);
  result.entered = true;
  ++lookups_;
  return result;
}

std::uint64_t coon_tracker::with_room_bit(std::uint64_t dependencies, warp_slot warp,
                                          const isa::instruction& instruction) const {
  constexpr std::uint64_t bit = entry_bit(room_bit);
  return room_for(destinations(instruction), pending_[warp].next()) ? dependencies & ~bit : dependencies | bit;
}

// The entries cannot describe the destinations; they only make all younger instructions wait.
std::uint64_t coon_tracker::allocate_region(warp_slot warp, const isa::instruction& instruction) {
  region_taken_ |= warp_bit(warp);
  for (const unsigned e : set_bits(all_)) entries_of(warp)[e] = {{}, cause_of_result(instruction)};
  pending_[warp].change(domain_.cycle()) |= all_;
  return all_;
}

std::uint64_t coon_tracker::issue(warp_slot warp, dependency_vectors& buffer) {
  const buffered_instruction& issued = buffer.at(warp, 0);
  const unsigned wanted = destinations(*issued.instruction);
  if (!at_issue_ || wanted == 0) return issued.allocated;
  const std::uint64_t pending = pending_[warp].read(domain_.cycle()) | pending_[warp].next();
  const std::uint64_t taken = allocate(warp, *issued.instruction, wanted, pending);
  for (unsigned i = 1; i < buffer.buffered(warp); ++i) {
    const buffered_instruction& younger = buffer.at(warp, i);
    const std::uint64_t found = younger.dependencies | matches(warp, *younger.instruction, taken);
    buffer.set_dependencies(warp, i, with_room_bit(found, warp, *younger.instruction));
  }
  return taken;
}

void coon_tracker::complete(warp_slot warp, const isa::instruction&, std::uint64_t entries,
                            dependency_vectors& buffer) {
  if (entries == 0) return;
  give_back(warp, entries);
  buffer.clear_dependencies(warp, entries);
  if (!at_issue_) return;
  for (unsigned i = 0; i < buffer.buffered(warp); ++i) {
    const buffered_instruction& waiting = buffer.at(warp, i);
    buffer.set_dependencies(warp, i, with_room_bit(waiting.dependencies, warp, *waiting.instruction));
  }
}

stall_cause coon_tracker::cause_of(warp_slot warp, scoreboard_entry dependency) const {
  return dependency == room_bit ? stall_cause::scoreboard_full : known_cause(entry_of(warp, dependency).cause);
}

tracking_cost coon_tracker::cost() const { return cost_; }

void coon_tracker::publish(warp_slot warp, tlm_bus::signal_writer& to) const {
  static constexpr std::array<const char*, 8> names = {"entry_0", "entry_1", "entry_2", "entry_3",
                                                       "entry_4", "entry_5", "entry_6", "entry_7"};
  const std::uint64_t pending = pending_[warp].next();
  to.mask("pending", capacity_, pending);
  if (pending == 0) {  // the usual case
    for (unsigned i = 0; i < capacity_ && i < names.size(); ++i) to.text(names[i], 0, text_of_register_range);
    return;
  }
  for (unsigned i = 0; i < capacity_ && i < names.size(); ++i)
    to.text(names[i], (pending >> i & 1) != 0 ? register_range_key(entry_of(warp, scoreboard_entry(i)).range) : 0,
            text_of_register_range);
}

}  // namespace gt200::model
