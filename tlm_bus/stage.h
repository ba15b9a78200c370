// Base of every clocked module.
//
// A stage is an sc_module with sockets and a tick(). It owns no process: its clock domain calls tick() at the edges
// at which the stage is due. Reference clocking calls tick() at every edge, so tick() must do nothing if there is
// no work. Due clocking calls it only at due edges, so the stage must make itself due whenever there is work. Pipes
// and memory ports make their owner due when a token becomes visible, when tokens remain after a pop, and when a
// credit arrives that the stage lacked. For everything else the stage calls wake_*(). In a constructor cycle() is
// 0, and wake_at(0) makes the stage due at the very first edge.
//
// cycle() and now() are right while a stage of the same domain is being called. A domain without work stands still.
// So code that runs on behalf of someone else (a transport or interface call from another domain, a foreign
// process, the host program) must not use them; it uses wake_after() and wake_from_outside().
#pragma once

#include <cstdint>
#include <systemc>

#include "tlm_bus/clock_domain.h"

namespace gt200::tlm_bus {

// What a clock edge needs of a stage, the pointer to its virtual functions included, in one line of the host's
// cache: SystemC's own members are not touched. It is the first base of a stage, so tick() is called without a
// correction of `this`.
class alignas(64) clocked {
 public:
  // One clock edge. Only the clock domain calls this.
  virtual void tick() = 0;

 protected:
  clocked(clock_domain& domain, const clock_domain::place& place) : domain_(domain), place_(place) {}
  ~clocked() = default;

  clock_domain& domain_;
  clock_domain::place place_;
  std::uint64_t activity_ = 0;
  std::uint64_t occupied_ = 0;  // inputs that hold a token, of those that are shown here (pipe_in::show_occupied())
  std::uint64_t arrived_ = 0;   // of them, those where one may have come since the stage cleared the bit
};

class state_image;

class stage : public clocked, public sc_core::sc_module {
 public:
  stage(const sc_core::sc_module_name& name, clock_domain& domain);

  clock_domain& domain() const { return domain_; }
  cycle_t cycle() const { return domain_.cycle(); }
  femtoseconds now() const { return domain_.now(); }

  // Makes the stage due at edge `at` of its clock. `at` must lie after the edge being executed (otherwise
  // std::logic_error). no_cycle means never.
  void wake_at(cycle_t at) { domain_.schedule(place_, at); }
  void wake_next() { domain_.schedule_next(place_); }
  // Makes the stage due at the first edge of its clock strictly after the current edge of `cause`. For state of
  // this stage that another stage changes through a port.
  void wake_after(const clock_domain& cause) {
    if (&cause == &domain_)
      wake_next();
    else
      wake_after_other(cause);
  }
  // Makes the stage due at the first edge of its clock strictly after the present, whoever calls. For changes by a
  // foreign process or the host program (a register written by b_transport). Slower than the other functions.
  void wake_from_outside();
  // Makes the stage due `extra` edges after its edge `first`, the first edge strictly after the current instant.
  void wake_on_edge(cycle_t first, cycle_t extra) { domain_.schedule_later(place_, first, extra); }

  // True while the audit calls this stage although it is not due. Wake-ups are ignored then. The stage must not
  // enter a list of waiters either, or the audit could not detect a forgotten wake-up. See
  // clocking_options::audit.
  bool asleep() const;

  // Counts an activity: any effect of a stage outside itself. The audit compares this number before and after a
  // tick that was not due. Pipes and ports count by themselves; commands of port interfaces count for their caller.
  void note_activity() { ++activity_; }
  std::uint64_t activity() const { return activity_; }

  // See resettable.h. A stage without its own says that it cannot be reset.
  virtual void visit_state(state_image& state);

  // -- used by pipes only --
  void input_occupied(unsigned bit) { occupied_ |= std::uint64_t{1} << bit; }
  void input_empty(unsigned bit) { occupied_ &= ~(std::uint64_t{1} << bit); }
  void input_arrived(unsigned bit) { arrived_ |= std::uint64_t{1} << bit; }
  std::uint64_t occupied_inputs() const { return occupied_; }

  // -- used by clock_domain only --
  const clock_domain::place& wheel_place() const { return place_; }
  void set_wheel_place(const clock_domain::place& p) { place_ = p; }

  const char* kind() const override { return "stage"; }

 private:
  void wake_after_other(const clock_domain& cause);
  void reference_tick();
};

}  // namespace gt200::tlm_bus
