// Base of every test that simulates: time resolution, clocking, the four clock domains of the chip.
//
// A SystemC kernel can be simulated once per process; ctest runs every TEST in a process of its own. Any SystemC
// report above INFO fails the test.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "tlm_bus/clock_domain.h"
#include "tlm_bus/clocking.h"
#include "tlm_bus/time.h"

namespace gt200::support {

// Periods of the GT200's clocks (docs: shader 1296 MHz, core half of it, uncore 602 MHz, memory 1107 MHz).
inline constexpr tlm_bus::femtoseconds core_period = 1'543'210;
inline constexpr tlm_bus::femtoseconds shader_period = core_period / 2;
inline constexpr tlm_bus::femtoseconds uncore_period = 1'661'130;
inline constexpr tlm_bus::femtoseconds memory_period = 903'342;

// One clocking with the four domains. A test may have several and compare them within one simulation.
struct clocks {
  explicit clocks(const char* name, const tlm_bus::clocking_options& options = {});

  tlm_bus::clocking driver;
  tlm_bus::clock_domain shader;
  tlm_bus::clock_domain core;
  tlm_bus::clock_domain uncore;
  tlm_bus::clock_domain memory;
};

class systemc_test : public ::testing::Test {
 protected:
  systemc_test();

  // The clocks of this test, created by the first call; options count in that call only.
  clocks& clock(const tlm_bus::clocking_options& options = {});
  tlm_bus::clock_domain& core() { return clock().core; }
  tlm_bus::clock_domain& shader() { return clock().shader; }
  tlm_bus::clock_domain& uncore() { return clock().uncore; }
  tlm_bus::clock_domain& memory() { return clock().memory; }

  // Simulates until edge `last` of `domain` (default: core) has been executed.
  void run_through(tlm_bus::cycle_t last) { run_through(last, core()); }
  void run_through(tlm_bus::cycle_t last, const tlm_bus::clock_domain& domain);
  // Simulates until nothing is pending. Reference clocking never ends: use run_through() there.
  void run_until_idle() { sc_core::sc_start(); }
  // Simulates through edge `last` of core and returns the error that ended the simulation; fails if there was none.
  std::string error_of_run_through(tlm_bus::cycle_t last);

 private:
  std::unique_ptr<clocks> clocks_;
};

}  // namespace gt200::support
