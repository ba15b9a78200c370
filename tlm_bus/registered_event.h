// An event that stages wait for: each subscriber becomes due at the first edge of its clock after it.
#pragma once

#include <vector>

#include "tlm_bus/stage.h"

namespace gt200::tlm_bus {

class registered_event {
 public:
  // Once, at the end of elaboration. Subscribers must outlive the event's last notification.
  void subscribe(stage& subscriber) const { subscribers_.push_back(&subscriber); }
  bool has_subscribers() const { return !subscribers_.empty(); }

  // It happens at the present edge of `domain`.
  void notify(const clock_domain& domain) const {
    for (stage* subscriber : subscribers_) subscriber->wake_after(domain);
  }

 private:
  mutable std::vector<stage*> subscribers_;  // no part of what a reader may not change
};

}  // namespace gt200::tlm_bus
