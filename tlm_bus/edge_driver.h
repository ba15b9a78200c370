// Calls the stages of a set of clock domains at their edges, in the order of time.
//
// A clocking has a main driver for the parts of the chip that see SystemC's time. A cluster of parts may have a
// driver of its own, with its own clock domains. All that leaves the cluster must cross a border (border.h). Within
// a window (clocking.h) the driver of a cluster then runs by itself.
#pragma once

#include <cstdint>
#include <vector>

#include "tlm_bus/clock_domain.h"
#include "tlm_bus/crossing.h"
#include "tlm_bus/time.h"

namespace gt200::tlm_bus {

class clocking;

class edge_driver {
 public:
  // `owner` must outlive the driver.
  explicit edge_driver(clocking& owner);
  ~edge_driver();
  edge_driver(const edge_driver&) = delete;
  edge_driver& operator=(const edge_driver&) = delete;

  clocking& owner() const { return owner_; }
  // The time of the edges being executed; outside of that SystemC's time.
  femtoseconds now() const;
  // True while its stages are called by it.
  bool running() const { return running_; }

  // -- used by clock_domain, borders and clocking only --
  // True while stages are called at an instant before t, and not by an audit: then any stage may become due at t.
  bool calls_before(femtoseconds t) const { return calling_ && now_ < t; }
  void add(clock_domain& d);
  void remove(const clock_domain& d);
  void rotate_domains(std::uint64_t steps);
  const std::vector<clock_domain*>& domains() const { return domains_; }
  // A stage became due at absolute time t. Returns false if t is in the past.
  bool due_at(femtoseconds t) { return t >= earliest_ && (running_ || wake(t)); }
  // The time of the next edge at which a stage is due; no_time if there is none.
  femtoseconds next_due() const;
  // Executes the due edges at time `now`, and returns next_due().
  femtoseconds execute(femtoseconds now);
  // The same for every domain that has an edge at `now`, and calls every stage. See clocking_options::audit.
  void execute_audited(femtoseconds now);
  // Executes all due edges before time `end`, which is not before an edge executed so far. Returns next_due().
  femtoseconds run_until(femtoseconds end);
  // `c` has an entry that is not handed over.
  void crossed(crossing& c);
  // True if something waits to be handed over.
  bool has_crossings() const { return !outbox_.empty(); }
  void hand_over();
  // Forgets what has crossed, and restarts its domains.
  void restart(femtoseconds t);
  std::uint64_t executed_edges() const { return executed_edges_; }

 private:
  bool wake(femtoseconds t);
  // Executes the due edges before time `end`. Returns next_due().
  femtoseconds execute_before(femtoseconds end);

  clocking& owner_;
  std::vector<clock_domain*> domains_;
  bool running_ = false;
  bool calling_ = false;         // it runs, and no audit does
  femtoseconds now_ = 0;         // while it runs
  femtoseconds earliest_ = 0;    // no stage can become due before this time
  std::vector<crossing*> outbox_;
  std::uint64_t executed_edges_ = 0;
};

}  // namespace gt200::tlm_bus
