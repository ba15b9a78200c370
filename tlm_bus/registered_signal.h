// A registered value that wakes its readers. A module uses it for state that its neighbours read in every cycle.
//
// A module hands its signals out by reference. At the end of elaboration a reader gets a signal once and subscribes
// to it. Reading then costs no call, and the reader is due in the cycle in which a change becomes visible.
#pragma once

#include "tlm_bus/registered.h"
#include "tlm_bus/registered_event.h"

namespace gt200::tlm_bus {

template <class T>
class registered_signal {
 public:
  registered_signal() = default;
  explicit registered_signal(const T& initial) : value_(initial) {}

  // For readers. Returns the signal itself.
  const registered_signal& subscribe(stage& reader) const {
    changes_.subscribe(reader);
    return *this;
  }
  bool has_subscribers() const { return changes_.has_subscribers(); }
  const T& read(cycle_t cycle) const { return value_.read(cycle); }

  // For the module that owns the signal: the value visible from the next cycle of `domain` on, for modification in
  // place. The first change in a cycle wakes the readers; further changes in the same cycle become visible with it.
  [[gnu::always_inline]] T& change(const clock_domain& domain) {
    const cycle_t cycle = domain.cycle();
    if (!value_.changed_in(cycle)) {
      value_.begin_change(cycle);
      changes_.notify(domain);
    }
    return value_.next();
  }
  const T& next() const { return value_.next(); }
  // The same for a value that was held elsewhere: `now` until the end of `cycle`, then `next`. Wakes nobody.
  void hand_over(const T& now, const T& next, cycle_t cycle) {
    value_ = registered<T>(now);
    value_.change(cycle) = next;
  }

 private:
  registered<T> value_;
  registered_event changes_;
};

}  // namespace gt200::tlm_bus
