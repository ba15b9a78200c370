#include "sc_models/sm/front_end/issue.h"

#include <algorithm>

#include "sc_models/sm/cosimulation/rtl_schedulers.h"
#include "sc_models/sm/front_end/instruction_buffer.h"
#include "sc_models/sm/signal_texts.h"
#include "toolchain/bits.h"

namespace gt200::model {
namespace {

// Nearly always all of them; counting bits is a function call on the oldest of the processors this runs on.
unsigned lanes_in(isa::lane_mask lanes) {
  return lanes == ~isa::lane_mask{0} ? isa::warp_size : static_cast<unsigned>(__builtin_popcount(lanes));
}

}  // namespace

issue::issue(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
             unsigned sm_in_tpc, unsigned sm_in_chip)
    : stage(name, domain),
      to_sp("to_sp", *this),
      to_sfu("to_sfu", *this),
      to_dp("to_dp", *this),
      to_shared("to_shared", *this),
      to_memory("to_memory", *this),
      to_control("to_control", *this),
      instruction_buffer("instruction_buffer"),
      simt_stack("simt_stack"),
      scoreboard("scoreboard"),
      icache("icache"),
      block_control("block_control"),
      blocks("blocks"),
      pool("pool"),
      schedulers_(config.scheduler.schedulers),
      probes_(config.scoreboard.mechanism == config::scoreboard_mechanism::bitmap),
      single_port_(config.scheduler.dispatch_ports == config::dispatch_port_kind::single),
      sm_(static_cast<std::uint8_t>(sm_in_tpc)),
      booking_(config),
      pipes_{&to_sp, &to_sfu, &to_dp, &to_shared, &to_memory, &to_control},
      profile_(config.limits.warps) {
  for (unsigned i = 0; i < schedulers(); ++i) {
    schedulers_[i].warps = warps_of_scheduler(i, schedulers());
    schedulers_[i].policy =
        make_issue_scheduler(i == 0 ? config.scheduler.policy : config.scheduler.second_policy, config, domain,
                             sm_in_chip, [this](unsigned warp) -> lockstep_scheduler::oldest_instruction {
                               if ((occupied_warps() & warp_bit(warp)) == 0) return {};
                               const buffered_instruction& oldest = instruction_buffer->oldest(warp);
                               return {oldest.pc, oldest.instruction};
                             });
    observes_ = observes_ || schedulers_[i].policy->observes();
  }
}

void issue::end_of_elaboration() {
  warps_ = &instruction_buffer->warps();
  warps_->ready.subscribe(*this);
  warps_->occupied.subscribe(*this);
  warps_->freed.subscribe(*this);
  resident_ = &blocks->resident().subscribe(*this);
  unfinished_ = &blocks->unfinished().subscribe(*this);
  missing_ = &icache->missing().subscribe(*this);
  scoreboard_full_ = &scoreboard->full().subscribe(*this);
}

// Everybody has subscribed.
void issue::start_of_simulation() { observes_ = observes_ || observed_.has_subscribers(); }

// Brings the policies to the last edge. Whoever needs them first in a cycle does it: all it looks at is from that
// edge, but for what issue changes later in its own tick.
void issue::settle() {
  if (settled_at_ == cycle()) return;
  settled_at_ = cycle();
  for (scheduler_state& s : schedulers_) {
    if (s.picked < 0) continue;
    s.policy->picked(static_cast<unsigned>(s.picked));
    s.picked = -1;
  }
  const warp_mask resident = resident_->read(cycle());
  for (const unsigned warp : set_bits(resident & ~known_resident_)) {
    scheduler_state& s = schedulers_[warp % schedulers()];
    s.policy->started(warp);
    s.observers.tell([&](arbitration_observer& o) { o.started(cycle() - 1, warp); });
    last_pc_[warp] = 0;
  }
  if (known_resident_ != resident) {
    known_resident_ = resident;
    residents_ = static_cast<unsigned>(__builtin_popcountll(resident));
  }
  if (!observes_) return;
  seen_ = observation();
  for (scheduler_state& s : schedulers_) s.policy->observe(seen_);
}

bool issue::waits_long(unsigned warp) {
  for (const unsigned dependency : set_bits(instruction_buffer->blocking_dependencies(warp))) {
    const stall_cause cause = scoreboard->cause_of(warp, dependency);
    if (cause == stall_cause::dependency_global || cause == stall_cause::dependency_texture) return true;
  }
  return false;
}

// Warps of blocks of which others are `waiting` at the barrier.
warp_mask issue::awaited_of(warp_mask unfinished, warp_mask waiting) {
  std::uint64_t slots = 0;
  for (const unsigned warp : set_bits(waiting)) slots |= std::uint64_t{1} << blocks->block_slot_of(warp);
  if (slots == 0) return 0;
  warp_mask awaited = 0;
  for (const unsigned warp : set_bits(unfinished & ~waiting))
    if ((slots >> blocks->block_slot_of(warp) & 1) != 0) awaited |= warp_bit(warp);
  return awaited;
}

warp_observation issue::observation() {
  warp_observation seen;
  seen.unfinished = unfinished_warps();
  const warp_mask waiting = at_barrier_.read(cycle()) & seen.unfinished;
  const warp_mask occupied = occupied_warps();
  seen.parked = waiting;
  for (const unsigned warp : set_bits(occupied & seen.unfinished & ~ready_warps()))
    if (waits_long(warp)) seen.parked |= warp_bit(warp);
  seen.awaited = awaited_of(seen.unfinished, waiting);
  seen.of_class = warps_->of_class;
  for (warp_mask& warps : seen.of_class) warps &= occupied;
  return seen;
}

unsigned issue::first(unsigned scheduler, warp_mask candidates) {
  settle();
  return schedulers_[scheduler].policy->pick(candidates);
}

unsigned issue::rank(unsigned scheduler, unsigned warp) {
  settle();
  const scheduler_state& s = schedulers_[scheduler];
  unsigned before = 0;
  for (warp_mask rest = (unfinished_warps() & s.warps) | warp_bit(warp);; ++before) {
    const unsigned next = s.policy->pick(rest);
    if (next == warp) return before;
    rest &= ~warp_bit(next);
  }
}

void issue::release(warp_mask warps) {
  at_barrier_.change(cycle()) &= ~warps;
  wake_next();
}

bool issue::class_has_room(collector_class c) { return pipes_[static_cast<unsigned>(c)]->can_send(); }

// Of the ready warps, those whose instruction could enter its collector now.
warp_mask issue::issuable(warp_mask ready) {
  if (ready == 0) return 0;
  const auto& of_class = warps_->of_class;
  warp_mask result = 0;
  for (unsigned c = 0; c < collector_classes; ++c) {
    const auto which = static_cast<collector_class>(c);
    const warp_mask wanting = ready & of_class[c];
    if (wanting == 0) continue;
    if (class_has_room(which)) {
      result |= wanting;
    } else if (which == collector_class::sp) {
      const warp_mask multiplications = wanting & warps_->multiplications;
      if (multiplications == 0) continue;
      if (!booking_.sfu_multiplies(cycle())) {
        if (booking_.sfu_free_at() > cycle()) wake_at(booking_.sfu_free_at());
      } else if (class_has_room(collector_class::sfu)) {
        result |= multiplications;
      }
    }
  }
  return result;
}

slot_use issue::issue_from(unsigned warp) {
  const buffered_instruction& b = instruction_buffer->oldest(warp);
  const isa::instruction& instruction = *b.instruction;
  warp_instruction* operation = pool->get();
  operation->id = b.id;
  operation->sequence = ++sequence_;
  operation->issued_at = cycle();
  operation->instruction = &instruction;
  operation->grid = b.grid;
  operation->pc = b.pc;
  last_pc_[warp] = b.pc;
  operation->sm = sm_;
  operation->warp = static_cast<std::uint8_t>(warp);
  operation->active = simt_stack->active_mask(warp);
  operation->dependency_entries = scoreboard->issue(warp);
  operation->fault = b.fault;
  operation->fault_lanes = b.fault == emulator::fault_kind::none ? 0 : operation->active;
  operation->fault_address = 0;
  operation->calculated = false;
  block_control->describe(warp, *operation);

  collector_class c = b.collector;
  if (instruction.unit == isa::unit_class::barrier && instruction.barrier_wait)
    at_barrier_.change(cycle()) |= warp_bit(warp);
  instruction_buffer->pop(warp);
  block_control->instruction_issued(warp);
  const bool on_sfu = c == collector_class::sp && instruction.unit == isa::unit_class::sp_mul &&
                      (booking_.sfu_preferred(cycle()) || !class_has_room(c)) &&
                      class_has_room(collector_class::sfu);
  if (on_sfu) {
    c = collector_class::sfu;
    ++multiplications_on_sfu;
  }
  booking_.issued(instruction, on_sfu, cycle());
  pipes_[static_cast<unsigned>(c)]->send({operation});
  ++issued;
  const unsigned lanes = lanes_in(operation->active);
  thread_instructions += lanes;
  return {stall_cause::none, static_cast<std::uint8_t>(warp), static_cast<std::uint8_t>(lanes), operation->pc};
}

stall_cause issue::cause_of(unsigned warp, warp_mask ready) {
  const warp_mask bit = warp_bit(warp);
  if ((at_barrier_.read(cycle()) & bit) != 0) return stall_cause::barrier;
  if ((occupied_warps() & bit) == 0) {
    if ((unfinished_warps() & bit) == 0) return stall_cause::draining;
    if ((missing_->read(cycle()) & bit) != 0) return stall_cause::icache_miss;
    return (scoreboard_full_->read(cycle()) & bit) != 0 ? stall_cause::scoreboard_full : stall_cause::buffer_empty;
  }
  if ((ready & bit) != 0) {
    const collector_class c = instruction_buffer->oldest(warp).collector;
    return c == collector_class::memory ? stall_cause::memory_back_pressure : stall_cause::unit_busy;
  }
  const std::uint64_t dependencies = instruction_buffer->blocking_dependencies(warp);
  if (dependencies == 0) return stall_cause::buffer_empty;
  return scoreboard->cause_of(warp, static_cast<unsigned>(__builtin_ctzll(dependencies)));
}

// The instruction is the one the warp holds back, or the last one it issued.
slot_use issue::lost_by(unsigned warp, stall_cause cause) {
  const bool holds = cause != stall_cause::barrier && (occupied_warps() & warp_bit(warp)) != 0;
  return {cause, static_cast<std::uint8_t>(warp), 0, holds ? instruction_buffer->oldest(warp).pc : last_pc_[warp]};
}

slot_use issue::use_of_empty_slot(const scheduler_state& s) {
  const warp_mask resident = known_resident_ & s.warps;
  if (resident == 0) return {};
  // Warps that have exited and drain are charged only when no other warp is left.
  const warp_mask unfinished = unfinished_warps() & resident;
  const unsigned warp = s.policy->pick(unfinished != 0 ? unfinished : resident);
  return lost_by(warp, cause_of(warp, ready_warps()));
}

// Charges the cycles in which this stage slept, or the present one.
void issue::charge(tlm_bus::cycle_t cycles) {
  for (scheduler_state& s : schedulers_) {
    s.slots[static_cast<std::size_t>(s.sleeping.cause)] += cycles;
    profile_.charge(s.sleeping, cycles);
  }
  resident_warp_cycles_ += cycles * sleeping_warps_;
  miss_starved_warp_cycles_ += cycles * sleeping_starved_;
  accounted_until_ += cycles;
}

// One scheduler's turn. `port_taken`: the other one has issued in this cycle. Returns what the slot is used for.
slot_use issue::run(scheduler_state& s, warp_mask ready, warp_mask probed, bool port_taken) {
  const warp_mask own = probed & s.warps;
  const warp_mask candidates = own == 0 || (port_taken && single_port_) ? 0 : issuable(own);
  if (candidates != 0) {
    const unsigned warp = s.policy->pick(candidates);
    s.picked = static_cast<int>(warp);
    s.observers.tell([&](arbitration_observer& o) { o.went(cycle(), candidates, warp); });
    return issue_from(warp);
  }
  const warp_mask missed = ready & s.warps & ~probed;
  const warp_mask lost = missed == 0 ? 0 : issuable(missed);
  return lost != 0 ? lost_by(s.policy->pick(lost), stall_cause::not_probed) : use_of_empty_slot(s);
}

// Warps with an empty buffer whose fetch waits for the instruction cache.
unsigned issue::starved_warps() {
  const warp_mask missing = missing_->read(cycle());
  if (missing == 0) return 0;
  return static_cast<unsigned>(__builtin_popcountll(missing & unfinished_warps() & ~occupied_warps()));
}

void issue::tick() {
  if (cycle() > accounted_until_) charge(cycle() - accounted_until_);
  // 1. The policies know what happened until the last edge, and fetch gets to know it.
  settle();
  sleeping_warps_ = residents_;
  if (observed_.has_subscribers() && seen_ != observed_.next()) observed_.change(domain()) = seen_;
  // 2. Who could go, and who goes.
  const warp_mask ready = ready_warps() & ~at_barrier_.read(cycle());
  const warp_mask probed = probes_ ? ready & scoreboard->probed(occupied_warps()) : ready;
  bool again = probed != ready;
  const warp_mask wanted = schedulers_.size() == 1 ? 0 : issuable(probed);
  bool port_taken = false;
  for (unsigned i = 0; i < schedulers_.size(); ++i) {
    scheduler_state& s = schedulers_[in_turn(i)];
    s.sleeping = run(s, ready, probed, port_taken);
    if (s.sleeping.cause == stall_cause::none)
      again = port_taken = true;
    else if (port_taken && (wanted & s.warps) != 0)
      s.sleeping = lost_by(s.policy->pick(wanted & s.warps), stall_cause::dispatch_port);
  }
  if (schedulers_[first_].sleeping.cause == stall_cause::none) first_ = in_turn(1);
  // 3. This cycle's slots are charged; the causes hold on while nothing changes.
  sleeping_starved_ = starved_warps();
  charge(1);
  if (again) wake_next();
}

slot_counts issue::slots_until(unsigned scheduler, tlm_bus::cycle_t until) const {
  const scheduler_state& s = schedulers_[scheduler];
  slot_counts result = s.slots;
  if (until > accounted_until_) result[static_cast<std::size_t>(s.sleeping.cause)] += until - accounted_until_;
  return result;
}

slot_profile issue::profile_until(tlm_bus::cycle_t until) const {
  slot_profile result = profile_;
  if (until > accounted_until_)
    for (const scheduler_state& s : schedulers_) result.charge(s.sleeping, until - accounted_until_);
  result.settle();
  return result;
}

std::uint64_t issue::resident_warp_cycles_until(tlm_bus::cycle_t until) const {
  return resident_warp_cycles_ + (until > accounted_until_ ? (until - accounted_until_) * sleeping_warps_ : 0);
}

std::uint64_t issue::miss_starved_warp_cycles_until(tlm_bus::cycle_t until) const {
  return miss_starved_warp_cycles_ +
         (until > accounted_until_ ? (until - accounted_until_) * sleeping_starved_ : 0);
}

// What the warp does or waits for, as a key of text_of_warp_state.
std::uint64_t issue::state_of(unsigned warp) {
  const warp_mask bit = warp_bit(warp);
  if ((resident_->read(cycle()) & bit) == 0) return 0;
  for (const scheduler_state& s : schedulers_)
    if (s.picked == static_cast<int>(warp)) return warp_state_key(stall_cause::none);
  return warp_state_key(cause_of(warp, ready_warps()));
}

// Warps whose state may not be that of the last look: it follows from these masks, and while the warp waits for
// results from which of them are missing.
warp_mask issue::moved_warps(tlm_bus::signal_writer& to) {
  warp_mask picked = 0;
  for (const scheduler_state& s : schedulers_)
    if (s.picked >= 0) picked |= warp_bit(static_cast<unsigned>(s.picked));
  warp_mask moved = 0;
  for (const warp_mask mask :
       {picked, resident_->read(cycle()), unfinished_warps(), at_barrier_.read(cycle()), occupied_warps(),
        ready_warps(), warps_->freed.read(cycle()), missing_->read(cycle()), scoreboard_full_->read(cycle())})
    moved |= to.moved_bits(mask);
  return moved;
}

void issue::publish(tlm_bus::signal_writer& to) {
  const auto warp_slots = static_cast<unsigned>(profile_.by_warp().size());
  to.mask("at_barrier", warp_slots, at_barrier_.next());
  for (unsigned i = 0; i < schedulers(); ++i) {
    const slot_use& last = schedulers_[i].sleeping;
    to.enter("scheduler", i);
    to.text("slot", warp_state_key(last.cause), text_of_warp_state);
    to.number("warp", 6, last.warp);
    to.number("pc", 32, last.pc);
    schedulers_[i].policy->publish_rtl(to);
    to.leave();
  }
  const warp_mask moved = moved_warps(to);
  to.array("warp", warp_slots, moved, [&](unsigned warp) { to.text("state", state_of(warp), text_of_warp_state); });
}

}  // namespace gt200::model
