#include "tlm_bus/clocking.h"

#include <algorithm>
#include <stdexcept>

#include "tlm_bus/stage.h"

namespace gt200::tlm_bus {

clocking::clocking(const sc_core::sc_module_name& name, const clocking_options& options)
    : sc_core::sc_module(name),
      options_(options),
      ignores_wakes_(options.mode == clocking_options::way::reference) {
  if (options_.audit && reference()) throw std::invalid_argument("audit goes with due clocking only");
  if (options_.stalls.per_1024 >= 1024) throw std::invalid_argument("stalls: per_1024 must be below 1024");
  if (sc_core::sc_get_time_resolution() != sc_core::sc_time(1, sc_core::SC_FS))
    throw std::logic_error("the time resolution must be 1 fs before the chip is constructed");
  if (!reference()) {
    using SC_CURRENT_USER_MODULE = clocking;
    SC_METHOD(run);
    sensitive << wake_event_;
  } else {
    using SC_CURRENT_USER_MODULE = clocking;
    SC_METHOD(instant_ends);
    sensitive << instant_ends_event_;
    dont_initialize();
  }
}

clocking::~clocking() = default;

void clocking::remove(const clock_domain& d) {
  domains_.erase(std::remove(domains_.begin(), domains_.end(), &d), domains_.end());
}

void clocking::end_of_elaboration() {
  if (options_.shuffle_seed == 0 || domains_.empty()) return;
  std::uint64_t seed = options_.shuffle_seed;
  for (auto* d : domains_) d->shuffle(seed++);
  // Results must not depend on the order in which coincident edges of different domains are executed, either.
  std::rotate(domains_.begin(),
              domains_.begin() + static_cast<std::ptrdiff_t>(options_.shuffle_seed % domains_.size()),
              domains_.end());
}

void clocking::run() {
  const femtoseconds now = sc_core::sc_time_stamp().value();
  sleeping_until_ = 0;
  earliest_ = now + 1;
  femtoseconds next = no_time;
  if (options_.audit) {
    for (auto* d : domains_)
      if (now % d->period() == 0) {
        d->execute_audited(now / d->period());
        ++executed_edges_;
      }
    for (const auto* d : domains_) next = std::min(next, (now / d->period() + 1) * d->period());
  } else {
    for (auto* d : domains_) {
      const cycle_t due = d->next_due();
      if (due != no_cycle && due * d->period() == now) {
        d->execute(due);
        ++executed_edges_;
      }
    }
    for (const auto* d : domains_) {
      const cycle_t due = d->next_due();
      if (due != no_cycle) next = std::min(next, due * d->period());
    }
  }
  instant_ends();
  sleeping_until_ = next;
  if (next != no_time) wake_event_.notify(sc_core::sc_time::from_value(next - now));
}

void clocking::reference_edge_begins(const clock_domain& domain) {
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
  // runs.
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
