// State behind an sc_port: questions are answered from its value at the last clock edge, changes take effect at the
// next one, whoever asks first. Changes of one cycle accumulate in the next value and must commute.
#pragma once

#include "tlm_bus/time.h"

namespace gt200::tlm_bus {

template <class T>
class registered {
 public:
  registered() = default;
  explicit registered(const T& initial) : now_(initial), next_(initial) {}

  // The value visible in `cycle`.
  const T& read(cycle_t cycle) {
    if (changed_ && cycle > changed_at_) {
      now_ = next_;
      changed_ = false;
    }
    return now_;
  }
  // The value visible from the cycle after `cycle`, to be modified in place.
  T& change(cycle_t cycle) {
    read(cycle);
    changed_ = true;
    changed_at_ = cycle;
    return next_;
  }
  // The value as changed so far in this cycle.
  const T& next() const { return next_; }

 private:
  T now_{};
  T next_{};
  cycle_t changed_at_ = 0;
  bool changed_ = false;
};

}  // namespace gt200::tlm_bus
