// Runs a function in a process of its own and returns the text that it leaves. SystemC simulates once per process,
// and what a damaged machine does to the simulator must not reach the campaign.
#pragma once

#include <csignal>
#include <functional>
#include <string>

namespace gt200::apps {

struct isolated_end {
  bool ok = false;
  std::string text;      // that the function returned
  std::string reason;    // otherwise: an exception, a signal, or out of time
  bool refused = false;  // the exception was an input_error: wrong input, no defect
  bool stopped = false;  // `stop` became non-zero
  bool late = false;     // did not end in time
};

// The process is forked from this one, which must have a single thread. Its standard output and error are
// discarded. It is killed after `seconds`, and when `stop` becomes non-zero.
isolated_end run_isolated(const std::function<std::string()>& act, double seconds,
                          const volatile std::sig_atomic_t* stop);

}  // namespace gt200::apps
