// Handles Ctrl-C, termination by a batch system, and a closed terminal.
#pragma once

#include <csignal>

namespace gt200::apps {

// From now on SIGINT, SIGTERM and SIGHUP set the returned flag instead of ending the program, so that work can stop
// in order and leave whole files. A second signal ends the program at once.
const volatile std::sig_atomic_t* catch_interrupts();

}  // namespace gt200::apps
