// Command of a program that makes loads see what other SMs have written: the L1 forgets what it has read.
#pragma once

#include <systemc>

namespace gt200::model {

class line_control_if : public virtual sc_core::sc_interface {
 public:
  // Takes effect after the current instant: lines that agree with memory, present or in flight, serve no later
  // look-up. Dirty lines stay.
  virtual void drop_clean_lines() = 0;
};

}  // namespace gt200::model
