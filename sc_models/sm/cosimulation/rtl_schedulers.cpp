#include "sc_models/sm/cosimulation/rtl_schedulers.h"

#include <fmt/format.h>

#include "rtl_ref/issue_arbiter/issue_arbiter.h"
#include "sc_models/sm/cosimulation/rtl_requests.h"
#include "sc_models/sm/cosimulation/systemc_rtl.h"
#include "toolchain/bits.h"

namespace gt200::model {
namespace {

bool is_candidate(int warp, warp_mask candidates) {
  return warp >= 0 && (candidates & warp_bit(warp_slot(warp))) != 0;
}

std::string text_of_warp(int warp) {
  return warp == rtl::arbiter_pins::nobody ? "nobody" : fmt::format("warp {}", warp);
}

std::string list_of(warp_mask warps) {
  std::string text;
  for (const warp_slot warp : warps_in(warps)) text += fmt::format(" {}", warp.index());
  return text;
}

// The order in which all warps would issue if none of them advanced. Stops when the RTL grants no candidate.
template <class Grant>
std::string queue_of(unsigned warps, const Grant& grant) {
  std::string text;
  for (warp_mask rest = first_warps(warps); rest != 0;) {
    const int next = grant(rest);
    if (!is_candidate(next, rest)) return text + " then " + text_of_warp(next);
    text += fmt::format(" {}", next);
    rest &= ~warp_bit(warp_slot(next));
  }
  return text;
}

}  // namespace

watched_scheduler::watched_scheduler(std::unique_ptr<rtl_arbiter> rtl, lockstep_comparison comparison,
                                     unsigned warps)
    : rtl_(std::move(rtl)),
      comparison_(std::make_unique<lockstep_comparison>(std::move(comparison))),
      warps_(warps) {}

std::string watched_scheduler::queue_of_rtl() const {
  return queue_of(warps_, [&](warp_mask rest) { return rtl_->grant(rest); });
}

warp_slot rtl_scheduler::pick(warp_mask candidates) const {
  const int warp = rtl_->grant(candidates);
  if (is_candidate(warp, candidates)) return warp_slot(warp);
  // Until the simulation stops, it continues with a warp that may issue.
  const warp_slot instead = lowest_warp(candidates);
  comparison_->differs(
      instead, 0,
      [&] {
        return fmt::format(
            "issue arbiter: the RTL grants {} at {}\n  requests:{}\n  order of all warps in the RTL:{}\n",
            warp == rtl::arbiter_pins::nobody ? "nobody although warps request"
                                              : text_of_warp(warp) + ", which does not request,",
            comparison_->place(), list_of(candidates), queue_of_rtl());
      },
      lockstep_difference::kind::protocol);
  return instead;
}

lockstep_scheduler::lockstep_scheduler(std::unique_ptr<scheduler> model, std::unique_ptr<rtl_arbiter> rtl,
                                       lockstep_comparison comparison, unsigned warps,
                                       std::function<oldest_instruction(warp_slot)> waiting)
    : watched_scheduler(std::move(rtl), std::move(comparison), warps),
      model_(std::move(model)),
      waiting_(std::move(waiting)) {
  comparison_->add_port("issue_arbiter.grant");
}

warp_slot lockstep_scheduler::pick(warp_mask candidates) const {
  const warp_slot expected = model_->pick(candidates);
  const int got = rtl_->grant(candidates);
  comparison_->answered(0);
  if (got != static_cast<int>(expected.index()))
    comparison_->differs(expected, waiting_(expected).pc, [&] { return describe(candidates, expected, got); });
  return expected;
}

void lockstep_scheduler::picked(warp_slot warp) {
  model_->picked(warp);
  rtl_->accept(warp);
}

void lockstep_scheduler::started(warp_slot warp) {
  model_->started(warp);
  rtl_->start(warp);
}

std::string lockstep_scheduler::describe(warp_mask candidates, warp_slot expected, int got) const {
  const oldest_instruction wanted = waiting_(expected);
  return fmt::format(
      "issue arbiter: RTL and model differ in a grant at {}\n  requests:{}\n  model: {}\n  RTL:   {}\n"
      "  order of all warps in the model:{}\n  order of all warps in the RTL:  {}\n",
      comparison_->place(expected, wanted.pc, wanted.instruction), list_of(candidates),
      text_of_warp(static_cast<int>(expected.index())), text_of_warp(got),
      queue_of(warps_, [&](warp_mask rest) { return static_cast<int>(model_->pick(rest).index()); }),
      queue_of_rtl());
}

std::unique_ptr<scheduler> make_issue_scheduler(
    config::warp_policy policy, const config::sm_config& config, const tlm_bus::clock_domain& domain,
    unsigned sm_in_chip, const char* module,
    std::function<lockstep_scheduler::oldest_instruction(warp_slot)> waiting) {
  if (config.scheduler.model == config::model_kind::systemc || !config.rtl.concerns(sm_in_chip))
    return make_scheduler_at(module, policy.name(), config);
  auto pins = rtl::make_issue_arbiter({config.limits.warps, order_of(policy)}, config.scheduler.rtl);
  prepare_for_systemc_rtl(*pins, domain, "issue arbiter");
  auto arbiter = std::make_unique<rtl_arbiter>(domain, std::move(pins), config.rtl.free_running());
  lockstep_comparison comparison(domain, config.rtl, sm_in_chip);
  if (config.scheduler.model == config::model_kind::rtl)
    return std::make_unique<rtl_scheduler>(std::move(arbiter), std::move(comparison), config.limits.warps);
  return std::make_unique<lockstep_scheduler>(make_scheduler(policy.name(), config), std::move(arbiter),
                                              std::move(comparison), config.limits.warps, std::move(waiting));
}

}  // namespace gt200::model
