#include "sc_models/sm/front_end/coordinated_order.h"

namespace gt200::model {

warp_slot coordinated_order::pick(warp_mask candidates) const {
  const warp_mask of_first = candidates & warps_of_scheduler(0, schedulers_);
  const warp_mask of_second = candidates & ~of_first;
  if (of_second == 0) return queues_->first(0, of_first);
  if (of_first == 0) return queues_->first(1, of_second);
  const warp_slot first = queues_->first(0, of_first);
  const warp_slot second = queues_->first(1, of_second);
  const warp_slot next = served_last_ == 0 ? second : first;
  switch (rule_) {
    case config::queue_merge::sequential: return first;
    case config::queue_merge::round_robin: return next;
    case config::queue_merge::rank: break;
  }
  const unsigned rank_of_first = queues_->rank(0, first);
  const unsigned rank_of_second = queues_->rank(1, second);
  if (rank_of_first == rank_of_second) return next;
  return rank_of_first < rank_of_second ? first : second;
}

}  // namespace gt200::model
