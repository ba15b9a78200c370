// Drives all clock domains of a chip from one SystemC process.
//
// `due` (fast): the process sleeps until the earliest edge of any domain at which a stage is due, and executes it.
// `reference`: every stage has its own SC_METHOD on a real sc_clock and is called at every edge. Both give the same
// cycles, and tests compare them. `audit`: due clocking that also calls the stages that are not due, and fails if
// one of them does anything. Wake-ups requested in these calls are ignored, so audit gives the same cycles too.
//
// The process runs once for every instant at which a stage is due, so sc_time_stamp() is right whenever a stage, an
// observer or a foreign component reads it. sc_start() ends when no stage is due and no foreign process has
// anything pending.
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "tlm_bus/clock_domain.h"
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

class clocking : public sc_core::sc_module {
 public:
  explicit clocking(const sc_core::sc_module_name& name, const clocking_options& options = {});
  ~clocking() override;

  const clocking_options& options() const { return options_; }
  bool reference() const { return options_.mode == clocking_options::way::reference; }

  // Number of edges executed with at least one due stage, for the speed report.
  std::uint64_t executed_edges() const { return executed_edges_; }

  tap<instant_observer>& observers() { return observers_; }

  // -- used by clock_domain and stage only --
  void edge_begins(const clock_domain& domain, const std::uint64_t* due) const {
    observers_.notify([&](instant_observer& o) { o.edge(domain, due); });
  }
  // Reference clocking: the first stage of the domain is called at this instant.
  void reference_edge_begins(const clock_domain& domain);
  void add(clock_domain& d) { domains_.push_back(&d); }
  void remove(const clock_domain& d);
  // A stage became due at absolute time t. Wakes the process if it sleeps beyond t. Returns false if t is in the
  // past.
  bool due_at(femtoseconds t) {
    if (t < earliest_) return false;
    return t >= sleeping_until_ || wake(t);
  }
  // True in reference clocking, and while the audit calls a sleeping stage.
  bool ignores_wakes() const { return ignores_wakes_; }
  void note_ignored_wake(const stage& s) { sleeper_woke_another_ |= sleeper_ != nullptr && sleeper_ != &s; }
  void begin_sleeping_call(const stage& s);
  // Returns true if the sleeping stage has made another one due.
  bool end_sleeping_call();
  bool is_asleep(const stage& s) const { return sleeper_ == &s; }

  const char* kind() const override { return "clocking"; }

 private:
  void run();
  void instant_ends();
  bool wake(femtoseconds t);
  void end_of_elaboration() override;

  clocking_options options_;
  std::vector<clock_domain*> domains_;
  femtoseconds earliest_ = 0;        // no stage can become due before this time
  femtoseconds sleeping_until_ = 0;  // 0 while run() executes: no wake-up is needed then
  bool ignores_wakes_;
  const stage* sleeper_ = nullptr;
  bool sleeper_woke_another_ = false;
  sc_core::sc_event wake_event_{"wake"};
  sc_core::sc_event instant_ends_event_{"instant_over"};  // reference clocking only
  tap<instant_observer> observers_;
  std::uint64_t executed_edges_ = 0;
};

}  // namespace gt200::tlm_bus
