// A part of the chip that a reset brings back to what it was when the simulation began.
//
// Such a part lists its members once, in visit_state(); state_image.h says how. A stage has the same function
// without this base. A module below the chip that has neither cannot be reset, and the chip refuses a reset with
// its name.
#pragma once

namespace gt200::tlm_bus {

class state_image;

class resettable {
 public:
  // Lists all members that may change while the simulation runs. Called when the simulation begins, and at each
  // reset, always with the same members in the same order.
  virtual void visit_state(state_image& state) = 0;

 protected:
  ~resettable() = default;
};

}  // namespace gt200::tlm_bus
