// Evidence of a failure: the run is repeated with waves and a log of the cycles before it. A run is deterministic,
// so it fails again at the same place.
#pragma once

#include <csignal>
#include <cstdint>
#include <string>
#include <vector>

namespace gt200::apps {

struct failed_run {
  std::vector<std::string> command_line;  // gt200, run, and so on
  std::string out;                        // the folder of --out; empty: the current folder
  std::string message;                    // of the failure; may name a module or an instruction
  std::uint64_t cycle = 0;                // core cycle of the simulated time at which it ended
  std::uint64_t idle_cycles = 0;          // before that cycle, in which nothing moved
  unsigned sms_per_tpc = 1;
  double seconds = 0;  // that the run took
};

// Core cycles before a failure that are recorded.
inline constexpr std::uint64_t evidence_cycles = 2000;

// The pattern of the module that the message names, by its path or by the SM of an instruction's id; "*" without
// any.
std::string scope_of_failure(const std::string& message, unsigned sms_per_tpc);

// Says on standard error where waves and log are, in gt200_failure/ below the folder; or, if the repetition would
// take more than a minute or fails to bring them, the command that makes them.
void leave_evidence(const failed_run& run, const volatile std::sig_atomic_t* stop);

}  // namespace gt200::apps
