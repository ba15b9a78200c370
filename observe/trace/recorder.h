// Records the activity of a chip in a log: events at its taps, and changes of the signals of its modules.
//
// It is attached from outside for a window of time. In the window all drivers of the chip run together in the order
// of time, on one thread (clocking.h); before and after it they run as without a recorder. After every instant it
// reads the signals of modules that may have changed. The record depends neither on the order in which modules run
// nor on the kind of clocking, and recording changes nothing in the chip.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/device.h"
#include "tlm_bus/time.h"

namespace gt200::observe {

struct trace_trigger {
  enum class cause : std::uint8_t { fault, mismatch, pc, counter, launch };
  cause kind = cause::fault;
  std::uint32_t pc = 0;      // cause pc: an instruction at this address issues
  std::uint64_t launch = 1;  // cause launch: the work distributor takes this launch of the window, counted from 1
  std::string counter;       // cause counter: a signal, usually a counter, ...
  std::uint64_t threshold = 0;  // ... reaches this value
  // Core cycles to record before and after the trigger.
  tlm_bus::cycle_t before = 0;
  tlm_bus::cycle_t after = tlm_bus::no_cycle;
};

// Reads "fault", "mismatch", "pc=0x1a8", "launch", "launch=2" or "PATH>=N". Throws input_error.
trace_trigger trigger_of(const std::string& text);

struct trace_settings {
  std::string path;                   // of the log
  std::string named;                  // name for messages, if the log is an intermediate step to another file
  std::vector<std::string> signals;   // patterns of the signals to record; see glob.h
  std::vector<std::string> required;  // further patterns, needed by reports made from the log
  std::vector<std::string> values;    // patterns of values on request; see values/values.h
  bool operands = false;              // also the operands and results of every instruction; see event_kind::lanes
  // Patterns of the places whose events are recorded. A pattern that matches a module also matches everything below
  // it.
  std::vector<std::string> events = {"*"};
  // In core cycles. With a trigger: the window in which it may fire.
  tlm_bus::cycle_t begin = 0;
  tlm_bus::cycle_t end = tlm_bus::no_cycle;
  std::optional<trace_trigger> trigger;
};

class recorder {
 public:
  // Ends the elaboration of the device, which must outlive the recorder; no modules may be added afterwards. A chip
  // alone must be elaborated (sc_start(SC_ZERO_TIME)); `stop` ends the simulation when the log cannot be written.
  // Throws std::logic_error if it is not. Throws input_error if the log cannot be written, if `signals` or `values`
  // is not empty but nothing matches, or if the counter of the trigger does not exist.
  recorder(device& target, const trace_settings& settings);
  recorder(model::chip& chip, const trace_settings& settings, std::function<void()> stop);
  ~recorder();
  recorder(const recorder&) = delete;
  recorder& operator=(const recorder&) = delete;

  // The checker has found a difference at the current instant.
  void mismatch_found();
  // Throws the input_error of a log that could not be written. Exceptions cannot leave a simulation, so that error
  // has only stopped the running launch.
  void require_written() const;
  // Completes the log at the end of the run. Throws like require_written().
  void close();
  // False before the window, and while a trigger has not fired: the log is empty then.
  bool has_recorded() const;
  // True once the window has begun.
  bool has_begun() const;

 private:
  class state;
  std::unique_ptr<state> state_;
};

}  // namespace gt200::observe
