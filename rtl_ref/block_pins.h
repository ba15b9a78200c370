// What all classes around the pins of RTL have in common.
#pragma once

namespace gt200::rtl {

class block_pins {
 public:
  virtual ~block_pins() = default;
  // True if the RTL is an sc_module, so that its answers need delta cycles (rtl_ref/settle.h). A SystemC thread
  // then calls the stages of the chip, and one thread of the host runs them.
  bool waits_for_signals() const { return waits_for_signals_; }
  // For the constructor of a class around an sc_module.
  void wait_for_signals() { waits_for_signals_ = true; }

 private:
  bool waits_for_signals_ = false;
};

}  // namespace gt200::rtl
