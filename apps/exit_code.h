// The exit codes of `gt200`. Scripts rely on these numbers.
#pragma once

namespace gt200::apps {

enum class exit_code : int {
  ok = 0,
  bad_input = 1,      // a file, a configuration or a value is wrong: one line on stderr names the place
  usage = 2,          // the command line itself cannot be understood
  check_failed = 3,   // the program ran to its end, but its result is not the expected one
  fault = 4,          // the simulated program faulted
  hang = 5,           // the simulated program cannot go on
  limit = 6,          // the allowed number of cycles, instructions or repetitions of a step is used up
  internal = 70,      // a defect of the simulator itself, or of a plug-in
  no_memory = 71,     // this computer has no more memory or processes for it
  interrupted = 130,  // Ctrl-C, SIGTERM, SIGHUP; statistics are complete up to that moment
};

inline constexpr const char* exit_code_help =
    "Exit codes: 0 ok, 1 wrong input, 2 wrong usage, 3 the result is not the expected one,\n"
    "4 the simulated program faulted, 5 it hangs, 6 its limit of cycles, instructions or repetitions is\n"
    "used up, 70 defect of the simulator or of a plug-in, 71 out of memory, 130 interrupted.";

}  // namespace gt200::apps
