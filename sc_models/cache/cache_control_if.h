// Command that invalidates a read-only cache. Every cache receives it at a launch.
#pragma once

#include <systemc>

namespace gt200::model {

class cache_control_if : public virtual sc_core::sc_interface {
 public:
  // Takes effect after the current instant: present lines and lines in flight serve no later look-up.
  virtual void invalidate() = 0;
};

}  // namespace gt200::model
