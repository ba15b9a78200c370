#include "tlm_bus/report.h"

#include <exception>
#include <systemc>

#include "tlm_bus/edge_driver.h"
#include "tlm_bus/stage.h"

namespace gt200::tlm_bus {

void throw_with_place(const stage& thrower) {
  const auto with_place = [&](const std::string& what) {
    return reported_error(defect_report, std::string(thrower.name()) + " at cycle " +
                                             std::to_string(thrower.cycle()) + " of " + thrower.domain().name() +
                                             ": " + what);
  };
  try {
    throw;
  } catch (const sc_core::sc_report&) {
    throw;
  } catch (const sc_core::sc_unwind_exception&) {
    throw;
  } catch (const reported_error&) {
    throw;
  } catch (const std::exception& error) {
    throw with_place(error.what());
  } catch (...) {
    throw with_place("an exception that is no std::exception");
  }
}

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
