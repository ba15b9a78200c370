// Handles Ctrl-C, termination by a batch system, and a closed terminal.
#pragma once

#include <csignal>

namespace gt200::apps {

inline constexpr int ending_signals[] = {SIGINT, SIGTERM, SIGHUP};

// From now on these signals end the program with 130, at once and in order: programs that it has started are
// killed, and unfinished files removed (toolchain/left_behind.h).
void clear_away_at_signals();

// From now on they set the returned flag instead of ending the program, so that work can stop in order and leave
// whole files. A second signal, a quarter of a second later or more, ends the program as above.
const volatile std::sig_atomic_t* catch_interrupts();

// While one exists, a simulation runs that looks at the flag many times in a second. If simulated time then stands
// still for ten seconds, a line says so and the program ends with 130: code that a user has given may never return,
// and nothing else could end the run at the first Ctrl-C.
class interruptible_simulation {
 public:
  interruptible_simulation();
  ~interruptible_simulation();
  interruptible_simulation(const interruptible_simulation&) = delete;
  interruptible_simulation& operator=(const interruptible_simulation&) = delete;
};

}  // namespace gt200::apps
