// Faults of device code on the host's processor: signals become the end of the block that runs (block_runner.h).
#pragma once

#include <pthread.h>

#include <memory>

namespace gt200::cudart {

// For a thread of the host that runs device code, as long as the object is there: the handlers have a stack of
// their own, because that of a thread of the grid may be full.
class signal_stack {
 public:
  signal_stack();
  ~signal_stack();
  signal_stack(const signal_stack&) = delete;
  signal_stack& operator=(const signal_stack&) = delete;

 private:
  std::unique_ptr<char[]> memory_;
};

// Once for the process. A signal outside device code has the effect that it has without this.
void catch_faults();
// Ends the block that this thread of the host runs, if it runs device code.
void interrupt(pthread_t thread);

}  // namespace gt200::cudart
