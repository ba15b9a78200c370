// Waiting for SystemC modules at signals, within one cycle of the chip: what a class around the pins needs when its
// RTL is an sc_module. Needs nothing of the program, only SystemC.
#pragma once

#include <stdexcept>
#include <systemc>

namespace gt200::rtl {

// True in a SystemC thread, where settle() may be called; false while the chip is built, and between two runs.
inline bool may_settle() {
  const sc_core::sc_process_handle now = sc_core::sc_get_current_process_handle();
  return now.valid() &&
         (now.proc_kind() == sc_core::SC_THREAD_PROC_ || now.proc_kind() == sc_core::SC_CTHREAD_PROC_);
}

// Lets the delta cycles pass that follow from the signals set so far: afterwards the outputs of a combinational
// module belong to its inputs. Time does not advance. Throws std::logic_error if may_settle() is false, and
// std::runtime_error if the signals do not come to rest.
inline void settle() {
  constexpr unsigned most = 10000;
  if (!may_settle())
    throw std::logic_error(
        "SystemC signals settle only while the simulation runs, in a thread: wait_for_signals()");
  for (unsigned n = 0; n < most; ++n) {
    sc_core::wait(sc_core::SC_ZERO_TIME);
    if (!sc_core::sc_pending_activity_at_current_time()) return;
  }
  throw std::runtime_error("SystemC signals do not come to rest: 10000 delta cycles in one instant");
}

}  // namespace gt200::rtl
