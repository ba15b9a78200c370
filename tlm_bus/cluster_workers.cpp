#include "tlm_bus/cluster_workers.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "tlm_bus/edge_driver.h"
#include "tlm_bus/processors.h"

namespace gt200::tlm_bus {
namespace {

using host_clock = std::chrono::steady_clock;

// Assumption about the host: a hand-over to a thread that spins takes about 3 us.
constexpr std::uint64_t worth_sharing_ns = 15'000;
constexpr auto spinning_time = std::chrono::microseconds(100);

std::uint64_t nanoseconds_since(host_clock::time_point began) {
  return static_cast<std::uint64_t>(
      std::chrono::duration_cast<std::chrono::nanoseconds>(host_clock::now() - began).count());
}

void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

cluster_workers::cluster_workers(unsigned threads, std::vector<edge_driver*> drivers, bool always)
    : count_(drivers.size()),
      jobs_(std::make_unique<job[]>(drivers.size())),
      always_(always),
      spins_(!always || threads <= usable_processors()),
      cost_ns_(worth_sharing_ns) {
  if (threads == 0) throw std::invalid_argument("cluster workers: at least one thread");
  for (std::size_t i = 0; i < count_; ++i) jobs_[i].driver = drivers[i];
  // One thread per driver and the caller's find all the work there can be, and threads without a processor only
  // take time from the others. If the host starts fewer of them, those do the work.
  threads = std::min(threads, static_cast<unsigned>(count_) + 1);
  if (!always_) threads = std::min(threads, usable_processors());
  threads_.reserve(threads - 1);
  try {
    for (unsigned worker = 0; worker + 1 < threads; ++worker) {
      const std::size_t first = worker * count_ / threads;
      threads_.emplace_back([this, first] { work(first); });
    }
  } catch (const std::system_error&) {
  }
}

cluster_workers::~cluster_workers() {
  park();
  ends_ = true;
  wake_all(idle_, begun_);
  for (std::thread& t : threads_) t.join();
}

// Spins, then sleeps. Who makes the condition true calls wake_all() afterwards.
template <class Condition>
void cluster_workers::wait_until(Condition condition, std::atomic<unsigned>& sleepers,
                                 std::condition_variable& wake) {
  if (spins_) {
    const host_clock::time_point until = host_clock::now() + spinning_time;
    do {
      for (int i = 0; i < 32; ++i) {
        if (condition()) return;
        relax();
      }
    } while (host_clock::now() < until);
  }
  std::unique_lock<std::mutex> lock(mutex_);
  ++sleepers;
  wake.wait(lock, condition);
  --sleepers;
}

// A thread that falls asleep is counted, under the mutex, before it looks at its condition for the last time.
void cluster_workers::wake_all(const std::atomic<unsigned>& sleepers, std::condition_variable& wake) {
  if (sleepers == 0) return;
  { const std::lock_guard<std::mutex> lock(mutex_); }
  wake.notify_all();
}

bool cluster_workers::is_worth_sharing(std::size_t due) const {
  if (threads_.empty() || due == 0) return false;
  return always_ || (due >= 2 && cost_ns_ >= worth_sharing_ns);
}

void cluster_workers::note_cost() {
  std::uint64_t sum = 0, longest = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    const std::uint64_t ns = std::exchange(jobs_[i].host_ns, 0);
    sum += ns;
    longest = std::max(longest, ns);
  }
  cost_ns_ = (7 * cost_ns_ + sum) / 8;
  total_.windows += sum != 0 ? 1 : 0;
  total_.drivers_ns += sum;
  total_.longest_ns += longest;
}

void cluster_workers::run(job& j, femtoseconds end) {
  const host_clock::time_point began = host_clock::now();
  try {
    j.next_due = j.driver->run_until(end);
  } catch (...) {
    j.failure = std::current_exception();
    j.next_due = no_time;
  }
  j.host_ns = nanoseconds_since(began);
}

void cluster_workers::run_if_unclaimed(job& j) {
  if (j.claimed.load(std::memory_order_relaxed) || j.claimed.exchange(true, std::memory_order_acquire)) return;
  run(j, j.end);
  if (--unfinished_ == 0) wake_all(waiting_, done_);
}

void cluster_workers::begin(femtoseconds end) {
  open_ = true;
  std::size_t due = 0;
  for (std::size_t i = 0; i < count_; ++i) {
    job& j = jobs_[i];
    j.end = end;
    j.next_due = j.driver->next_due();
    if (j.next_due < end)
      ++due;
    else
      j.next_due = j.driver->run_until(end);
  }
  if (!is_worth_sharing(due)) {
    for (std::size_t i = 0; i < count_; ++i)
      if (jobs_[i].next_due < end) run(jobs_[i], end);
    return;
  }
  unfinished_ = due;
  for (std::size_t i = 0; i < count_; ++i)
    // A worker may run the driver from here on.
    if (jobs_[i].next_due < end) jobs_[i].claimed.store(false, std::memory_order_release);
  ++shared_windows_;
  wake_all(idle_, begun_);
}

void cluster_workers::park() noexcept {
  if (!open_) return;
  // From the other end than the first worker.
  for (std::size_t i = count_; i > 0; --i) run_if_unclaimed(jobs_[i - 1]);
  wait_until([this] { return unfinished_ == 0; }, waiting_, done_);
}

void cluster_workers::restart() noexcept {
  park();
  open_ = false;
  for (std::size_t i = 0; i < count_; ++i) jobs_[i].failure = nullptr;
}

femtoseconds cluster_workers::finish() {
  femtoseconds next = no_time;
  park();
  for (std::size_t i = 0; i < count_; ++i) next = std::min(next, jobs_[i].next_due);
  if (!std::exchange(open_, false)) return next;
  note_cost();
  for (std::size_t i = 0; i < count_; ++i)
    if (jobs_[i].failure) std::rethrow_exception(std::exchange(jobs_[i].failure, nullptr));
  return next;
}

void cluster_workers::work(std::size_t first) {
  for (std::uint64_t seen = 0;;) {
    wait_until([&] { return shared_windows_ != seen || ends_; }, idle_, begun_);
    if (ends_) return;
    seen = shared_windows_;
    for (std::size_t i = 0; i < count_; ++i) run_if_unclaimed(jobs_[(first + i) % count_]);
  }
}

}  // namespace gt200::tlm_bus
