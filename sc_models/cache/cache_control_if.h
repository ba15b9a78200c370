// The command that makes a read-only cache forget its lines. Every cache gets it at a launch.
#pragma once

#include <systemc>

namespace gt200::model {

class cache_control_if : public virtual sc_core::sc_interface {
 public:
  // Takes effect after the present instant: lines held, and lines on their way, do not serve later look-ups.
  virtual void invalidate() = 0;
};

}  // namespace gt200::model
