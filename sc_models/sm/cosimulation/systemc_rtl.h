// RTL that is an sc_module with signals at its ports: its answers need delta cycles.
#pragma once

#include "rtl_ref/block_pins.h"
#include "tlm_bus/clocking.h"
#include "toolchain/error.h"

namespace gt200::model {

// Lets the chip wait for the RTL of `block`, if that needs it. Called by whoever has the RTL made, with the clock
// that drives it. Throws input_error with reference clocking.
inline void prepare_for_systemc_rtl(const rtl::block_pins& pins, const tlm_bus::clock_domain& domain,
                                    const char* block) {
  if (!pins.waits_for_signals()) return;
  tlm_bus::clocking& clocks = domain.driver().owner();
  const std::string reason = std::string("RTL of the ") + block + " is a SystemC module with signals at its ports";
  if (clocks.reference()) throw input_error(reason + ": reference clocking has no thread that could wait for it");
  clocks.call_from_thread(reason);
}

}  // namespace gt200::model
