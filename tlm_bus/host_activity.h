// The stage that each thread of the host is calling at this moment, for a profiler on another thread.
//
// It is noted only while noting() is on; otherwise a clock edge costs one test more.
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

namespace gt200::tlm_bus {

class stage;

class host_activity {
 public:
  // Initially off. May change while no stage is called.
  static bool noting() { return noting_; }
  static void note(bool on) { noting_ = on; }

  // The entry of the calling thread: null while it calls no stage. Threads beyond the limit share the last entry.
  static std::atomic<const stage*>& of_this_thread();
  // Of all threads that have had an entry so far, in the order in which they got it.
  static std::vector<const stage*> now();

 private:
  static constexpr std::size_t most_threads = 257;
  static inline bool noting_ = false;
  static inline std::atomic<std::size_t> threads_{0};
  static inline std::atomic<const stage*> entries_[most_threads] = {};
};

}  // namespace gt200::tlm_bus
