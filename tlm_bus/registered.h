// State behind a port. Reads return its value at the last clock edge; changes take effect at the next edge, in
// whatever order the modules run. Changes of one cycle accumulate in the next value and must commute.
#pragma once

#include "tlm_bus/time.h"

namespace gt200::tlm_bus {

template <class T>
class registered {
 public:
  registered() = default;
  explicit registered(const T& initial) : now_(initial), next_(initial) {}

  // The value visible in `cycle`, which must not be before the last change.
  const T& read(cycle_t cycle) const { return cycle < visible_from_ ? now_ : next_; }
  // The value visible from the cycle after `cycle` on, for modification in place.
  T& change(cycle_t cycle) {
    if (!changed_in(cycle)) begin_change(cycle);
    return next_;
  }
  // The first change in `cycle`; next() can then be modified.
  void begin_change(cycle_t cycle) {
    now_ = next_;
    visible_from_ = cycle + 1;
  }
  bool changed_in(cycle_t cycle) const { return cycle < visible_from_; }
  // The next value, with the changes made so far in this cycle.
  const T& next() const { return next_; }
  T& next() { return next_; }

 private:
  T now_{};  // the value before visible_from_
  T next_{};
  cycle_t visible_from_ = 0;
};

}  // namespace gt200::tlm_bus
