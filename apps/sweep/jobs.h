// Runs commands as processes, several at a time.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace gt200::apps::sweep {

struct job {
  std::vector<std::string> command;  // the program's path first
  std::string messages;              // file for its standard error; its standard output is discarded
};

// Runs every job, at most `at_once` at a time. Calls `ended` with the number and exit code of each job (128 +
// signal if a signal killed it), in the order in which they end. When `stop` becomes non-zero or `ended` throws, no
// more jobs start, running ones get SIGINT, and run_jobs() returns after they have ended. Throws input_error when a
// process cannot be started.
void run_jobs(const std::vector<job>& jobs, unsigned at_once, const volatile std::sig_atomic_t* stop,
              const std::function<void(std::size_t number, int code)>& ended);

}  // namespace gt200::apps::sweep
