#include "sc_models/sm/dependency/scoreboard.h"

#include "sc_models/sm/cosimulation/lockstep_tracker.h"
#include "sc_models/sm/cosimulation/rtl_tracker.h"
#include "sc_models/sm/dependency/bitmap_tracker.h"
#include "sc_models/sm/dependency/coon_tracker.h"
#include "sc_models/sm/dependency/single_loop_tracker.h"

namespace gt200::model {
namespace {

// Forwards to the buffer and records what is cleared there.
class noted_buffer final : public instruction_buffer_dependency_if {
 public:
  explicit noted_buffer(instruction_buffer_dependency_if& buffer) : buffer_(buffer) {}
  std::uint64_t cleared() const { return cleared_; }

  unsigned buffered(warp_slot warp) const override { return buffer_.buffered(warp); }
  const buffered_instruction& at(warp_slot warp, unsigned position) const override {
    return buffer_.at(warp, position);
  }
  void set_dependencies(warp_slot warp, unsigned position, std::uint64_t dependencies) override {
    buffer_.set_dependencies(warp, position, dependencies);
  }
  void clear_dependencies(warp_slot warp, std::uint64_t dependencies) override {
    cleared_ |= dependencies;
    buffer_.clear_dependencies(warp, dependencies);
  }

 private:
  instruction_buffer_dependency_if& buffer_;
  std::uint64_t cleared_ = 0;
};

std::unique_ptr<dependency_tracker> make_tracker(const tlm_bus::clock_domain& domain,
                                                 const config::sm_config& config, unsigned sm_in_chip,
                                                 const arch_state::generation_values& generation) {
  if (config.rtl.concerns(sm_in_chip)) {
    switch (config.scoreboard.model) {
      case config::model_kind::systemc: break;
      case config::model_kind::rtl: return std::make_unique<rtl_tracker>(domain, config);
      case config::model_kind::lockstep: return std::make_unique<lockstep_tracker>(domain, config, sm_in_chip);
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

scoreboard::scoreboard(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                       const config::sm_config& config, unsigned sm_in_chip,
                       const arch_state::generation_values& generation)
    : sc_core::sc_module(name),
      instruction_buffer("instruction_buffer"),
      domain_(domain),
      warp_slots_(config.limits.warps),
      tracker_(make_tracker(domain, config, sm_in_chip, generation)),
      lockstep_(dynamic_cast<lockstep_tracker*>(tracker_.get())),
      stall_all_(config.scoreboard.when_full == config::scoreboard_full::stall_all),
      discards_(config.scoreboard.when_full == config::scoreboard_full::discard),
      counts_dependent_(config.scoreboard.mechanism == config::scoreboard_mechanism::coon &&
                        config.scoreboard.allocate == config::scoreboard_allocation::with_lookup),
      answers_later_(config.scoreboard.lookup_latency_cycles != timed::core_cycles(0)),
      asked_(answers_later_ ? warp_slots_ : 0),
      has_room_(~warp_mask{0}) {}

scoreboard_enter_if::lookup scoreboard::enter(warp_slot warp, const isa::instruction& instruction,
                                              isa::code_address pc) {
  if (lockstep_ != nullptr) lockstep_->entering(pc);
  const lookup result = tracker_->enter(warp, instruction);
  settle_refused(warp, !result.entered);
  if (result.allocated != 0) settle_room(warp);
  parts_.moved(warp.index());
  settle_entered(warp, instruction, result);
  return result;
}

void scoreboard::ask(warp_slot warp, const isa::instruction& instruction, isa::code_address pc) {
  if (lockstep_ != nullptr) lockstep_->entering(pc);
  tracker_->ask(warp, instruction);
  settle_room(warp);
  parts_.moved(warp.index());
  asked& a = asked_[warp.index()];
  a.instruction = &instruction;
  a.cleared = a.cleared_at == domain_.cycle() ? a.cleared_now : 0;
}

scoreboard_enter_if::lookup scoreboard::answered(warp_slot warp) {
  lookup result = tracker_->answered(warp);
  asked& a = asked_[warp.index()];
  result.dependencies &= ~a.cleared;
  settle_refused(warp, !result.entered);
  parts_.moved(warp.index());
  settle_entered(warp, *a.instruction, result);
  return result;
}

// Also clears these bits in the look-up in flight and in one made later this cycle.
void scoreboard::note_cleared(warp_slot warp, std::uint64_t dependencies) {
  asked& a = asked_[warp.index()];
  if (a.cleared_at != domain_.cycle()) a.cleared_now = 0;
  a.cleared_at = domain_.cycle();
  a.cleared_now |= dependencies;
  a.cleared |= dependencies;
}

void scoreboard::settle_entered(warp_slot warp, const isa::instruction& instruction, const lookup& result) {
  if (counts_dependent_ && result.dependencies != 0) ++dependent;
  observers_.notify([&](scoreboard_observer& o) {
    o.entered(core_cycle(domain_.cycle()), warp, instruction, result, without_entry_);
  });
}

std::uint64_t scoreboard::issue(warp_slot warp) {
  if (stall_all_) settle_at_barrier(warp, *instruction_buffer->at(warp, 0).instruction);
  const std::uint64_t entries = tracker_->issue(warp, *instruction_buffer);
  parts_.moved(warp.index());
  if (entries != 0) settle_room(warp);
  return entries;
}

void scoreboard::complete(warp_slot warp, const isa::instruction& instruction, std::uint64_t entries) {
  if (answers_later_)
    complete_and_note(warp, instruction, entries);
  else
    tracker_->complete(warp, instruction, entries, *instruction_buffer);
  parts_.moved(warp.index());
  if (entries == 0) return;
  settle_room(warp);
  observers_.notify(
      [&](scoreboard_observer& o) { o.released(core_cycle(domain_.cycle()), warp, entries, without_entry_); });
  if (released_at_ != domain_.cycle()) released_ = 0;
  released_at_ = domain_.cycle();
  released_ |= warp_bit(warp);
  if ((held_ & warp_bit(warp)) != 0) {
    held_ &= ~warp_bit(warp);
    publish_room();
  }
  if (refused_ != 0) release_.notify(domain_);
}

void scoreboard::complete_and_note(warp_slot warp, const isa::instruction& instruction, std::uint64_t entries) {
  noted_buffer buffer(*instruction_buffer);
  tracker_->complete(warp, instruction, entries, buffer);
  if (buffer.cleared() != 0) note_cleared(warp, buffer.cleared());
}

void scoreboard::settle_room(warp_slot warp) {
  const bool full = tracker_->full(warp);
  if (((without_entry_ & warp_bit(warp)) != 0) == full) return;
  without_entry_ ^= warp_bit(warp);
  publish_room();
}

void scoreboard::settle_at_barrier(warp_slot warp, const isa::instruction& issued) {
  const bool waits = issued.unit == isa::unit_class::barrier && issued.barrier.waits;
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

}  // namespace gt200::model
