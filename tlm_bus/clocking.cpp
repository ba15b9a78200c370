#include "tlm_bus/clocking.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "tlm_bus/report.h"
#include "tlm_bus/stage.h"

namespace gt200::tlm_bus {

clocking::clocking(const sc_core::sc_module_name& name, const clocking_options& options, femtoseconds window)
    : sc_core::sc_module(name),
      options_(options),
      window_(window),
      ignores_wakes_(options.mode == clocking_options::way::reference) {
  if (options_.audit && reference()) throw std::invalid_argument("audit goes with due clocking only");
  if (options_.threads == 0) throw std::invalid_argument("clocking: at least one thread");
  if (options_.stalls.per_1024 >= 1024) throw std::invalid_argument("stalls: per_1024 must be below 1024");
  if (sc_core::sc_get_time_resolution() != sc_core::sc_time(1, sc_core::SC_FS))
    throw std::logic_error("the time resolution must be 1 fs before the chip is constructed");
  if (!reference()) {
    using SC_CURRENT_USER_MODULE [[maybe_unused]] = clocking;
    SC_METHOD(run_in_method);
    sensitive << wake_event_;
  } else {
    using SC_CURRENT_USER_MODULE [[maybe_unused]] = clocking;
    SC_METHOD(instant_ends);
    sensitive << instant_ends_event_;
    dont_initialize();
    SC_METHOD(reset_in_reference);
    sensitive << reset_event_;
    dont_initialize();
  }
}

clocking::~clocking() = default;

void clocking::remove(const edge_driver& d) {
  drivers_.erase(std::remove(drivers_.begin(), drivers_.end(), &d), drivers_.end());
}

void clocking::detach(interval_observer& observer) {
  for (auto* list : {&intervals_, &on_time_})
    list->erase(std::remove(list->begin(), list->end(), &observer), list->end());
}

void clocking::detach(window_observer& observer) {
  window_observers_.erase(std::remove(window_observers_.begin(), window_observers_.end(), &observer),
                          window_observers_.end());
}

void clocking::keep_time_order(const std::string& reason) {
  if (time_order_reason_.empty()) time_order_reason_ = reason;
}

void clocking::call_from_thread(const std::string& reason) {
  if (reference()) throw std::logic_error("reference clocking calls every stage from a method of its own");
  keep_time_order(reason);
  calls_from_thread_ = true;
}

std::uint64_t clocking::executed_edges() const {
  std::uint64_t sum = 0;
  for (const edge_driver* d : drivers_) sum += d->executed_edges();
  return sum;
}

void clocking::end_of_elaboration() {
  if (options_.shuffle_seed != 0) shuffle();
  if (calls_from_thread_) {
    constexpr std::size_t stack_bytes = 4u << 20;  // a stage may need as much as it does in a method
    using SC_CURRENT_USER_MODULE [[maybe_unused]] = clocking;
    SC_THREAD(run_in_thread);
    set_stack_size(stack_bytes);
  }
  if (window_ != 0 && !reference())
    workers_ = std::make_unique<cluster_workers>(options_.threads,
                                                 std::vector<edge_driver*>(drivers_.begin() + 1, drivers_.end()),
                                                 options_.share_every_window);
}

void clocking::shuffle() {
  std::uint64_t seed = options_.shuffle_seed;
  for (edge_driver* d : drivers_)
    for (clock_domain* domain : d->domains()) domain->shuffle(seed++);
  // Results must not depend on the order in which coincident edges of different domains are executed, or on the
  // order of the clusters.
  for (edge_driver* d : drivers_) d->rotate_domains(options_.shuffle_seed);
  if (drivers_.size() > 2)
    std::rotate(drivers_.begin() + 1,
                drivers_.begin() + 1 + static_cast<std::ptrdiff_t>(options_.shuffle_seed % (drivers_.size() - 1)),
                drivers_.end());
}

femtoseconds clocking::window_end(femtoseconds t) const {
  femtoseconds end = window_ == 0 ? t : (t + window_ - 1) / window_ * window_;
  return extra_end_ >= t ? std::min(end, extra_end_) : end;
}

bool clocking::may_run_alone() const {
  return !options_.audit && time_order_reason_.empty() && observer_count::value() == 0;
}

void clocking::run_in_thread() {
  for (;;) {
    run();
    come_to_rest();
    wait_among_foreign_processes();
  }
}

// Signals that oscillate would keep SystemC at this instant for ever.
void clocking::come_to_rest() {
  constexpr unsigned most = 10000;
  for (unsigned n = 0; sc_core::sc_pending_activity_at_current_time(); ++n) {
    if (n == most)
      SC_REPORT_ERROR(
          foreign_report,
          (time_order_reason_ + ": signals do not come to rest, after 10000 delta cycles in one instant").c_str());
    wait(sc_core::SC_ZERO_TIME);
  }
}

// In place of waiting for the next edge. Signals may also oscillate at an instant between two edges, when a process
// of a foreign module has waited for time to pass: so this process is there at each of those instants.
void clocking::wait_among_foreign_processes() {
  for (;;) {
    const femtoseconds now = sc_core::sc_time_stamp().value();
    if (now >= sleeping_until_) return;
    const sc_core::sc_time next = sc_core::sc_time_to_pending_activity();
    if (!sc_core::sc_pending_activity() || (sleeping_until_ != no_time && next.value() >= sleeping_until_ - now))
      return wait(wake_event_);
    wait(next, wake_event_);
    if (sc_core::sc_time_stamp().value() >= sleeping_until_) return;
    come_to_rest();
    count_foreign_instant();
  }
}

// Time that passes in steps which no hardware has would keep the chip from its next edge.
void clocking::count_foreign_instant() {
  constexpr unsigned most = 1'000'000, polled = 1000;
  constexpr femtoseconds shortest_step = 1000;
  const femtoseconds now = sc_core::sc_time_stamp().value();
  if (options_.stop != nullptr && foreign_instants_ % polled == 0 && *options_.stop != 0) sc_core::sc_pause();
  if (foreign_instants_ == 0) foreign_instants_from_ = now;
  if (++foreign_instants_ <= most) return;
  foreign_instants_ = 0;
  if (now - foreign_instants_from_ < most * shortest_step)
    SC_REPORT_ERROR(foreign_report,
                    (time_order_reason_ +
                     ": a process is active more often than once in a picosecond: " + std::to_string(most) +
                     " times from " + sc_core::sc_time::from_value(foreign_instants_from_).to_string() + " on")
                        .c_str());
}

void clocking::run_in_method() {
  if (!calls_from_thread_) run();
}

void clocking::run() {
  if (failed_ && sc_core::sc_time_stamp().value() < reset_at_) return;
  try {
    run_instant();
  } catch (...) {
    failed_ = true;
    park();
    report_exception();
  }
}

void clocking::run_instant() {
  const femtoseconds now = sc_core::sc_time_stamp().value();
  sleeping_until_ = 0;
  if (now >= reset_at_) carry_out_reset(now);
  if (now >= window_end_) begin_window(now);
  femtoseconds next = defers_crossings_ ? run_window(now) : run_in_order(now);
  for (const interval_observer* o : on_time_) next = std::min(next, std::max(o->interval_end(), now + 1));
  if (reset_pending()) next = std::min(next, reset_at_);
  if (calls_from_thread_ && sc_core::sc_time_stamp().value() != now)
    throw std::logic_error(time_order_reason_ +
                           ": a stage has waited for time to pass, and not only for delta cycles");
  instant_ends();
  sleeping_until_ = next;
  if (next != no_time) wake_event_.notify(sc_core::sc_time::from_value(next - now));
}

// What has crossed is handed over, and the clusters begin to run through the window that begins now.
void clocking::begin_window(femtoseconds now) {
  defers_crossings_ = false;
  hand_over();
  end_intervals(now);
  if (window_ == 0 || !may_run_alone()) return;
  defers_crossings_ = true;
  window_end_ = window_end(now + 1);
  for (const interval_observer* o : intervals_) window_end_ = std::min(window_end_, o->interval_end());
  window_end_ = std::min(window_end_, reset_at_);
  clusters_due_ = no_time;
  workers_->begin(window_end_);
}

void clocking::hand_over() {
  for (edge_driver* d : drivers_) d->hand_over();
}

void clocking::reset(std::function<void()> restore) {
  if (reset_pending()) return;
  const femtoseconds now = sc_core::sc_time_stamp().value();
  restore_ = std::move(restore);
  reset_at_ = window_ == 0 ? now + 1 : (now / window_ + 1) * window_;
  if (reference()) {
    reset_event_.notify(sc_core::sc_time::from_value(reset_at_ - now));
  } else if (failed_ || sleeping_until_ > reset_at_) {
    sleeping_until_ = reset_at_;
    wake_event_.notify(sc_core::sc_time::from_value(reset_at_ - now));
  }
}

// Before any stage at this edge: the event of a clock's signal comes a delta cycle later.
void clocking::reset_in_reference() {
  try {
    carry_out_reset(sc_core::sc_time_stamp().value());
  } catch (...) {
    report_exception();
  }
}

void clocking::carry_out_reset(femtoseconds now) {
  reset_at_ = no_time;
  if (workers_) workers_->restart();
  end_sleeping_call();
  ignores_wakes_ = reference();
  failed_ = false;
  defers_crossings_ = false;
  pause_requested_.store(false, std::memory_order_relaxed);
  window_end_ = std::min(window_end_, now);
  std::exchange(restore_, nullptr)();
  if (reference()) return;
  for (edge_driver* d : drivers_) d->restart(now);
  clusters_due_ = now;
}

// Executes the edges at `now` of the main driver. After the last ones in the window it waits for the clusters.
// Returns the time of the next edges of any driver.
femtoseconds clocking::run_window(femtoseconds now) {
  femtoseconds next = main_driver_.execute(now);
  if (next < window_end_) return next;
  // No cluster is due before the end of the window, whoever has been woken meanwhile.
  clusters_due_ = std::min(clusters_due_, workers_->finish());
  for (window_observer* o : window_observers_) o->window_ends();
  if (pause_requested_.exchange(false, std::memory_order_relaxed)) sc_core::sc_pause();
  next = std::min(next, std::max(clusters_due_, window_end_));
  for (const edge_driver* d : drivers_)
    if (d->has_crossings()) next = std::min(next, window_end_);
  return next;
}

// Executes the edges at `now` of all drivers and returns the time of the next ones.
femtoseconds clocking::run_in_order(femtoseconds now) {
  femtoseconds next = no_time;
  if (options_.audit) {
    for (edge_driver* d : drivers_) d->execute_audited(now);
    for (const edge_driver* d : drivers_)
      for (const clock_domain* domain : d->domains())
        next = std::min(next, (now / domain->period() + 1) * domain->period());
  } else {
    for (edge_driver* d : drivers_) d->execute(now);
    for (const edge_driver* d : drivers_) next = std::min(next, d->next_due());
  }
  return next;
}

void clocking::end_intervals(femtoseconds now) {
  for (interval_observer* o : intervals_)
    while (o->interval_end() <= now) o->interval_ends();
}

void clocking::reference_edge_begins(const clock_domain& domain) {
  end_intervals(domain.now());
  if (observers_.empty()) return;
  edge_begins(domain, nullptr);
  // Stages are called in the first delta cycle of an edge.
  instant_ends_event_.notify(sc_core::SC_ZERO_TIME);
}

void clocking::instant_ends() {
  observers_.notify([](instant_observer& o) { o.instant_ends(sc_core::sc_time_stamp().value()); });
}

bool clocking::wake(femtoseconds t) {
  // Only calls from outside run() reach this point: from a foreign process, or from the host program between two
  // runs of the simulation.
  const femtoseconds now = sc_core::sc_time_stamp().value();
  if (t <= now) return false;
  sleeping_until_ = t;
  wake_event_.notify(sc_core::sc_time::from_value(t - now));  // SystemC keeps only the earliest notification
  return true;
}

void clocking::begin_sleeping_call(const stage& s) {
  sleeper_ = &s;
  sleeper_woke_another_ = false;
  ignores_wakes_ = true;
}

bool clocking::end_sleeping_call() {
  sleeper_ = nullptr;
  ignores_wakes_ = false;
  return sleeper_woke_another_;
}

}  // namespace gt200::tlm_bus
