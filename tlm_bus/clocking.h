// Drives all clock domains of a chip from one SystemC process: a method, or a thread if a stage has to wait for
// delta cycles.
//
// `due` (fast): the process sleeps until the earliest edge of any domain at which a stage is due, and executes it.
// `reference`: every stage has its own SC_METHOD on a real sc_clock and is called at every edge. Both give the same
// cycles, and tests compare them. `audit`: due clocking that also calls the stages that are not due, and fails if
// one of them does anything. Wake-ups requested in these calls are ignored, so audit gives the same cycles too.
//
// The process runs once for every instant at which a stage of the main driver is due, so sc_time_stamp() is right
// whenever such a stage, an observer or a foreign component reads it. sc_start() ends when no stage is due and no
// foreign process has anything pending.
//
// Clusters of parts may have drivers of their own (edge_driver.h). Everything that crosses the border of a cluster
// takes at least one window. So in due clocking a cluster runs by itself to the end of the window, before the main
// driver has executed the edges of that window, and then what has crossed is handed over. This changes no cycle.
// Windows end at the multiples of their length; end_window_at() and interval observers shorten them. A window in
// which no cluster is due costs nothing. While something is observed in the order of time (tap.h), and in audit and
// reference clocking, all drivers run together in that order, and what crosses is handed over at once.
//
// With several threads the clusters run through a window on threads of their own, while the main driver executes
// the edges of the same window. The number of threads changes nothing but the time on the host. An exception from a
// cluster is thrown when the window ends, with one thread as well.
//
// Whoever looks at clusters between two calls of sc_start() must stop at the end of a window: see window_end().
#pragma once

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "tlm_bus/clock_domain.h"
#include "tlm_bus/cluster_workers.h"
#include "tlm_bus/edge_driver.h"
#include "tlm_bus/resettable.h"
#include "tlm_bus/stall_injection.h"
#include "tlm_bus/tap.h"
#include "tlm_bus/time.h"

namespace gt200::tlm_bus {

struct clocking_options {
  enum class way { due, reference };
  way mode = way::due;
  bool audit = false;              // only with `due`
  std::uint64_t shuffle_seed = 0;  // 0 = construction order
  stall_injection stalls;
  unsigned threads = 1;             // that run clusters, SystemC's own among them; at least 1
  bool share_every_window = false;  // among the threads, even if that does not pay; for tests
  // While the process waits for foreign ones, the simulation pauses when this becomes non-zero; a signal handler
  // may set it. Not owned; may be null.
  const volatile std::sig_atomic_t* stop = nullptr;
};

// Is notified at every instant at which stages are called. Attached from outside; must not influence the model.
class instant_observer {
 public:
  virtual ~instant_observer() = default;
  // The stages of `domain` that are due at its current edge are about to be called. Bit p of `due` stands for
  // domain.call_order()[p]; null: all of them.
  virtual void edge(const clock_domain& domain, const std::uint64_t* due) = 0;
  // All stages that were due at this instant, in all domains, have been called.
  virtual void instant_ends(femtoseconds now) = 0;
};

// Is notified of the ends of intervals of its own choice. Unlike an instant_observer it does not ask for the order
// of time: windows end where an interval ends.
class interval_observer {
 public:
  virtual ~interval_observer() = default;
  virtual femtoseconds interval_end() const = 0;  // of the present interval
  // Everything before interval_end() has been executed, and nothing at or after it. The next interval begins.
  virtual void interval_ends() = 0;
};

// Is notified at the end of every window in which drivers have run by themselves: all have come to its end, and
// none runs. What has crossed is not handed over yet.
class window_observer {
 public:
  virtual ~window_observer() = default;
  virtual void window_ends() = 0;
};

class clocking : public sc_core::sc_module, public resettable {
 public:
  // `window`: length of the windows; 0 if there is no driver but the main one.
  explicit clocking(const sc_core::sc_module_name& name, const clocking_options& options = {},
                    femtoseconds window = 0);
  ~clocking() override;

  const clocking_options& options() const { return options_; }
  bool reference() const { return options_.mode == clocking_options::way::reference; }

  // Number of edges executed with at least one due stage, for the speed report.
  std::uint64_t executed_edges() const;

  tap<instant_observer>& observers() { return observers_; }
  void attach(interval_observer& observer) { intervals_.push_back(&observer); }
  // The same; and SystemC's time comes to the end of every interval, even if no stage is due then. For observers
  // that make stages due. Not for reference clocking.
  void attach_on_time(interval_observer& observer) {
    attach(observer);
    on_time_.push_back(&observer);
  }
  void detach(interval_observer& observer);
  // Does not ask for the order of time.
  void attach(window_observer& observer) { window_observers_.push_back(&observer); }
  void detach(window_observer& observer);

  edge_driver& main_driver() { return main_driver_; }
  femtoseconds window() const { return window_; }
  // The first end of a window at or after time t, which is not before the present; interval observers do not count.
  // The state of all drivers belongs to the same time there, whether or not they have run by themselves.
  femtoseconds window_end(femtoseconds t) const;
  // One window more ends at time t, at or after the end of the present one. Replaces the time of the last call;
  // no_time takes it back.
  void end_window_at(femtoseconds t) { extra_end_ = t; }
  // From now on all drivers run together in the order of time, because of `reason`: a connection that crosses a
  // border in zero time, say.
  void keep_time_order(const std::string& reason);
  // The same, and a SystemC thread calls the stages in place of a method, so that they may wait for delta cycles.
  // Other processes run meanwhile, at the same time. Before the simulation; not with reference clocking, where it
  // throws std::logic_error.
  void call_from_thread(const std::string& reason);
  bool calls_from_thread() const { return calls_from_thread_; }
  // The first reason given; empty if there is none.
  const std::string& time_order_reason() const { return time_order_reason_; }
  // Ends this call of sc_start() as sc_pause() does, while drivers run by themselves when all have come to the end
  // of the window. May be called by a stage of any driver.
  void pause() {
    if (defers_crossings_)
      pause_requested_.store(true, std::memory_order_relaxed);
    else
      sc_core::sc_pause();
  }
  // Hands over what has crossed in the last window, so that whoever looks at queues sees it. Between two runs of
  // the simulation; otherwise the next window does so.
  void hand_over();
  // Waits until no cluster runs. Needed before parts of the chip are destroyed in the middle of a window; at the
  // end of a window none runs.
  void park() {
    if (workers_) workers_->park();
  }
  // A reset: `restore` is called at the first multiple of the window (without a window: at the first instant) after
  // the present, when everything before it has been executed and nothing at or after it. Then no stage is due any
  // more, but all of them are once, at their first edge from there. A chip that an error has stopped goes on. May
  // be called by any process and between two runs of the simulation; a second call before then changes nothing.
  void reset(std::function<void()> restore);
  bool reset_pending() const { return reset_at_ != no_time; }
  // Windows that several threads have shared so far.
  std::uint64_t shared_windows() const { return workers_ ? workers_->shared_windows() : 0; }
  // Zeros if there are no clusters.
  cluster_workers::host_cost cost_of_clusters() const {
    return workers_ ? workers_->cost() : cluster_workers::host_cost();
  }

  // True while drivers run by themselves: what crosses is kept until the end of the window.
  bool defers_crossings() const { return defers_crossings_; }

  // -- used by edge_driver, clock_domain and stage only --
  void add(edge_driver& d) { drivers_.push_back(&d); }
  void remove(const edge_driver& d);
  bool is_observed() const { return !observers_.empty(); }
  void edge_begins(const clock_domain& domain, const std::uint64_t* due) const {
    observers_.notify([&](instant_observer& o) { o.edge(domain, due); });
  }
  // Reference clocking: the first stage of the domain is called at this instant.
  void reference_edge_begins(const clock_domain& domain);
  // A stage became due at absolute time t, and its driver does not run. Wakes the process if it sleeps beyond t.
  // Returns false if t is in the past.
  bool due_at(femtoseconds t) {
    clusters_due_ = std::min(clusters_due_, t);
    return t >= sleeping_until_ || wake(t);
  }
  // True in reference clocking, and while the audit calls a sleeping stage.
  bool ignores_wakes() const { return ignores_wakes_; }
  void note_ignored_wake(const stage& s) { sleeper_woke_another_ |= sleeper_ != nullptr && sleeper_ != &s; }
  void begin_sleeping_call(const stage& s);
  // Returns true if the sleeping stage has made another one due.
  bool end_sleeping_call();
  bool is_asleep(const stage& s) const { return sleeper_ == &s; }

  void visit_state(state_image&) override {}  // see carry_out_reset()
  const char* kind() const override { return "clocking"; }

 private:
  void run();
  void run_in_method();
  void run_in_thread();
  void come_to_rest();
  void wait_among_foreign_processes();
  void count_foreign_instant();
  void run_instant();
  void begin_window(femtoseconds now);
  femtoseconds run_window(femtoseconds now);
  femtoseconds run_in_order(femtoseconds now);
  bool may_run_alone() const;
  void end_intervals(femtoseconds now);
  void instant_ends();
  void reset_in_reference();
  void carry_out_reset(femtoseconds now);
  bool wake(femtoseconds t);
  void end_of_elaboration() override;
  void shuffle();

  clocking_options options_;
  femtoseconds window_;
  std::vector<edge_driver*> drivers_;  // the main one first, then those of the clusters
  edge_driver main_driver_{*this};
  femtoseconds sleeping_until_ = 0;  // 0 while run() executes: no wake-up is needed then
  bool failed_ = false;              // an error has been reported: the chip stands still
  bool ignores_wakes_;
  bool calls_from_thread_ = false;
  // Instants at which only foreign processes have been active, and the time of the first one that counts.
  unsigned foreign_instants_ = 0;
  femtoseconds foreign_instants_from_ = 0;
  bool defers_crossings_ = false;
  std::atomic<bool> pause_requested_{false};
  femtoseconds window_end_ = 0;  // of the present window
  femtoseconds extra_end_ = no_time;
  femtoseconds clusters_due_ = no_time;  // no cluster is due before
  femtoseconds reset_at_ = no_time;
  std::function<void()> restore_;
  std::string time_order_reason_;
  const stage* sleeper_ = nullptr;
  bool sleeper_woke_another_ = false;
  sc_core::sc_event wake_event_{"wake"};
  sc_core::sc_event instant_ends_event_{"instant_over"};  // reference clocking only
  sc_core::sc_event reset_event_{"reset"};                // the same
  tap<instant_observer> observers_;
  std::vector<interval_observer*> intervals_;
  std::vector<interval_observer*> on_time_;  // those of them that are called on time
  std::vector<window_observer*> window_observers_;
  std::unique_ptr<cluster_workers> workers_;  // null if there are no clusters
};

}  // namespace gt200::tlm_bus
