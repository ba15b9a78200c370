// An event that stages wait for. Each subscriber becomes due at the first edge of its clock after the event.
#pragma once

#include <forward_list>

#include "tlm_bus/stage.h"

namespace gt200::tlm_bus {

class registered_event {
 public:
  // Call once, at the end of elaboration. Subscribers must outlive the last notification.
  void subscribe(stage& subscriber) const {
    if (first_ == nullptr)
      first_ = &subscriber;
    else
      others_.push_front(&subscriber);
  }
  bool has_subscribers() const { return first_ != nullptr; }

  // The event occurs at the current edge of `domain`.
  void notify(const clock_domain& domain) const {
    if (first_ == nullptr) return;
    first_->wake_after(domain);
    if (!others_.empty()) notify_others(domain);
  }

 private:
  // Not inline, so that what runs for nearly every event stays small enough to be inlined.
  [[gnu::noinline]] void notify_others(const clock_domain& domain) const {
    for (stage* other : others_) other->wake_after(domain);
  }

  // Nearly always there is one. Small, because events lie between values that are read in every cycle. mutable:
  // subscribing changes nothing that a reader sees.
  mutable stage* first_ = nullptr;
  mutable std::forward_list<stage*> others_;
};

}  // namespace gt200::tlm_bus
