#include "tlm_bus/report.h"

#include <atomic>
#include <exception>
#include <systemc>
#include <typeinfo>

#include "tlm_bus/edge_driver.h"
#include "tlm_bus/stage.h"

namespace gt200::tlm_bus {

namespace {

std::atomic<name_of_thrower> thrower_name{nullptr};

std::string thrower_of(const void* thrown) {
  const name_of_thrower name = thrower_name.load();
  return name == nullptr ? std::string() : name(thrown);
}

}  // namespace

void set_name_of_thrower(name_of_thrower name) { thrower_name.store(name); }

void throw_with_place(const stage& thrower) {
  const auto with_place = [&](const std::string& what, const void* thrown) {
    const std::string text = std::string(thrower.name()) + " at cycle " + std::to_string(thrower.cycle()) + " of " +
                             thrower.domain().name() + ": " + what;
    const std::string foreign = thrower_of(thrown);
    return foreign.empty() ? reported_error(defect_report, text)
                           : reported_error(foreign_report, foreign + ": " + text);
  };
  try {
    throw;
  } catch (const sc_core::sc_report& report) {
    if (thrower_of(dynamic_cast<const void*>(&report)).empty()) throw;
    throw with_place(std::string(report.get_msg_type()) + ": " + report.get_msg(),
                     dynamic_cast<const void*>(&report));
  } catch (const sc_core::sc_unwind_exception&) {
    throw;
  } catch (const reported_error& error) {
    if (typeid(error) != typeid(reported_error) || error.id() == foreign_report) throw;
    const std::string foreign = thrower_of(&error);
    if (foreign.empty()) throw;
    throw reported_error(foreign_report, foreign + ": " + error.what());
  } catch (const std::exception& error) {
    throw with_place(error.what(), dynamic_cast<const void*>(&error));
  } catch (...) {
    throw with_place("an exception that is no std::exception", nullptr);
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
