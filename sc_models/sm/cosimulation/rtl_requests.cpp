#include "sc_models/sm/cosimulation/rtl_requests.h"

#include "rtl_ref/coalescer/coalescer.h"
#include "rtl_ref/issue_arbiter/issue_arbiter.h"
#include "rtl_ref/scoreboard/scoreboard.h"
#include "rtl_ref/scoreboard_at_issue/scoreboard_at_issue.h"
#include "rtl_ref/sp/sp.h"
#include "sc_models/sm/cosimulation/rtl_scoreboard_at_issue.h"
#include "sc_models/sm/cosimulation/watched_sp.h"
#include "sc_models/sm/units/unit_list.h"

namespace gt200::model {
namespace {

void add_scoreboard(const config::sm_config& sm, std::vector<rtl::request>& to) {
  if (sm.scoreboard.mechanism != config::scoreboard_mechanism::coon) return;
  if (sm.scoreboard.allocate == config::scoreboard_allocation::at_issue)
    to.push_back(rtl::scoreboard_at_issue_rtl(size_at_issue(sm), sm.scoreboard.rtl));
  else
    to.push_back(rtl::scoreboard_rtl({sm.limits.warps, sm.scoreboard.entries_per_warp}, sm.scoreboard.rtl));
}

void add_arbiters(const config::sm_config& sm, std::vector<rtl::request>& to) {
  const auto add = [&](config::warp_policy policy) {
    if (policy == "lrr" || policy == "gto")
      to.push_back(rtl::issue_arbiter_rtl({sm.limits.warps, order_of(policy)}, sm.scheduler.rtl));
  };
  add(sm.scheduler.policy);
  if (sm.scheduler.schedulers > 1 && sm.scheduler.second_policy != sm.scheduler.policy)
    add(sm.scheduler.second_policy);
}

void add_sp(const config::sm_config& sm, std::vector<rtl::request>& to) {
  const unit_list units(sm);
  to.push_back(rtl::sp_rtl(rtl_depth_of(units.units()[units.index_of("sp")]), sm.sp.rtl));
}

void add_coalescer(const config::coalescer_config& coalescer, std::vector<rtl::request>& to) {
  to.push_back(rtl::coalescer_rtl(rule_of(coalescer.rule), coalescer.rtl));
}

}  // namespace

std::vector<rtl::request> rtl_in_use(const config::gpu_config& config) {
  const config::sm_config& sm = config.tpc.sm;
  const config::coalescer_config& coalescer = config.tpc.memory.coalescer;
  std::vector<rtl::request> result;
  bool concerned = false;
  for (unsigned n = 0; n < config.chip.sms(); ++n) concerned |= sm.rtl.concerns(n);
  if (!concerned) return result;
  if (sm.scoreboard.model != config::model_kind::systemc) add_scoreboard(sm, result);
  if (sm.scheduler.model != config::model_kind::systemc) add_arbiters(sm, result);
  if (sm.sp.model != config::model_kind::systemc) add_sp(sm, result);
  if (coalescer.model != config::model_kind::systemc) add_coalescer(coalescer, result);
  return result;
}

std::vector<rtl::request> rtl_available(const config::gpu_config& config) {
  std::vector<rtl::request> result;
  add_scoreboard(config.tpc.sm, result);
  add_arbiters(config.tpc.sm, result);
  add_sp(config.tpc.sm, result);
  add_coalescer(config.tpc.memory.coalescer, result);
  return result;
}

}  // namespace gt200::model
