// Threads that run the drivers of clusters through a window while the thread that called begin() goes on.
//
// Each driver is run by one thread per window, by whichever is free first; the threads begin at different drivers,
// so each of them mostly runs the same ones. Which thread it is cannot matter: within a window nothing passes
// between drivers (clocking.h).
//
// Sharing a window costs a hand-over between threads. So begin() runs the drivers itself if there is too little to
// share, judged by the host time that the last windows took. A thread without work spins for a moment, then sleeps.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "tlm_bus/time.h"

namespace gt200::tlm_bus {

class edge_driver;

class cluster_workers {
 public:
  // All drivers of clusters, and `threads` >= 1: the caller's and those that are started here. `always`: every
  // window is shared.
  cluster_workers(unsigned threads, std::vector<edge_driver*> drivers, bool always = false);
  ~cluster_workers();
  cluster_workers(const cluster_workers&) = delete;
  cluster_workers& operator=(const cluster_workers&) = delete;

  // Starts a window that ends at `end`: executes all due edges before it. Until finish() or park() has returned
  // nobody else may touch the drivers, or what they drive.
  void begin(femtoseconds end);
  // Takes part until all drivers have come to the end of the window. Returns the time at which the first of them is
  // due again; no_time if none is. Throws what a driver has thrown, of several the first one in the order of the
  // drivers. Does nothing but answer if no window is open.
  femtoseconds finish();
  // Waits for the drivers, whatever they throw.
  void park() noexcept;
  // Parks, and forgets what drivers have thrown.
  void restart() noexcept;

  unsigned threads() const { return static_cast<unsigned>(threads_.size()) + 1; }
  // Windows in which the threads had a share, so far.
  std::uint64_t shared_windows() const { return shared_windows_.load(std::memory_order_relaxed); }

  // What the windows so far have cost, which bounds what more threads could gain.
  struct host_cost {
    std::uint64_t windows = 0;     // in which a driver was due
    std::uint64_t drivers_ns = 0;  // host time of all drivers
    std::uint64_t longest_ns = 0;  // of the longest one of each window
  };
  const host_cost& cost() const { return total_; }

 private:
  struct job {
    edge_driver* driver = nullptr;
    femtoseconds end = 0;
    femtoseconds next_due = no_time;  // of the driver, after its run
    std::uint64_t host_ns = 0;        // that the run took
    std::exception_ptr failure;
    std::atomic<bool> claimed{true};  // the thread that sets it runs the driver
  };

  void run(job& j, femtoseconds end);
  void run_if_unclaimed(job& j);
  // Takes drivers from number `first` on.
  void work(std::size_t first);
  bool is_worth_sharing(std::size_t due) const;
  void note_cost();
  template <class Condition>
  void wait_until(Condition condition, std::atomic<unsigned>& sleepers, std::condition_variable& wake);
  void wake_all(const std::atomic<unsigned>& sleepers, std::condition_variable& wake);

  std::size_t count_;
  std::unique_ptr<job[]> jobs_;
  bool always_;
  bool spins_;             // before it sleeps
  std::uint64_t cost_ns_;  // host time of the drivers in a window, averaged over the last ones
  host_cost total_;
  bool open_ = false;  // between begin() and finish()
  std::atomic<std::uint64_t> shared_windows_{0};
  std::atomic<std::size_t> unfinished_{0};
  std::atomic<bool> ends_{false};
  std::mutex mutex_;
  std::condition_variable begun_, done_;
  std::atomic<unsigned> idle_{0};     // workers asleep until begun_
  std::atomic<unsigned> waiting_{0};  // callers of finish() asleep until done_
  std::vector<std::thread> threads_;
};

}  // namespace gt200::tlm_bus
