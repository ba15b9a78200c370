#include "testbenches/support/systemc_test.h"

namespace gt200::support {

namespace {

void fail_on_report(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if (report.get_severity() > sc_core::SC_INFO) {
    ADD_FAILURE() << "SystemC report: " << report.what();
    return;
  }
  sc_core::sc_report_handler::default_handler(report, actions);
}

}  // namespace

clocks::clocks(const char* name, const tlm_bus::clocking_options& options)
    : driver(name, options),
      shader((std::string(name) + "_shader").c_str(), shader_period, driver),
      core((std::string(name) + "_core").c_str(), core_period, driver),
      uncore((std::string(name) + "_uncore").c_str(), uncore_period, driver),
      memory((std::string(name) + "_memory").c_str(), memory_period, driver) {}

systemc_test::systemc_test() {
  if (sc_core::sc_get_status() != sc_core::SC_ELABORATION)
    throw std::logic_error("one simulation per process: run the tests with ctest, or one with --gtest_filter");
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  sc_core::sc_report_handler::set_handler(fail_on_report);
}

clocks& systemc_test::clock(const tlm_bus::clocking_options& options) {
  if (!clocks_) clocks_ = std::make_unique<clocks>("clocking", options);
  return *clocks_;
}

void systemc_test::run_through(tlm_bus::cycle_t last, const tlm_bus::clock_domain& domain) {
  // sc_start() holds back the processes that become runnable at its very end.
  const sc_core::sc_time end = sc_core::sc_time::from_value(last * domain.period() + 1);
  sc_core::sc_start(end - sc_core::sc_time_stamp());
}

std::string systemc_test::error_of_run_through(tlm_bus::cycle_t last) {
  try {
    run_through(last);
  } catch (const std::exception& e) {
    return e.what();
  }
  ADD_FAILURE() << "the simulation did not report an error";
  return {};
}

}  // namespace gt200::support
