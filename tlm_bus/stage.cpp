#include "tlm_bus/stage.h"

#include "tlm_bus/clocking.h"

namespace gt200::tlm_bus {

stage::stage(const sc_core::sc_module_name& name, clock_domain& domain)
    : sc_core::sc_module(name), domain_(domain), index_(domain.add(*this)) {
  if (domain_.driver().reference()) {
    // A dynamic sensitivity list is not needed, and SC_HAS_PROCESS lives here once for all stages.
    using SC_CURRENT_USER_MODULE = stage;
    SC_METHOD(reference_tick);
    sensitive << domain_.reference_clock().posedge_event();
    dont_initialize();
  }
}

void stage::reference_tick() {
  domain_.follow_systemc_time();
  tick();
}

}  // namespace gt200::tlm_bus
