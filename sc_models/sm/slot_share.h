// The warp slots that a part of an SM serves: all of them, or every n-th.
#pragma once

#include "sc_models/slots.h"

namespace gt200::model {

struct slot_share {
  unsigned first = 0;
  unsigned step = 1;

  // How many of the slots 0 .. slots - 1 are its own; `slots` is a multiple of step.
  unsigned count(unsigned slots) const { return slots / step; }
  // Its n-th slot.
  warp_slot at(unsigned n) const { return warp_slot(first + n * step); }
};

}  // namespace gt200::model
