#include "tlm_bus/report.h"

#include <exception>
#include <systemc>

#include "tlm_bus/edge_driver.h"
#include "tlm_bus/stage.h"

namespace gt200::tlm_bus {

void report_exception() {
  try {
    throw;
  } catch (const sc_core::sc_report&) {
    throw;
  } catch (const sc_core::sc_unwind_exception&) {
    throw;
  } catch (const reported_error& error) {
    SC_REPORT_ERROR(error.id(), error.what());
  } catch (const std::exception& error) {
    SC_REPORT_ERROR(defect_report, error.what());
  }
}

void report_exception_of_call(const stage& owner) {
  if (owner.domain().driver().running()) throw;
  report_exception();
}

}  // namespace gt200::tlm_bus
