#include "sc_models/sm/cosimulation/lockstep_comparison.h"

#include <fmt/format.h>

#include "tlm_bus/report.h"

namespace gt200::model {

std::string lockstep_difference::describe() const {
  return further == 0 ? text
                      : text + fmt::format("  {} further answers {}\n", further,
                                           what == kind::answers ? "differed" : "were wrong");
}

// While a block of another clock is at work, the core's own cycle may be long ago.
timed::core_cycle lockstep_comparison::now() const {
  return timed::core_cycle(core_.first_edge_after(domain_.now()) - 1);
}

std::string lockstep_comparison::place() const { return fmt::format("core cycle {}, SM {}", now().number(), sm_); }

std::string lockstep_comparison::place(warp_slot warp, isa::code_address pc,
                                       const isa::instruction* instruction) const {
  const std::string of_warp = fmt::format("{}, warp {}", place(), warp.index());
  return instruction == nullptr ? of_warp
                                : fmt::format("{}, pc {:#x}: {}", of_warp, pc, isa::text_of(*instruction));
}

void lockstep_comparison::differs(warp_slot warp, isa::code_address pc, const std::function<std::string()>& text,
                                  lockstep_difference::kind what) {
  if (ended_) return;
  if (difference_)
    ++difference_->further;
  else
    difference_ = lockstep_difference{what, now(), sm_, warp, pc, text(), 0};
  if (now() < difference_->cycle + run_on_cycles_) return;
  ended_ = true;
  if (!stop_) throw tlm_bus::reported_error(tlm_bus::lockstep_report, difference_->describe());
  stop_();
}

}  // namespace gt200::model
