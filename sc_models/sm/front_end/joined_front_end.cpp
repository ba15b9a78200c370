#include "sc_models/sm/front_end/joined_front_end.h"

#include <algorithm>
#include <type_traits>

#include "sc_models/sm/cosimulation/rtl_schedulers.h"
#include "sc_models/sm/dependency/scoreboard.h"
#include "sc_models/sm/front_end/coordinated_order.h"
#include "sc_models/sm/front_end/decode.h"
#include "sc_models/sm/front_end/fetch.h"
#include "sc_models/sm/front_end/icache.h"
#include "sc_models/sm/front_end/instruction_buffer.h"
#include "sc_models/sm/front_end/issue.h"

namespace gt200::model {

joined_front_end::joined_front_end(const parts& modules, const config::sm_config& config)
    : fetch_clock_(modules.fetch),
      icache_clock_(modules.icache),
      issue_clock_(modules.issue),
      modules_(modules),
      tracks_shared_(config.scoreboard.tracks_shared),
      all_((1u << config.scoreboard.entries_per_warp) - 1),
      capacity_(config.instruction_buffer.entries_per_warp),
      fetch_depth_(config.fetch.queue_entries),
      fetch_latency_(config.icache.hit_latency_cycles),
      arrival_depth_(config.decode.queue_entries),
      arrival_latency_(config.decode.latency_cycles.count()),
      command_depth_(config.fetch.command_entries) {
  if (capacity_ < 2) state_.now.room_for_two = state_.next.room_for_two = 0;
}

// An instruction has at most four destinations, and shared memory as a fifth. With two places for commands, fetch
// has always taken one when decode sends the next.
bool joined_front_end::is_usual() const {
  constexpr unsigned most_destinations = 5;
  const scoreboard& tracking = modules_.scoreboard;
  if (!tracking.usual_ || tracking.discards_ || tracking.lockstep_ != nullptr) return false;
  if ((all_ >> (most_destinations - 1)) == 0 || (all_ >> front_end_state::max_entries) != 0) return false;
  if (capacity_ > front_end_state::max_slots || command_depth_ < 2) return false;
  if (fetch_depth_ > front_end_state::max_tokens || arrival_depth_ > front_end_state::max_tokens) return false;
  if (modules_.decode.turns_ != nullptr || modules_.decode.lookup_latency_ != core_cycles(0)) return false;
  const issue& issuing = modules_.issue;
  if (issuing.probes_ || issuing.observes_ || issuing.view_.sections != nullptr || issuing.view_.former != nullptr)
    return false;
  for (const issue::scheduler_state& s : issuing.schedulers_)
    if (dynamic_cast<const watched_scheduler*>(s.policy.get()) != nullptr) return false;
  if (issuing.config_.scheduler.model != config::model_kind::systemc) return false;
  return modules_.fetch.observed_ == nullptr &&
         dynamic_cast<const coordinated_order*>(modules_.fetch.policy_.get()) == nullptr;
}

bool joined_front_end::has_direct_links() const {
  return modules_.icache.requests.is_direct() && modules_.decode.in.is_direct() &&
         modules_.fetch.control.is_direct() && modules_.fetch.reservations.alone() != nullptr &&
         modules_.decode.lookups.alone() != nullptr && modules_.decode.buffer_writes.alone() != nullptr &&
         modules_.issue.allocations.alone() != nullptr && modules_.issue.removals.alone() != nullptr &&
         modules_.scoreboard.dependency_updates.alone() != nullptr;
}

void joined_front_end::watch_taps() {
  std::size_t taps = 0;
  const auto watch = [&](auto& tap) { tap.show_in(looks_.at(taps++), 1); };
  watch(modules_.icache.requests.observers());
  watch(modules_.decode.in.observers());
  watch(modules_.fetch.control.observers());
  watch(modules_.instruction_buffer.reservations.observers());
  watch(modules_.instruction_buffer.writes.observers());
  watch(modules_.instruction_buffer.removals.observers());
  watch(modules_.instruction_buffer.dependency_updates.observers());
  watch(modules_.scoreboard.lookups.observers());
  watch(modules_.scoreboard.allocations.observers());
  watch(modules_.scoreboard.releases.observers());
  watch(modules_.instruction_buffer.observers_);
  watch(modules_.scoreboard.observers_);
  for (issue::scheduler_state& s : modules_.issue.schedulers_) watch(s.observers);
  watch(*modules_.fetch.parts());
  watch(*modules_.instruction_buffer.parts());
  watch(*modules_.scoreboard.parts());
}

bool joined_front_end::join() {
  if (mode_ == mode::joined) return true;
  if (!is_usual() || !has_direct_links()) return false;
  if (!watches_) watch_taps();
  watches_ = true;
  if (is_looked_at()) return false;
  modules_.scoreboard.usual_ = false;
  modules_.fetch.joined_ = modules_.icache.joined_ = modules_.decode.joined_ = this;
  modules_.scoreboard.joined_ = modules_.issue.joined_ = this;
  modules_.fetch.step_ = modules_.icache.step_ = modules_.decode.step_ = modules_.issue.step_ = this;
  mode_ = mode::joined;
  return true;
}

template <class Stage>
void joined_front_end::called(Stage& by) {
  const tlm_bus::cycle_t now = modules_.issue.cycle();
  if (mode_ == mode::parting) {
    if (parted_at_ == now) return;
    mode_ = mode::parted;
    modules_.fetch.step_ = modules_.icache.step_ = modules_.decode.step_ = modules_.issue.step_ = nullptr;
    return by.run();
  }
  begin_cycle(now);
  if (is_looked_at()) return part_in_cycle();
  if constexpr (std::is_same_v<Stage, issue>)
    issue_step();
  else if constexpr (std::is_same_v<Stage, icache>)
    run_icache();
  else
    front_step();
}
template void joined_front_end::called(fetch&);
template void joined_front_end::called(icache&);
template void joined_front_end::called(decode&);
template void joined_front_end::called(issue&);

// Somebody has attached. The clock may still call the stages in this cycle, or not at all: all that have not worked
// in it do so now.
void joined_front_end::part_in_cycle() {
  begin_cycle(modules_.issue.cycle());
  hand_over();
  mode_ = mode::parting;
  parted_at_ = state_.cycle;
  const bool front_ran = state_.front_ran_at == state_.cycle;
  if (!front_ran) modules_.fetch.run();
  if (state_.cache_ran_at != state_.cycle) modules_.icache.run();
  if (!front_ran) modules_.decode.run();
  if (state_.issue_ran_at != state_.cycle) modules_.issue.run();
  modules_.fetch.wake_next();
  modules_.icache.wake_next();
  modules_.decode.wake_next();
  modules_.issue.wake_next();
}

// -- fetch, instruction cache and decode --

void joined_front_end::wake_for_links() {
  const tlm_bus::cycle_t due = std::min(state_.fetches.due(), state_.arrivals.due());
  if (due <= state_.cycle + 1)
    wake_fetch();
  else if (due != tlm_bus::no_cycle)
    modules_.fetch.wake_at(due);
}

[[gnu::always_inline]] inline void joined_front_end::fetch_step() {
  fetch& fetching = modules_.fetch;
  fetching.take_commands();
  if (state_.has_command && state_.commanded_at < state_.cycle) {
    state_.has_command = false;
    fetching.obey(state_.command);
  }
  if (fetching.runnable_ == 0) return;
  const warp_mask candidates = fetching.runnable_ & state_.now.room & ~state_.now.without_entry;
  if (candidates == 0) return;
  if (state_.fetches.used_at_edge(state_.cycle) < fetch_depth_)
    fetching.fetch_for(fetching.policy_->pick(candidates));
  if (fetching.runnable_ != 0) wake_fetch();
}

// The usual fetch, of which predecoding has said all. While lines are on their way, or fetches wait for them, the
// clock calls the cache for all but a new fetch.
[[gnu::always_inline]] inline void joined_front_end::icache_step() {
  const fetch_token* const token = oldest_fetch();
  if (token == nullptr) return;
  if (state_.cache_ran_at != state_.cycle && modules_.icache.is_idle() && modules_.icache.hand_on_known(*token))
    state_.cache_ran_at = state_.cycle;
  else
    run_icache();
}

void joined_front_end::run_icache() {
  if (state_.cache_ran_at == state_.cycle || (modules_.icache.is_idle() && oldest_fetch() == nullptr)) return;
  state_.cache_ran_at = state_.cycle;
  modules_.icache.run();
  wake_for_links();
}

[[gnu::always_inline]] inline void joined_front_end::decode_step() {
  decode& decoding = modules_.decode;
  if (state_.retries) {
    // What is released in this cycle helps from the next one on.
    state_.retries = state_.released_at == state_.cycle;
    if (decoding.waiting_ != 0 && decoding.enter_waiting()) state_.retries = true;
    if (state_.retries) wake_fetch();
  }
  if (state_.arrivals.due() > state_.cycle) return;
  const fetched_token& token = state_.arrivals.oldest().token;
  state_.arrivals.take(state_.cycle);
  if (state_.cache_waits) wake_cache();
  state_.cache_waits = false;
  decoding.take(token);
}

void joined_front_end::front_step() {
  if (state_.front_ran_at == state_.cycle) return;
  state_.front_ran_at = state_.cycle;
  fetch_step();
  icache_step();
  decode_step();
  wake_for_links();
}

void joined_front_end::command(const fetch_control_token& token) {
  state_.has_command = true;
  state_.command = token;
  state_.commanded_at = state_.cycle;
  wake_fetch();
}

// -- instruction buffer and scoreboard --

void joined_front_end::set_reserved(warp_slot warp, unsigned reserved) {
  const warp_mask bit = warp_bit(warp);
  if (reserved < state_.warps[warp].reserved) wake_fetch();
  state_.warps[warp].reserved = static_cast<std::uint8_t>(reserved);
  state_.next.room = reserved < capacity_ ? state_.next.room | bit : state_.next.room & ~bit;
  state_.next.room_for_two =
      reserved + 1 < capacity_ ? state_.next.room_for_two | bit : state_.next.room_for_two & ~bit;
}

// The oldest instruction of the warp is another one, or the first.
inline void joined_front_end::show_oldest(warp_slot warp, const warp_part& w) {
  const warp_mask bit = warp_bit(warp);
  const front_end_state::slot& first = oldest(w);
  state_.of_class[first.route & 15] |= bit;
  for (unsigned left = first.route >> 4; left != 0; left &= left - 1)
    state_.of_alternative[__builtin_ctz(left)] |= bit;
  state_.next.occupied |= bit;
  state_.next.ready = first.dependencies == 0 ? state_.next.ready | bit : state_.next.ready & ~bit;
}

// The oldest instruction leaves.
void joined_front_end::remove(warp_slot warp, warp_part& w) {
  const warp_mask bit = warp_bit(warp);
  const unsigned route = oldest(w).route;
  state_.of_class[route & 15] &= ~bit;
  for (unsigned left = route >> 4; left != 0; left &= left - 1) state_.of_alternative[__builtin_ctz(left)] &= ~bit;
  w.head = (w.head + 1) % front_end_state::max_slots;
  --w.used;
  state_.next.occupied &= ~bit;
  state_.next.ready &= ~bit;
  if (w.used != 0) show_oldest(warp, w);
  set_reserved(warp, w.reserved - 1u);
}

// The entries in `pending` that stand for something the instruction names.
inline unsigned joined_front_end::look_up(const warp_part& w, const isa::instruction& instruction,
                                          unsigned pending) const {
  unsigned found = 0;
  for (unsigned left = pending; left != 0; left &= left - 1) {
    const auto e = static_cast<unsigned>(__builtin_ctz(left));
    const front_end_state::entry& entry = w.entries[e];
    found |= unsigned{instruction.registers.meets(entry.byte, entry.shift, entry.count)} << e;
  }
  if (tracks_shared_ && instruction.access.space == isa::memory_space::shared)
    for (unsigned left = pending; left != 0; left &= left - 1) {
      const auto e = static_cast<unsigned>(__builtin_ctz(left));
      found |= unsigned{w.entries[e].count == 0} << e;
    }
  return found;
}

// Takes an entry of `free` for each destination.
inline unsigned joined_front_end::take_entries(warp_part& w, const isa::instruction& instruction, unsigned wanted,
                                               unsigned free) {
  const stall_cause cause =
      modules_.scoreboard.coon_->cause_[instruction.reads_shared][static_cast<unsigned>(instruction.unit)];
  unsigned left = free;
  for (unsigned i = 0; i < instruction.write_count; ++i, left &= left - 1) {
    const isa::register_place place = instruction.write_place[i];
    w.entries[static_cast<unsigned>(__builtin_ctz(left))] = {
        static_cast<std::uint16_t>(place.first / 8), static_cast<std::uint8_t>(place.first % 8),
        static_cast<std::uint8_t>(place.count), instruction.writes[i], cause};
  }
  if (wanted > instruction.write_count) {
    w.entries[static_cast<unsigned>(__builtin_ctz(left))] = {0, 0, 0, {}, cause};
    left &= left - 1;
  }
  return free ^ left;
}

[[gnu::noinline]] void joined_front_end::refuse(warp_slot warp) {
  const warp_mask bit = warp_bit(warp);
  if ((state_.next.refused & bit) != 0) return;
  state_.next.refused |= bit;
  wake_issue();
  if (state_.released_at != state_.cycle) return;
  state_.retries = true;
  wake_fetch();
}

// What is released in this cycle still keeps its entries, and the instruction does not wait for it.
bool joined_front_end::enter(warp_slot warp, const instruction_descriptor& descriptor, const grid_descriptor* grid,
                             isa::code_address pc) {
  const warp_mask bit = warp_bit(warp);
  warp_part& w = state_.warps[warp];
  const isa::instruction& instruction = *descriptor.instruction;
  const unsigned cleared = w.cleared_at == state_.cycle ? w.cleared : 0;
  const unsigned pending = w.pending | cleared;
  const unsigned free = all_ & ~pending;
  const unsigned wanted = modules_.scoreboard.coon_->destinations(instruction);
  if (static_cast<unsigned>(__builtin_popcount(free)) < wanted) {
    refuse(warp);
    return false;
  }
  if ((state_.next.refused & bit) != 0) {
    state_.next.refused &= ~bit;
    wake_issue();
  }
  const unsigned dependencies = look_up(w, instruction, pending);
  unsigned taken = 0;
  if (wanted != 0) {
    taken = take_entries(w, instruction, wanted, free);
    w.pending = static_cast<std::uint8_t>(w.pending | taken);
    if (w.pending == all_) {
      state_.next.without_entry |= bit;
      wake_issue();
    }
  }
  ++modules_.scoreboard.coon_->lookups_;
  if (dependencies != 0) ++modules_.scoreboard.dependent;
  front_end_state::slot& slot = w.slots[(w.head + w.used) % front_end_state::max_slots];
  slot = {&instruction,
          grid,
          modules_.decode.next_id_++,
          pc,
          descriptor.fault,
          static_cast<std::uint8_t>(dependencies & ~cleared),
          static_cast<std::uint8_t>(taken),
          static_cast<std::uint8_t>(as_index(modules_.units.collector_of(instruction)) |
                                    modules_.units.alternatives_of(instruction) << 4)};
  if (w.used++ == 0) {
    show_oldest(warp, w);
    wake_issue();
  }
  ++modules_.decode.decoded;
  return true;
}

void joined_front_end::release(warp_slot warp, std::uint64_t entries) {
  if (entries == 0) return;
  begin_cycle(modules_.issue.cycle());
  const warp_mask bit = warp_bit(warp);
  warp_part& w = state_.warps[warp];
  if (w.cleared_at != state_.cycle) {
    w.cleared_at = state_.cycle;
    w.cleared = w.freed = 0;
  }
  const auto released = static_cast<std::uint8_t>(entries);
  const auto kept = static_cast<std::uint8_t>(~released);
  w.pending &= kept;
  w.cleared |= released;
  state_.released_at = state_.cycle;
  if (((state_.next.without_entry & bit) | state_.next.refused) != 0) {
    state_.next.without_entry &= ~bit;
    state_.retries = state_.retries || state_.next.refused != 0;
    wake_fetch();
    wake_issue();
  }
  if (w.used == 0) return;
  front_end_state::slot& first = w.slots[w.head];
  const auto freed = static_cast<std::uint8_t>(first.dependencies & released);
  for (front_end_state::slot& slot : w.slots) slot.dependencies &= kept;
  if (freed == 0) return;
  w.freed |= freed;
  if (first.dependencies == 0) state_.next.ready |= bit;
  wake_issue();
}

// -- barrier and shared memory --

void joined_front_end::release_from_barrier(warp_mask warps) {
  begin_cycle(modules_.issue.cycle());
  state_.next.at_barrier &= ~warps;
  wake_issue();
}

void joined_front_end::set_replaying(warp_slot warp, bool replays) {
  begin_cycle(modules_.issue.cycle());
  const warp_mask bit = warp_bit(warp);
  state_.next.replaying = replays ? state_.next.replaying | bit : state_.next.replaying & ~bit;
  wake_issue();
}

warp_mask joined_front_end::replaying() {
  begin_cycle(modules_.issue.cycle());
  return state_.now.replaying;
}

void joined_front_end::visit_state(tlm_bus::state_image& state) {
  state.fixed(mode_, looks_, watches_, fetch_clock_, icache_clock_, issue_clock_, tracks_shared_, all_, capacity_,
              fetch_depth_, fetch_latency_, arrival_depth_, arrival_latency_, command_depth_);
  state(state_, parted_at_);
}

}  // namespace gt200::model
