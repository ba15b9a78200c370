#include "sc_models/sm/dependency/scoreboard.h"

#include "sc_models/policy_factory.h"
#include "sc_models/sm/cosimulation/lockstep_at_issue.h"
#include "sc_models/sm/cosimulation/lockstep_tracker.h"
#include "sc_models/sm/cosimulation/rtl_at_issue.h"
#include "sc_models/sm/cosimulation/rtl_tracker.h"
#include "sc_models/sm/dependency/bitmap_tracker.h"
#include "sc_models/sm/dependency/coon_tracker.h"
#include "sc_models/sm/dependency/single_loop_tracker.h"
#include "sc_models/sm/front_end/joined_front_end.h"
#include "tlm_bus/state_image.h"
#include "toolchain/error.h"

namespace gt200::model {
namespace {

added_factories<dependency_tracker, dependency_context>& added_trackers() {
  static added_factories<dependency_tracker, dependency_context> all;
  return all;
}

std::unique_ptr<dependency_tracker> make_tracker(const char* module, const tlm_bus::clock_domain& domain,
                                                 const config::sm_config& config, unsigned sm_in_chip,
                                                 const arch_state::generation_values& generation) {
  const char* const by_key = config::dependency_trackers.names[0];
  const std::string_view chosen = config::chosen_at(config::dependency_trackers, module, by_key);
  if (chosen != by_key) {
    if (config.scoreboard.model != config::model_kind::systemc && config.rtl.concerns(sm_in_chip))
      throw input_error(std::string(module) + ": RTL of the scoreboard and another mechanism at once");
    return added_trackers().make(chosen, {domain, config, generation, config.scoreboard.added.of(chosen)});
  }
  if (config.rtl.concerns(sm_in_chip)) {
    const bool at_issue = config.scoreboard.allocate == config::scoreboard_allocation::at_issue;
    switch (config.scoreboard.model) {
      case config::model_kind::systemc: break;
      case config::model_kind::rtl:
        if (at_issue) return std::make_unique<rtl_at_issue>(domain, config);
        return std::make_unique<rtl_tracker>(domain, config);
      case config::model_kind::lockstep:
        if (at_issue) return std::make_unique<lockstep_at_issue>(domain, config, sm_in_chip);
        return std::make_unique<lockstep_tracker>(domain, config, sm_in_chip);
    }
  }
  switch (config.scoreboard.mechanism) {
    case config::scoreboard_mechanism::coon: break;
    case config::scoreboard_mechanism::bitmap: return std::make_unique<bitmap_tracker>(config, generation);
    case config::scoreboard_mechanism::single_loop: return std::make_unique<single_loop_tracker>(config);
  }
  return std::make_unique<coon_tracker>(domain, config, generation);
}

}  // namespace

void dependency_trackers::add(config::added_policy about, factory make) {
  added_trackers().add(config::dependency_trackers, std::move(about), std::move(make));
}

scoreboard::scoreboard(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                       const config::sm_config& config, unsigned sm_in_chip,
                       const arch_state::generation_values& generation)
    : sc_core::sc_module(name),
      lookups("lookups", *this),
      answers("answers", *this),
      allocations("allocations", *this),
      releases("releases", *this),
      dependency_updates("dependency_updates"),
      instruction_buffer("instruction_buffer"),
      domain_(domain),
      stall_all_(config.scoreboard.stalls_all()),
      excepts_barriers_(config.scoreboard.when_full == config::scoreboard_full::stall_all),
      discards_(config.scoreboard.when_full == config::scoreboard_full::discard),
      counts_dependent_(config.scoreboard.mechanism == config::scoreboard_mechanism::coon &&
                        config.scoreboard.allocate == config::scoreboard_allocation::with_lookup),
      answers_later_(config.scoreboard.lookup_latency_cycles != timed::core_cycles(0)),
      has_room_(~warp_mask{0}),
      warp_slots_(config.limits.warps),
      asked_(answers_later_ ? warp_slots_ : 0),
      make_tracker_([this, &config, sm_in_chip, &generation] {
        return make_tracker(this->name(), domain_, config, sm_in_chip, generation);
      }) {
  tracker_ = make_tracker_();
  recognise_tracker();
  parts_.show_in(looks_, 1);
  observers_.show_in(looks_, 2);
}

void scoreboard::recognise_tracker() {
  coon_ = dynamic_cast<coon_tracker*>(tracker_.get());
  lockstep_ = dynamic_cast<compared_tracker*>(tracker_.get());
  usual_ = joined_ == nullptr && coon_ != nullptr && !coon_->takes_at_issue() && !answers_later_ && !stall_all_;
}

void scoreboard::look_up_otherwise(scoreboard_lookup& lookup) {
  if (lockstep_ != nullptr) lockstep_->entering(lookup.pc);
  if (answers_later_) {
    lookup.answered_later = true;
    return ask(lookup);
  }
  lookup.answer = tracker_->enter(lookup.warp, *lookup.instruction);
  if (!lookup.answer.entered || (refused_ & warp_bit(lookup.warp)) != 0)
    settle_refused(lookup.warp, !lookup.answer.entered);
  if (lookup.answer.allocated != 0) settle_room(lookup.warp);
  settle_entered(lookup.warp, *lookup.instruction, lookup.answer);
}

void scoreboard::allocate_otherwise(scoreboard_allocation& allocation) {
  const warp_slot warp = allocation.warp;
  if (stall_all_) settle_at_barrier(warp, *at(warp, 0).instruction);
  allocation.entries = tracker_->issue(warp, *this);
  parts_.moved(warp.index());
  if (allocation.entries != 0) settle_room(warp);
}

void scoreboard::release_otherwise(const scoreboard_release& release) {
  if (joined_ != nullptr && joined_->is_looked_at()) joined_->part_in_cycle();
  if (joined_ != nullptr) return joined_->release(release.warp, release.entries);
  tracker_->complete(release.warp, *release.instruction, release.entries, *this);
  parts_.moved(release.warp.index());
  if (release.entries != 0) settle_released(release.warp, release.entries);
}

void scoreboard::tell_entered(warp_slot warp, const isa::instruction& instruction, const lookup_answer& result) {
  parts_.moved(warp.index());
  observers_.notify([&](scoreboard_observer& o) {
    o.entered(core_cycle(domain_.cycle()), warp, instruction, result, without_entry_);
  });
}

void scoreboard::ask(const scoreboard_lookup& lookup) {
  tracker_->ask(lookup.warp, *lookup.instruction);
  settle_room(lookup.warp);
  parts_.moved(lookup.warp.index());
  asked& a = asked_[lookup.warp.index()];
  a.instruction = lookup.instruction;
  a.cleared = a.cleared_at == domain_.cycle() ? a.cleared_now : 0;
}

void scoreboard::transport(scoreboard_answer& fetched) {
  fetched.answer = tracker_->answered(fetched.warp);
  const asked& a = asked_[fetched.warp.index()];
  fetched.answer.dependencies &= ~a.cleared;
  settle_refused(fetched.warp, !fetched.answer.entered);
  parts_.moved(fetched.warp.index());
  settle_entered(fetched.warp, *a.instruction, fetched.answer);
}

void scoreboard::set_dependencies(warp_slot warp, unsigned position, std::uint64_t dependencies) {
  dependency_update update{dependency_update::command::set, warp, static_cast<std::uint8_t>(position),
                           dependencies};
  dependency_updates.send(update);
}

// Also clears these bits in the look-up in flight and in one made later this cycle.
void scoreboard::note_cleared(warp_slot warp, std::uint64_t dependencies) {
  asked& a = asked_[warp.index()];
  if (a.cleared_at != domain_.cycle()) a.cleared_now = 0;
  a.cleared_at = domain_.cycle();
  a.cleared_now |= dependencies;
  a.cleared |= dependencies;
}

void scoreboard::settle_at_barrier(warp_slot warp, const isa::instruction& issued) {
  const bool waits = excepts_barriers_ && issued.unit == isa::unit_class::barrier && issued.barrier.waits;
  if (((at_barrier_ & warp_bit(warp)) != 0) == waits) return;
  at_barrier_ ^= warp_bit(warp);
  publish_room();
}

void scoreboard::publish_room() {
  const bool all_stop = stall_all_ && (without_entry_ & ~at_barrier_) != 0;
  has_room_.change(domain_) = all_stop ? 0 : ~(without_entry_ | held_);
  publish_full();
}

void scoreboard::publish_full() { full_.change(domain_) = ~has_room_.next() | refused_; }

void scoreboard::settle_refused(warp_slot warp, bool refused) {
  const bool just_released = released_at_ == domain_.cycle() && (released_ & warp_bit(warp)) != 0;
  if (discards_ && refused && !just_released) {
    held_ |= warp_bit(warp);
    publish_room();
  }
  if (((refused_ & warp_bit(warp)) != 0) == refused) return;
  refused_ ^= warp_bit(warp);
  publish_full();
  // A release in this very cycle may already allow it.
  if (refused && released_at_ == domain_.cycle()) release_.notify(domain_);
}

void scoreboard::publish(tlm_bus::signal_writer& to) {
  to.mask("has_room", warp_slots_, has_room_.next() & first_warps(warp_slots_));
  to.mask("refused", warp_slots_, refused_);
  tracker_->publish_rtl(to);
  to.array("warp", warp_slots_, [&](unsigned warp) { tracker_->publish(warp_slot(warp), to); });
}

void scoreboard::visit_state(tlm_bus::state_image& state) {
  if (make_tracker_ == nullptr) state.refuse(*this, "its mechanism came from outside");
  state.fixed(joined_, make_tracker_, warp_slots_, coon_, usual_, looks_, lockstep_, stall_all_, excepts_barriers_,
              discards_, counts_dependent_, answers_later_);
  state.at_reset([this] {
    const std::function<void()> stop = lockstep_ == nullptr ? nullptr : lockstep_->comparison().stop();
    tracker_ = make_tracker_();  // with RTL, this holds it in reset
    recognise_tracker();
    if (lockstep_ != nullptr) lockstep_->comparison().when_different(stop);
  });
  state(asked_, without_entry_, at_barrier_, has_room_, refused_, full_, held_, released_at_, released_);
}

}  // namespace gt200::model
