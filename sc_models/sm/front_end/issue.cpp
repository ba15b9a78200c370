#include "sc_models/sm/front_end/issue.h"

#include <algorithm>

#include "sc_models/sm/cosimulation/rtl_schedulers.h"
#include "sc_models/sm/front_end/instruction_buffer.h"
#include "sc_models/sm/front_end/issue_rule.h"
#include "sc_models/sm/front_end/joined_front_end.h"
#include "sc_models/sm/schedulers/awaited_warps.h"
#include "sc_models/sm/schedulers/observed_instruction.h"
#include "sc_models/sm/signal_texts.h"
#include "tlm_bus/state_image.h"
#include "toolchain/bits.h"

namespace gt200::model {
namespace {

std::deque<tlm_bus::counter> counters_of(const unit_list& units) {
  std::deque<tlm_bus::counter> counters;
  for (const alternative_unit& a : units.alternatives())
    counters.emplace_back(a.counter, "warp instructions", a.description);
  return counters;
}

}  // namespace

issue::issue(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
             const unit_list& units, unsigned sm_in_tpc, unsigned sm_in_chip, lane_share share)
    : stage(name, domain),
      to_collector("to_collector", units.collectors().size(),
                   [&](const char*, std::size_t c) {
                     return new tlm_bus::pipe_out<issued_token>(("to_" + units.collectors()[c].name).c_str(),
                                                                *this);
                   }),
      instruction_buffer("instruction_buffer"),
      scoreboard("scoreboard"),
      icache("icache"),
      blocks("blocks"),
      allocations("allocations"),
      removals("removals"),
      simt_stack("simt_stack"),
      block_control("block_control"),
      issued_to_alternative(counters_of(units)),
      pool("pool"),
      schedulers_(config.scheduler.schedulers),
      scheduler_count_(config.scheduler.schedulers),
      alternatives_(static_cast<unsigned>(units.alternatives().size())),
      probes_(config.scoreboard.mechanism == config::scoreboard_mechanism::bitmap),
      single_port_(config.scheduler.dispatch_ports == config::dispatch_port_kind::single),
      sm_(static_cast<std::uint8_t>(sm_in_tpc)),
      units_(units),
      reservation_(units, config.clocks, share),
      classes_(static_cast<unsigned>(units.collectors().size())),
      sp_path_(units.units()[units.unit_of(isa::unit_class::sp)].data_path),
      sp_hold_(config.clocks.to_core(config.issue.sp_hold_cycles)),
      warp_slots_(config.limits.warps),
      accounting_(config.scheduler.schedulers, config.limits.warps),
      attribution_(view_),
      config_(config),
      sm_in_chip_(sm_in_chip) {
  plain_ = !probes_ && sp_hold_ == core_cycles(0);
  view_.domain = &domain;
  view_.memory_class = units.memory();
  for (unsigned c = 0; c < classes_; ++c) pipes_[c] = &to_collector[c];
  for (unsigned i = 0; i < schedulers(); ++i) {
    schedulers_[i].warps = warps_of_scheduler(i, schedulers());
    schedulers_[i].policy = make_policy(i);
  }
}

std::unique_ptr<scheduler> issue::make_policy(unsigned scheduler) {
  return make_issue_scheduler(scheduler == 0 ? config_.scheduler.policy : config_.scheduler.second_policy, config_,
                              domain(), sm_in_chip_, name(),
                              [this](warp_slot warp) -> lockstep_scheduler::oldest_instruction {
                                if ((view_.occupied_warps() & warp_bit(warp)) == 0) return {};
                                const buffered_instruction& oldest = instruction_buffer->oldest(warp);
                                return {oldest.pc, oldest.instruction};
                              });
}

void issue::use(unsigned index, std::unique_ptr<scheduler> policy) {
  schedulers_[index].policy = std::move(policy);
  has_others_ = true;
}

void issue::end_of_elaboration() {
  simt_stack.resolve();
  block_control.resolve();
  pool.resolve();
  view_.instruction_buffer = &*instruction_buffer;
  view_.scoreboard = &*scoreboard;
  view_.warps = &instruction_buffer->warps();
  view_.warps->oldest.subscribe(*this);
  view_.resident = &blocks->resident().subscribe(*this);
  view_.unfinished = &blocks->unfinished().subscribe(*this);
  view_.awaited_at_exit = &blocks->awaited_at_exit().subscribe(*this);
  view_.missing = &icache->missing().subscribe(*this);
  view_.scoreboard_full = &scoreboard->full().subscribe(*this);
}

// All readers have subscribed by now, and all policies are those that stay.
void issue::start_of_simulation() {
  observes_ = observed_.has_subscribers();
  for (const scheduler_state& s : schedulers_) {
    observes_ = observes_ || s.policy->observes();
    observes_instructions_ = observes_instructions_ || s.policy->observes_instructions();
  }
}

[[gnu::noinline]] void issue::settle_residents(warp_mask resident) {
  for (const warp_slot warp : warps_in(resident & ~known_resident_)) {
    scheduler_state& s = schedulers_[scheduler_of(warp, schedulers())];
    s.policy->started(warp);
    s.observers.notify([&](arbitration_observer& o) { o.started(core_cycle(cycle() - 1), warp); });
    attribution_.started(warp);
  }
  known_resident_ = resident;
  residents_ = static_cast<unsigned>(__builtin_popcountll(resident));
}

bool issue::waits_long(warp_slot warp) {
  for (const scoreboard_entry dependency : entries_in(instruction_buffer->blocking_dependencies(warp))) {
    const stall_cause cause = scoreboard->cause_of(warp, dependency);
    if (cause == stall_cause::dependency_global || cause == stall_cause::dependency_texture) return true;
  }
  return false;
}

// Into seen_, which keeps its storage.
void issue::observe() {
  warp_observation& seen = seen_;
  seen.unfinished = view_.unfinished_warps();
  const warp_mask waiting = view_.warps_at_barrier() & seen.unfinished;
  const warp_mask occupied = view_.occupied_warps();
  seen.parked = waiting;
  for (const warp_slot warp : warps_in(occupied & seen.unfinished & ~view_.ready_warps()))
    if (waits_long(warp)) seen.parked |= warp_bit(warp);
  seen.awaited = awaited_warps(*blocks, seen.unfinished, waiting);
  seen.of_class = view_.warps->of_class;
  for (warp_mask& warps : seen.of_class) warps &= occupied;
  if (observes_instructions_) {
    seen.oldest.assign(warp_slots_, {});
    for (const warp_slot warp : warps_in(occupied))
      seen.oldest[warp.index()] = observed_of(instruction_buffer->oldest(warp));
  }
}

warp_slot issue::first(unsigned scheduler, warp_mask candidates) {
  settle();
  return schedulers_[scheduler].policy->pick(candidates);
}

unsigned issue::rank(unsigned scheduler, warp_slot warp) {
  settle();
  const scheduler_state& s = schedulers_[scheduler];
  unsigned before = 0;
  for (warp_mask rest = (view_.unfinished_warps() & s.warps) | warp_bit(warp);; ++before) {
    const warp_slot next = s.policy->pick(rest);
    if (next == warp) return before;
    rest &= ~warp_bit(next);
  }
}

void issue::release(warp_mask warps) {
  if (joined_ != nullptr) return joined_->release_from_barrier(warps);
  view_.at_barrier.change(cycle()) &= ~warps;
  wake_next();
}

void issue::hold_ports_until(core_cycle end) {
  plain_ = false;
  core_cycle& held = conflicts_end_.change(cycle());
  held = std::max(held, end);
}

warp_mask issue::replaying() const { return joined_ != nullptr ? joined_->replaying() : view_.replaying_warps(); }

void issue::replays_began(warp_slot warp) {
  plain_ = false;
  if (joined_ != nullptr) return joined_->set_replaying(warp, true);
  view_.replaying.change(cycle()) |= warp_bit(warp);
  wake_next();
}

void issue::replays_ended(warp_slot warp) {
  if (joined_ != nullptr) return joined_->set_replaying(warp, false);
  view_.replaying.change(cycle()) &= ~warp_bit(warp);
  wake_next();
}

void issue::share_registers(section_pool_if& sections) {
  plain_ = false;
  view_.sections = &sections;
  sections.free_sections().subscribe(*this);
}

void issue::form_warps(warp_former_if& former) {
  plain_ = false;
  view_.former = &former;
  former.forming().subscribe(*this);
}

// The ready warps whose instruction waits for a section.
warp_mask issue::without_section(warp_mask ready) const {
  warp_mask result = 0;
  if (view_.sections == nullptr) return result;
  for (const warp_slot warp : warps_in(ready))
    if (view_.waits_for_section(warp)) result |= warp_bit(warp);
  return result;
}

void issue::use_sections(warp_slot warp, warp_instruction& operation) {
  const isa::instruction& i = *operation.instruction;
  const grid_descriptor& grid = *operation.grid;
  if (operation.fault != arch_state::fault_kind::none || grid.base_registers == 0) return;
  if (i.section.action != isa::section_action::none) return view_.sections->issued(warp, i.section.action);
  if (view_.sections->holds(warp)) return;
  const isa::register_range shared = {isa::register_file_kind::gpr, static_cast<std::uint8_t>(grid.base_registers),
                                      static_cast<std::uint8_t>(grid.section_registers())};
  bool uses = false;
  for (unsigned k = 0; k < i.read_count; ++k) uses |= isa::overlap(i.reads[k], shared);
  for (unsigned k = 0; k < i.write_count; ++k) uses |= isa::overlap(i.writes[k], shared);
  if (!uses) return;
  operation.fault = arch_state::fault_kind::section_not_held;
  operation.fault_lanes = operation.active;
}

// The collector class of another unit to which the instruction issues, which reserves that unit; else its own.
unsigned issue::alternative_for(const isa::instruction& instruction, unsigned own, unsigned alternatives,
                                isa::lane_mask active) {
  for (const unsigned a : set_bits(alternatives)) {
    const alternative_unit& alternative = units_.alternatives()[a];
    const bool wanted = reservation_.is_preferred(alternative, core_cycle(cycle())) ||
                        (reservation_.is_open(alternative, core_cycle(cycle())) && !class_has_room(own));
    if (!wanted || !class_has_room(alternative.instead)) continue;
    ++issued_to_alternative[a];
    reservation_.issued(alternative.instead, instruction, active, core_cycle(cycle()));
    return alternative.instead;
  }
  return own;
}

// Apart, so that the values of the usual case live in registers.
[[gnu::noinline, gnu::cold]] void issue::tell_went(const scheduler_state& s, warp_mask candidates, warp_slot warp) {
  s.observers.notify([&](arbitration_observer& o) { o.went(core_cycle(cycle()), candidates, warp); });
}

void issue::tick() { step_ != nullptr ? step_->called(*this) : run(); }

// Buffer and scoreboard as modules, with what an issue changes in them.
class issue::modules : public module_front {
 public:
  explicit modules(issue& of) : module_front(of.view_), issue_(of) {}

  std::uint64_t take_entries(warp_slot warp, const buffered_instruction& b) const {
    scoreboard_allocation allocation{b.id, warp};
    issue_.allocations.send(allocation);
    return allocation.entries;
  }
  void wait_at_barrier(warp_slot warp) const { issue_.view_.at_barrier.change(issue_.cycle()) |= warp_bit(warp); }
  void remove(warp_slot warp, const buffered_instruction& b) const {
    buffer_removal removal{b.id, warp};
    issue_.removals.send(removal);
  }

 private:
  issue& issue_;
};

void issue::run() { run_over(modules(*this)); }

// The activity or stall cause of the warp, as a key of text_of_warp_state.
std::uint64_t issue::state_of(warp_slot warp) {
  const warp_mask bit = warp_bit(warp);
  if ((view_.resident_warps() & bit) == 0) return 0;
  for (const scheduler_state& s : schedulers_)
    if (s.picked == warp) return warp_state_key(stall_cause::none);
  return warp_state_key(attribution_.cause_of(module_front(view_), warp));
}

// Warps whose state may have changed since the last read. The state follows from these masks, and for a warp that
// waits for results also from the set of missing results, for one that has exited from what is under way.
warp_mask issue::moved_warps(tlm_bus::signal_writer& to) {
  warp_mask picked = 0;
  for (const scheduler_state& s : schedulers_)
    if (s.picked) picked |= warp_bit(*s.picked);
  warp_mask moved = 0;
  for (const warp_mask mask :
       {picked, view_.resident_warps(), view_.unfinished_warps(), view_.warps_at_barrier(), view_.replaying_warps(),
        view_.occupied_warps(), view_.ready_warps(), view_.warps->oldest.read(cycle()).freed, view_.missing_warps(),
        view_.scoreboard_full_warps()})
    moved |= to.moved_bits(mask);
  if (view_.former != nullptr) moved |= to.moved_bits(view_.forming_warps());
  const warp_mask exited = view_.resident_warps() & ~view_.unfinished_warps();
  const per_warp<stall_cause>& awaited = view_.awaited_at_exit->read(cycle());
  static_assert(stall_causes <= 32);
  for (unsigned bit = 0; bit < 5; ++bit) {
    warp_mask of_bit = 0;
    for (const warp_slot warp : warps_in(exited))
      if ((static_cast<unsigned>(awaited[warp]) >> bit & 1) != 0) of_bit |= warp_bit(warp);
    moved |= to.moved_bits(of_bit);
  }
  return moved;
}

void issue::publish(tlm_bus::signal_writer& to) {
  to.mask("at_barrier", warp_slots_, view_.at_barrier.next());
  for (unsigned i = 0; i < schedulers(); ++i) {
    const slot_use& last = accounting_.use(i);
    to.enter("scheduler", i);
    to.text("slot", warp_state_key(last.cause), text_of_warp_state);
    to.number("warp", 6, last.warp.index());
    to.number("pc", 32, last.pc);
    schedulers_[i].policy->publish_rtl(to);
    to.leave();
  }
  const warp_mask moved = moved_warps(to);
  to.array("warp", warp_slots_, moved,
           [&](unsigned warp) { to.text("state", state_of(warp_slot(warp)), text_of_warp_state); });
}

void issue::visit_state(tlm_bus::state_image& state) {
  state.fixed(step_, joined_, has_others_, scheduler_count_, probes_, single_port_, plain_, observes_,
              observes_instructions_, sm_, classes_, alternatives_, sp_path_, sp_hold_, pipes_, registers_,
              dropping_by_, warp_slots_);
  if (has_others_) state.refuse(*this, "a policy came from outside");
  for (unsigned i = 0; i < schedulers(); ++i) {
    scheduler_state& s = schedulers_[i];
    state.at_reset([&] {
      // With RTL, this holds it in reset.
      const auto* const before = dynamic_cast<const watched_scheduler*>(s.policy.get());
      const std::function<void()> stop = before == nullptr ? nullptr : before->comparison().stop();
      s.policy = make_policy(i);
      if (auto* now = dynamic_cast<watched_scheduler*>(s.policy.get())) now->comparison().when_different(stop);
    });
    state(s.warps, s.picked, s.port_free_at);
  }
  state(view_, known_resident_, settled_at_, first_, residents_, sequence_, reservation_, seen_, observed_,
        conflicts_end_, accounting_, attribution_);
}

}  // namespace gt200::model
