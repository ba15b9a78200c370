// Coordinated fetch: fetch follows the merged priority queues of the issue schedulers.
//
// Fetch prefers the warps that issue would pick first, so that their buffers do not run empty. With one scheduler
// the merged queue is that scheduler's queue. With two, a rule merges them:
// - rank: by position in the scheduler's queue; equal positions alternate, and the scheduler served last comes
//   second;
// - round_robin: the first fetchable warp of each scheduler in turn;
// - sequential: all of scheduler 0's queue before all of scheduler 1's.
// The queues are those of the last clock edge. Source: the patent on coordinated fetch and issue scheduling. It is
// public that it merges queues; the rule is an assumption.
#pragma once

#include "sc_models/sm/interfaces.h"
#include "sc_models/sm/schedulers/scheduler.h"

namespace gt200::model {

class coordinated_order final : public scheduler {
 public:
  // `queues` must be bound when the first warp is picked. `schedulers` 1 or 2.
  coordinated_order(tlm_bus::port<issue_order_if>& queues, unsigned schedulers, config::queue_merge rule)
      : queues_(queues), schedulers_(schedulers), rule_(rule) {}

  warp_slot pick(warp_mask candidates) const override;
  void picked(warp_slot warp) override { served_last_ = scheduler_of(warp, schedulers_); }
  void started(warp_slot) override {}

 private:
  tlm_bus::port<issue_order_if>& queues_;
  unsigned schedulers_;
  config::queue_merge rule_;
  unsigned served_last_ = 1;
};

}  // namespace gt200::model
