#include "sc_models/sm/front_end/instruction_buffer.h"

#include "sc_models/sm/signal_texts.h"
#include "tlm_bus/state_image.h"
#include "toolchain/bits.h"

namespace gt200::model {

instruction_buffer::instruction_buffer(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                                       const config::sm_config& config, const unit_list& units, slot_share share)
    : sc_core::sc_module(name),
      reservations("reservations", *this),
      writes("writes", *this),
      removals("removals", *this),
      dependency_updates("dependency_updates", *this),
      domain_(domain),
      units_(units),
      warp_slots_(config.limits.warps),
      share_(share),
      capacity_(config.instruction_buffer.entries_per_warp),
      slots_(std::size_t{max_warps} * capacity_),
      room_one_(~warp_mask{0}),
      room_two_(capacity_ >= 2 ? ~warp_mask{0} : 0),
      scoreboard_entries_(config.scoreboard.mechanism == config::scoreboard_mechanism::coon
                              ? config.scoreboard.entries_per_warp
                              : 0) {}

const warp_signal& instruction_buffer::room(unsigned entries) const {
  if (entries == 1) return room_one_;
  shows_room_for_two_ = true;
  return room_two_;
}

// Updates the masks of room after the number of reserved slots has changed from `before`.
void instruction_buffer::settle_room(warp_slot warp, unsigned before, unsigned reserved) {
  if ((reserved < capacity_) != (before < capacity_)) room_one_.change(domain_) ^= warp_bit(warp);
  if (shows_room_for_two_ && (reserved + 1 < capacity_) != (before + 1 < capacity_))
    room_two_.change(domain_) ^= warp_bit(warp);
  parts_.moved(warp.index());
}

void instruction_buffer::transport(buffer_reservation& reservation) {
  queue& q = queues_[reservation.warp];
  const unsigned before = q.reserved;
  q.reserved += reservation.entries;
  settle_room(reservation.warp, before, q.reserved);
}

void instruction_buffer::transport(buffer_write& write) {
  if (write.what == buffer_write::command::enter) return enter(write.warp, write.instruction);
  queue& q = queues_[write.warp];
  const unsigned before = q.reserved;
  q.reserved -= write.entries;
  settle_room(write.warp, before, q.reserved);
}

// Updates the masks of the oldest instruction.
void instruction_buffer::settle_head(warp_slot warp) {
  const oldest_masks& known = warps_.oldest.next();
  const warp_mask bit = warp_bit(warp);
  const bool occupied = queues_[warp].used != 0;
  const bool ready = occupied && oldest(warp).dependencies == 0;
  const warp_mask moved_ready = (known.ready & bit) ^ (ready ? bit : 0);
  const warp_mask moved_occupied = (known.occupied & bit) ^ (occupied ? bit : 0);
  if ((moved_ready | moved_occupied) == 0) return;
  oldest_masks& next = warps_.oldest.change(domain_);
  next.ready ^= moved_ready;
  next.occupied ^= moved_occupied;
}

// The class masks matter only for warps in ready(), so they need no registered update.
void instruction_buffer::show_class(warp_slot warp, const buffered_instruction& oldest) {
  const warp_mask bit = warp_bit(warp);
  warps_.of_class[as_index(oldest.collector)] |= bit;
  if (oldest.alternatives == 0) return;
  for (const unsigned alternative : set_bits(oldest.alternatives)) warps_.of_alternative[alternative] |= bit;
}

void instruction_buffer::hide_class(warp_slot warp, const buffered_instruction& oldest) {
  const warp_mask bit = warp_bit(warp);
  warps_.of_class[as_index(oldest.collector)] &= ~bit;
  if (oldest.alternatives == 0) return;
  for (const unsigned alternative : set_bits(oldest.alternatives)) warps_.of_alternative[alternative] &= ~bit;
}

void instruction_buffer::enter(warp_slot warp, const buffered_instruction& instruction) {
  queue& q = queues_[warp];
  buffered_instruction& entry = slots_[index_of(warp, q.used)];
  entry = instruction;
  entry.collector = units_.collector_of(*entry.instruction);
  entry.alternatives = static_cast<std::uint8_t>(units_.alternatives_of(*entry.instruction));
  if (q.cleared_at == domain_.cycle()) entry.dependencies &= ~q.cleared;
  if (q.used++ == 0) {
    show_class(warp, entry);
    settle_head(warp);
  }
  parts_.moved(warp.index());
  observers_.notify([&](instruction_buffer_observer& o) { o.entered(*this, warp, instruction); });
}

std::uint64_t instruction_buffer::blocking_dependencies(warp_slot warp) const {
  const queue& q = queues_[warp];
  return oldest(warp).dependencies | (q.cleared_at == domain_.cycle() ? q.cleared_from_oldest : 0);
}

void instruction_buffer::transport(buffer_removal& removal) {
  const warp_slot warp = removal.warp;
  queue& q = queues_[warp];
  hide_class(warp, oldest(warp));
  q.head = q.head + 1 == capacity_ ? 0 : q.head + 1;
  --q.used;
  if (q.used != 0) show_class(warp, oldest(warp));
  settle_head(warp);
  const unsigned before = q.reserved--;
  settle_room(warp, before, q.reserved);
}

// Returns the queue with its record of the dependencies cleared in this cycle.
instruction_buffer::queue& instruction_buffer::cleared_now(warp_slot warp) {
  queue& q = queues_[warp];
  if (q.cleared_at != domain_.cycle()) {
    q.cleared_at = domain_.cycle();
    q.cleared = q.cleared_from_oldest = 0;
  }
  return q;
}

// With fewer dependencies the warp may have another stall cause, even if some are left.
void instruction_buffer::oldest_freed_of(warp_slot warp, std::uint64_t dependencies) {
  settle_head(warp);
  parts_.moved(warp.index());
  if (dependencies == 0) return;
  queue& q = cleared_now(warp);
  if (q.cleared_from_oldest == 0) warps_.oldest.change(domain_).freed ^= warp_bit(warp);
  q.cleared_from_oldest |= dependencies;
}

void instruction_buffer::transport(dependency_update& update) {
  switch (update.what) {
    case dependency_update::command::clear: return clear_dependencies(update.warp, update.dependencies);
    case dependency_update::command::set:
      return set_dependencies(update.warp, update.position, update.dependencies);
  }
}

void instruction_buffer::set_dependencies(warp_slot warp, unsigned position, std::uint64_t dependencies) {
  buffered_instruction& entry = slots_[index_of(warp, position)];
  const std::uint64_t freed = entry.dependencies & ~dependencies;
  entry.dependencies = dependencies;
  if (position == 0) oldest_freed_of(warp, freed);
}

void instruction_buffer::clear_dependencies(warp_slot warp, std::uint64_t dependencies) {
  queue& q = cleared_now(warp);
  q.cleared |= dependencies;
  if (q.used == 0) return;
  const std::uint64_t freed = oldest(warp).dependencies & dependencies;
  for (unsigned i = 0; i < q.used; ++i) slots_[index_of(warp, i)].dependencies &= ~dependencies;
  if (freed != 0) oldest_freed_of(warp, freed);
}

void instruction_buffer::publish(tlm_bus::signal_writer& to) {
  to.mask("ready", warp_slots_, warps_.oldest.next().ready);
  to.mask("occupied", warp_slots_, warps_.oldest.next().occupied);
  to.array("warp", warp_slots_, [&](unsigned index) {
    const warp_slot warp(index);
    static const buffered_instruction none;
    const queue& q = queues_[warp];
    const buffered_instruction& b = q.used == 0 ? none : oldest(warp);
    to.number("buffered", 4, q.used);
    to.number("reserved", 4, q.reserved);
    to.identifier("id", b.id);
    to.number("pc", 32, b.pc);
    to.text("instruction", reinterpret_cast<std::uintptr_t>(b.instruction), text_of_instruction);
    to.mask("dependencies", 64, b.dependencies);
  });
}

void instruction_buffer::visit_state(tlm_bus::state_image& state) {
  state.fixed(warp_slots_, share_, capacity_, scoreboard_entries_, decoder_, shows_room_for_two_);
  state(slots_, queues_, room_one_, room_two_, warps_, idle_);
}

}  // namespace gt200::model
