// Records what a chip does into a log: events at its taps, and the signals of its modules as they change.
//
// Attached from outside, for a window of time, so that a chip that is not recorded pays one look at the time per
// instant, and one without a recorder nothing. Signals are looked at after every instant at which their module may
// have changed; what is recorded does not depend on the order in which modules run, nor on the way of clocking, and
// recording changes nothing in the chip.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "driver/device.h"
#include "tlm_bus/time.h"

namespace gt200::observe {

struct trace_trigger {
  enum class cause : std::uint8_t { fault, mismatch, pc, counter, launch };
  cause what = cause::fault;
  std::uint32_t pc = 0;         // an instruction there issues
  std::uint64_t launch = 1;     // the work distributor takes this one, counted from 1
  std::string counter;          // a signal, usually a counter, ...
  std::uint64_t threshold = 0;  // ... reaches this value
  // Core cycles recorded before and after.
  tlm_bus::cycle_t before = 0;
  tlm_bus::cycle_t after = tlm_bus::no_cycle;
};

// Reads "fault", "mismatch", "pc=0x1a8", "launch", "launch=2" or "PATH>=N". Throws input_error.
trace_trigger trigger_of(const std::string& text);

struct trace_settings {
  std::string path;                   // of the log
  std::string named;                  // instead of it in messages, when the log is a step to another file
  std::vector<std::string> signals;   // patterns of those recorded; see glob.h
  std::vector<std::string> required;  // further ones, for reports made from the log
  // Patterns of the places whose events are recorded; one matches all that lies below it, too.
  std::vector<std::string> events = {"*"};
  // Core cycles; with a trigger, those in which it may fire.
  tlm_bus::cycle_t begin = 0;
  tlm_bus::cycle_t end = tlm_bus::no_cycle;
  std::optional<trace_trigger> trigger;
};

class recorder {
 public:
  // Ends the elaboration of the device, which must outlive it and get no further modules. Throws input_error: the
  // log cannot be written, `signals` is not empty and nothing matches, a counter of the trigger does not exist.
  recorder(device& target, const trace_settings& settings);
  ~recorder();
  recorder(const recorder&) = delete;
  recorder& operator=(const recorder&) = delete;

  // A checker has found a difference, at the present instant.
  void mismatch_found();
  // Throws the input_error of a log that could not be written, which has stopped the running launch: exceptions do
  // not find their way out of a simulation.
  void require_written() const;
  // The run is over: the log is whole. Throws like require_written().
  void close();
  // False before the window, and with a trigger that has not fired: the log is empty then.
  bool has_recorded() const;
  // The window has begun.
  bool has_begun() const;

 private:
  class state;
  std::unique_ptr<state> state_;
};

}  // namespace gt200::observe
