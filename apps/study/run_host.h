// A process that starts runs: it forks one per run, tells how each ended, and holds nothing else.
//
// A fork takes time and memory by the size of its process, and so does the fork: the system copies what it touches.
// The plan of a large study is tens of megabytes, and a run that finds the heap full of it gets no large pages for
// its chip (large_pages.h). So a command forks the host before it makes the plan; it reads and compiles the
// programs that the runs share, and runs find them there.
//
// The host dies with the process that made it, and the runs die with the host, however they die.
#pragma once

#include <sys/types.h>

#include <csignal>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "apps/study/study.h"

namespace gt200::apps::study {

class run_host {
 public:
  // Forks the host. This process must have a single thread. Throws input_error when no process can be made.
  run_host();
  ~run_host();
  run_host(const run_host&) = delete;
  run_host& operator=(const run_host&) = delete;

  // Enters the working folder of this process, and reads and compiles the programs. Throws input_error for a
  // program that does not compile to what was planned.
  void load(const std::vector<shared_program>& programs);

  // Starts the point in `folder`. Its results get the name `published` in the end, which its records show.
  void begin(std::size_t number, const words& command, const std::string& folder, const std::string& published);

  struct ended_run {
    std::size_t number = 0;
    int status = 0;  // as wait() gives it
    double seconds = 0;
    std::uint64_t peak_kib = 0;
  };
  // Returns the runs that ended since the last call. Waits for the first one, a second at most, and not longer than
  // until a signal of `unblocked` arrives. Throws input_error when the host was killed.
  std::vector<ended_run> wait(const sigset_t& unblocked);

  // All that run get SIGINT.
  void interrupt();

 private:
  void send(const words& message);
  void fill(int timeout_ms, const sigset_t* unblocked);

  pid_t process_ = -1;
  int socket_ = -1;
  std::string received_;
};

// The host of prepare_runs() (study.h), or a new one.
std::unique_ptr<run_host> take_run_host();

}  // namespace gt200::apps::study
