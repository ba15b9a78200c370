// The interrupt line of the chip: optional, for hosts that do not want to poll.
#pragma once

#include <systemc>

namespace gt200::model {

class launch_listener_if : public virtual sc_core::sc_interface {
 public:
  // A launch has ended; the registers show how. Called once per launch, from within the simulation.
  virtual void launch_ended() = 0;
};

}  // namespace gt200::model
