#include "testbenches/support/systemc_test.h"

namespace gt200::support {

namespace {

// SystemC's report handler is a plain function, so its state cannot be a member.
bool error_expected = false;

void on_report(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  sc_core::sc_actions then = actions;
  if (report.get_severity() > sc_core::SC_INFO) {
    then &= ~(sc_core::SC_DISPLAY | sc_core::SC_LOG);
    if (!error_expected) ADD_FAILURE() << "SystemC report: " << report.what();
  }
  sc_core::sc_report_handler::default_handler(report, then);
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
  sc_core::sc_report_handler::set_handler(on_report);
}

clocks& systemc_test::clock(const tlm_bus::clocking_options& options) {
  if (!clocks_) clocks_ = std::make_unique<clocks>("clocking", options);
  return *clocks_;
}

void systemc_test::run_through(tlm_bus::cycle_t last, const tlm_bus::clock_domain& domain) {
  // sc_start() holds back processes that become runnable at its very end.
  const sc_core::sc_time end = sc_core::sc_time::from_value(last * domain.period() + 1);
  sc_core::sc_start(end - sc_core::sc_time_stamp());
}

std::string systemc_test::error_of_run_through(tlm_bus::cycle_t last) {
  error_expected = true;
  try {
    run_through(last);
  } catch (const std::exception& e) {
    error_expected = false;
    return e.what();
  }
  error_expected = false;
  ADD_FAILURE() << "the simulation did not report an error";
  return {};
}

}  // namespace gt200::support
