// Ctrl-C, the end asked for by a batch system, and a terminal that is closed.
#pragma once

#include <csignal>

namespace gt200::apps {

// From now on SIGINT, SIGTERM and SIGHUP set the flag that is returned instead of ending the program, so that what
// runs can stop in order and leave whole files. A second signal ends the program at once.
const volatile std::sig_atomic_t* catch_interrupts();

}  // namespace gt200::apps
