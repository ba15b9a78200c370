// Measures how full a queue is with three counters and a histogram, which change only when an entry enters or
// leaves.
//
// `occupancy` divided by the cycles of a run is the average number of entries. `occupancy` divided by `entries` is
// the average time of an entry in the queue. All times are edges of one clock, that of the module with the queue.
#pragma once

#include <string>

#include "tlm_bus/counter.h"
#include "tlm_bus/histogram.h"
#include "tlm_bus/state_image.h"
#include "tlm_bus/time.h"

namespace gt200::tlm_bus {

class queue_counter {
 public:
  // Adds the counters `<name>.entries`, `<name>.occupancy` and `<name>.full_cycles` and the histogram `<name>.used`
  // to the module under construction. A queue with `depth` or more entries is full.
  queue_counter(const std::string& name, unsigned depth)
      : entries(name + ".entries", "entries", "what entered the queue"),
        occupancy(name + ".occupancy", "entry cycles", "entries in the queue summed over the cycles of its clock"),
        full_cycles(name + ".full_cycles", "cycles", "cycles of its clock in which the queue was full"),
        used(name + ".used", "places", "places taken in the queue, over the cycles in which it was not empty"),
        depth_(depth) {}

  // An entry enters at edge `now`, which is not before that of the last call. It takes `size` of the depth.
  void entered(cycle_t now, unsigned size = 1) {
    pass_time(now);
    used_ += size;
    ++entries;
  }
  void left(cycle_t now, unsigned size = 1) {
    pass_time(now);
    used_ -= size;
  }

  void visit_state(state_image& state) {
    state.fixed(depth_);
    state(used_, since_);
  }

  counter entries;
  counter occupancy;
  counter full_cycles;
  histogram used;

 private:
  void pass_time(cycle_t now) {
    const cycle_t passed = now - since_;
    since_ = now;
    if (passed == 0) return;
    if (used_ >= depth_) full_cycles += passed;
    if (used_ == 0) return;
    occupancy += passed * used_;
    used.add(used_, passed);
  }

  unsigned depth_;
  unsigned used_ = 0;
  cycle_t since_ = 0;
};

}  // namespace gt200::tlm_bus
