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
      slots_(std::size_t{max_warps} * config.instruction_buffer.entries_per_warp),
      capacity_(config.instruction_buffer.entries_per_warp),
      room_one_(~warp_mask{0}),
      room_two_(capacity_ >= 2 ? ~warp_mask{0} : 0),
      warp_slots_(config.limits.warps),
      share_(share),
      scoreboard_entries_(config.scoreboard.mechanism == config::scoreboard_mechanism::coon
                              ? config.scoreboard.entries_per_warp
                              : 0) {
  parts_.show_in(looks_, 1);
  observers_.show_in(looks_, 2);
}

void instruction_buffer::tell_entered(warp_slot warp, const buffered_instruction& instruction) {
  parts_.moved(warp.index());
  observers_.notify([&](instruction_buffer_observer& o) { o.entered(*this, warp, instruction); });
}

const warp_signal& instruction_buffer::room(unsigned entries) const {
  if (entries == 1) return room_one_;
  shows_room_for_two_ = true;
  return room_two_;
}

std::uint64_t instruction_buffer::blocking_dependencies(warp_slot warp) const {
  const queue& q = queues_[warp];
  return oldest(warp).dependencies | (q.cleared_at == domain_.cycle() ? q.cleared_from_oldest : 0);
}

void instruction_buffer::set_dependencies(warp_slot warp, unsigned position, std::uint64_t dependencies) {
  buffered_instruction& entry = slots_[index_of(warp, position)];
  const std::uint64_t freed = entry.dependencies & ~dependencies;
  entry.dependencies = dependencies;
  if (position == 0) oldest_freed_of(warp, freed);
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
  state.fixed(warp_slots_, share_, capacity_, scoreboard_entries_, decoder_, shows_room_for_two_, looks_);
  state(slots_, queues_, room_one_, room_two_, warps_, idle_);
}

}  // namespace gt200::model
