// Whether the process that has left something behind still lives.
#pragma once

#include <sys/types.h>

#include <ctime>

namespace gt200 {

// True if no process has this number any more, if the one that has it has ended and nobody has collected it (a
// zombie), or if it began more than two seconds after `left_at`, so that it is another one; 0: not known. False if
// that cannot be told. Processes of other computers and containers are not seen.
bool has_ended(pid_t process, std::time_t left_at = 0);

}  // namespace gt200
