// A command of a cache that takes effect after the instant in which it is given, in whatever order the modules run.
#pragma once

#include "tlm_bus/time.h"

namespace gt200::model {

class pending_command {
 public:
  // Time must not decrease from call to call.
  void give(tlm_bus::femtoseconds now) {
    if (!pending_) since_ = now;
    pending_ = true;
    last_ = now;
  }
  // True if the command was given before `now`, and not taken since. One given at `now` stays pending.
  bool take(tlm_bus::femtoseconds now) {
    if (!pending_ || since_ >= now) return false;
    pending_ = last_ >= now;
    since_ = last_;
    return true;
  }

 private:
  bool pending_ = false;
  tlm_bus::femtoseconds since_ = 0;  // the first one not taken yet
  tlm_bus::femtoseconds last_ = 0;
};

}  // namespace gt200::model
