// How the joined front end (joined_front_end.h) gives its state to the modules, so that they go on from there.
#include "sc_models/sm/dependency/scoreboard.h"
#include "sc_models/sm/front_end/decode.h"
#include "sc_models/sm/front_end/fetch.h"
#include "sc_models/sm/front_end/icache.h"
#include "sc_models/sm/front_end/instruction_buffer.h"
#include "sc_models/sm/front_end/issue.h"
#include "sc_models/sm/front_end/joined_front_end.h"

namespace gt200::model {
namespace {

// As of the last edge, and from the next one on.
template <class Value>
tlm_bus::registered<Value> registered_of(const Value& now, const Value& next, tlm_bus::cycle_t cycle) {
  tlm_bus::registered<Value> result(now);
  result.change(cycle) = next;
  return result;
}

}  // namespace

void joined_front_end::part() {
  if (mode_ != mode::joined) return;
  hand_over();
  mode_ = mode::parted;
  modules_.fetch.step_ = modules_.icache.step_ = modules_.decode.step_ = modules_.issue.step_ = nullptr;
  if (state_.cycle == tlm_bus::no_cycle) return;  // nothing has come yet, and what comes makes the stages due
  modules_.fetch.wake_from_outside();
  modules_.icache.wake_from_outside();
  modules_.decode.wake_from_outside();
  modules_.issue.wake_from_outside();
}

void joined_front_end::hand_over() {
  modules_.fetch.joined_ = modules_.icache.joined_ = modules_.decode.joined_ = nullptr;
  modules_.scoreboard.joined_ = modules_.issue.joined_ = nullptr;
  hand_over_links();
  hand_over_scoreboard();
  hand_over_buffer();
  issue_view& view = modules_.issue.view_;
  view.at_barrier = registered_of(state_.now.at_barrier, state_.next.at_barrier, state_.cycle);
  view.replaying = registered_of(state_.now.replaying, state_.next.replaying, state_.cycle);
}

void joined_front_end::hand_over_links() {
  for (std::uint32_t i = 0; i < state_.fetches.used(); ++i)
    modules_.icache.requests.hand_over(state_.fetches.at(i).visible_at, state_.fetches.at(i).token);
  for (std::uint32_t i = 0; i < state_.arrivals.used(); ++i)
    modules_.decode.in.hand_over(state_.arrivals.at(i).visible_at, state_.arrivals.at(i).token);
  if (state_.has_command) modules_.fetch.control.hand_over(state_.commanded_at + 1, state_.command);
}

void joined_front_end::hand_over_scoreboard() {
  const front_end_state::masks &now = state_.now, &next = state_.next;
  for (unsigned index = 0; index < max_warps; ++index) {
    const warp_slot warp(index);
    const warp_part& w = state_.warps[warp];
    for (unsigned e = 0; (all_ >> e) != 0; ++e) {
      const front_end_state::entry& from = w.entries[e];
      coon_tracker::entry to(from.range, from.cause);
      to.place.first = static_cast<std::uint16_t>(from.byte * 8 + from.shift);
      to.place.count = from.count;
      modules_.scoreboard.coon_->entry_of(warp, scoreboard_entry(e)) = to;
    }
    const unsigned cleared = w.cleared_at == state_.cycle ? w.cleared : 0;
    modules_.scoreboard.coon_->pending_[warp] =
        registered_of<std::uint64_t>(w.pending | cleared, w.pending, state_.cycle);
  }
  scoreboard& tracking = modules_.scoreboard;
  tracking.recognise_tracker();
  tracking.without_entry_ = next.without_entry;
  tracking.refused_ = next.refused;
  tracking.released_at_ = state_.released_at;
  tracking.has_room_.hand_over(~now.without_entry, ~next.without_entry, state_.cycle);
  tracking.full_.hand_over(now.without_entry | now.refused, next.without_entry | next.refused, state_.cycle);
}

void joined_front_end::hand_over_buffer() {
  const front_end_state::masks &now = state_.now, &next = state_.next;
  gt200::model::instruction_buffer& buffer = modules_.instruction_buffer;
  for (unsigned index = 0; index < max_warps; ++index) {
    const warp_slot warp(index);
    const warp_part& w = state_.warps[warp];
    buffer.queues_[warp] = {0, w.used, w.reserved, w.cleared, w.freed, w.cleared_at};
    for (unsigned i = 0; i < w.used; ++i) {
      const front_end_state::slot& from = w.slots[(w.head + i) % front_end_state::max_slots];
      buffered_instruction& to = buffer.slots_[index * capacity_ + i];
      to.instruction = from.instruction;
      to.grid = from.grid;
      to.id = from.id;
      to.pc = from.pc;
      to.collector = static_cast<collector_class>(from.route & 15);
      to.alternatives = from.route >> 4;
      to.fault = from.fault;
      to.dependencies = from.dependencies;
      to.allocated = from.allocated;
    }
    buffer.warps_.first[warp] = &buffer.slots_[index * capacity_];
  }
  buffer.warps_.of_class = state_.of_class;
  buffer.warps_.of_alternative = state_.of_alternative;
  buffer.warps_.oldest.hand_over({now.ready, now.occupied, 0}, {next.ready, next.occupied, 0}, state_.cycle);
  buffer.room_one_.hand_over(now.room, next.room, state_.cycle);
  buffer.room_two_.hand_over(now.room_for_two, next.room_for_two, state_.cycle);
}

}  // namespace gt200::model
