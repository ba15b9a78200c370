#include "sc_models/sm/schedulers/scheduler.h"

#include <stdexcept>

#include "sc_models/sm/schedulers/age_schedulers.h"
#include "sc_models/sm/schedulers/round_robin_schedulers.h"
#include "sc_models/sm/schedulers/two_level_scheduler.h"
#include "sc_models/sm/schedulers/weighted_scheduler.h"

namespace gt200::model {

std::unique_ptr<scheduler> make_scheduler(config::warp_policy policy, const config::sm_config& parameters) {
  switch (policy) {
    case config::warp_policy::lrr: return std::make_unique<loose_round_robin>();
    case config::warp_policy::gtlrr: return std::make_unique<greedy_round_robin>();
    case config::warp_policy::oldest: return std::make_unique<oldest_first>();
    case config::warp_policy::youngest: return std::make_unique<youngest_first>();
    case config::warp_policy::gto: return std::make_unique<greedy_oldest>();
    case config::warp_policy::gty: return std::make_unique<greedy_youngest>();
    case config::warp_policy::two_level:
      return std::make_unique<two_level_scheduler>(parameters.scheduler.two_level_active_warps);
    case config::warp_policy::weighted: return std::make_unique<weighted_scheduler>(parameters);
    case config::warp_policy::coordinated: break;
  }
  throw std::logic_error("coordinated is an order of fetch, not a policy of its own");
}

}  // namespace gt200::model
