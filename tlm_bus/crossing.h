// What crosses the border between two edge drivers (edge_driver.h) in one direction, kept until it is handed over.
//
// The sending side adds entries while its driver runs. hand_over() gives them to the receiving side while neither
// driver runs. Every entry states the time at which it was sent and takes effect at least one window (clocking.h)
// after that time, so the moment of the hand-over cannot matter.
#pragma once

namespace gt200::tlm_bus {

class crossing {
 public:
  virtual void hand_over() = 0;

  // -- used by edge_driver only --
  bool listed = false;  // with the driver of the sending side

 protected:
  crossing() = default;
  crossing(const crossing&) = delete;
  crossing& operator=(const crossing&) = delete;
  ~crossing() = default;
};

}  // namespace gt200::tlm_bus
