#include "tlm_bus/stage.h"

#include "tlm_bus/clocking.h"
#include "tlm_bus/edge_driver.h"
#include "tlm_bus/report.h"
#include "tlm_bus/state_image.h"

namespace gt200::tlm_bus {

stage::stage(const sc_core::sc_module_name& name, clock_domain& domain)
    : clocked(domain, domain.add(*this)), sc_core::sc_module(name) {
  if (domain_.driver().owner().reference()) {
    // As SC_HAS_PROCESS, which SystemC 3 deprecates and whose name it does not use; here once for all stages.
    using SC_CURRENT_USER_MODULE [[maybe_unused]] = stage;
    SC_METHOD(reference_tick);
    sensitive << domain_.reference_clock().posedge_event();
    dont_initialize();
  }
}

void stage::wake_from_outside() { wake_on_edge(domain_.first_edge_after(domain_.driver().now()), 0); }

void stage::wake_after_other(const clock_domain& cause) { wake_on_edge(domain_.first_edge_after_now_of(cause), 0); }

bool stage::asleep() const { return domain_.driver().owner().is_asleep(*this); }

void stage::visit_state(state_image& state) { state.refuse(*this, "a stage that does not say what its state is"); }

void stage::reference_tick() {
  try {
    domain_.follow_systemc_time();
    try {
      tick();
    } catch (...) {
      throw_with_place(*this);
    }
  } catch (...) {
    report_exception();
  }
}

}  // namespace gt200::tlm_bus
