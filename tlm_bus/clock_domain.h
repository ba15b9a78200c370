// One clock of the chip and the stages that it drives.
//
// In `due` clocking the domain has a timing wheel for the next 64 edges, with one bit per stage that is due, and a
// heap for later edges. An edge without due stages costs nothing. In `reference` clocking the wheel is unused, and
// an SC_METHOD on a real sc_clock calls every stage at every edge.
//
// The domain is also the local time of its stages: cycle() and now() belong to the edge being executed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <systemc>
#include <utility>
#include <vector>

#include "tlm_bus/time.h"

namespace gt200::tlm_bus {

class clocked;
class clocking;
class edge_driver;
class stage;

class clock_domain : public sc_core::sc_object {
 public:
  // `period` > 0. The domain registers itself with `driver`, which must outlive it; with a clocking, that is its
  // main driver.
  clock_domain(const char* name, femtoseconds period, edge_driver& driver);
  clock_domain(const char* name, femtoseconds period, clocking& owner);
  ~clock_domain() override;

  femtoseconds period() const { return period_; }
  // The edge being executed. Between edges: the last executed one, which may be long ago.
  cycle_t cycle() const { return cycle_; }
  femtoseconds now() const { return now_; }
  edge_driver& driver() const { return driver_; }

  // Number of the first edge strictly after time t.
  cycle_t first_edge_after(femtoseconds t) const { return t / period_ + 1; }
  // Number of the first edge of this domain strictly after the current time of another domain. Times cross from one
  // clock to another here, for example the time at which a pipe has sent a token. Divides only if this domain has
  // been idle for long.
  cycle_t first_edge_after_now_of(const clock_domain& other) const {
    const femtoseconds ahead = other.now_ - now_;  // wraps to a large number if this domain is ahead
    if (ahead < 2 * period_) return cycle_ + 1 + (ahead < period_ ? 0 : 1);
    return first_edge_after(other.now_);
  }

  // -- used by stage and edge_driver only --
  // The position of a stage's bits in the wheel.
  struct place {
    unsigned index = 0;      // order of construction
    unsigned first = 0;      // its word of the wheel's slot 0; those of the next slots follow
    unsigned word = 0;       // its word of a slot
    std::uint64_t mask = 0;  // the bit in these words
  };
  place add(stage& s);
  // Makes the stage due at edge `at`, which must lie after the current instant. Idempotent.
  void schedule(const place& p, cycle_t at) {
    // Nearly all calls come from a stage of this domain during its tick and name one of the next edges. Then the
    // edge cannot be in the past, and no process needs waking.
    if (active_ && at - cycle_ - 1 < wheel_size - 1)
      mark(p, at % wheel_size);
    else
      schedule_checked(p, at);
  }
  // The same for the edge after the present one: nearly always for a stage of this domain during a tick.
  void schedule_next(const place& p) {
    if (active_)
      next_[p.word] |= p.mask;
    else
      schedule_checked(p, cycle_ + 1);
  }
  // The same for edge `first + extra`, where `first` is the first edge strictly after the current instant. For
  // callers that may be stages of other domains.
  void schedule_later(const place& p, cycle_t first, cycle_t extra);
  // Advances the wheel's origin to edge `at`, so that the wheel covers the 64 edges from there.
  void advance_origin(cycle_t at) {
    if (at > origin_) origin_ = at;
  }
  // The next edge at which a stage is due; no_cycle if there is none.
  cycle_t next_due() const {
    if (occupied_ == 0) return next_far_;
    const unsigned shift = origin_ % wheel_size;
    const std::uint64_t turned = (occupied_ >> shift) | (occupied_ << ((wheel_size - shift) % wheel_size));
    return std::min(next_far_, origin_ + static_cast<cycle_t>(__builtin_ctzll(turned)));
  }
  // Its time; no_time if there is none. Not while its stages are called.
  femtoseconds next_due_time() const { return next_due_time_; }
  // Executes edge `at`: calls the due stages.
  void execute(cycle_t at);
  // Executes edge `at` and calls every stage. Fails if a stage that was not due acts. See clocking_options::audit.
  void execute_audited(cycle_t at);
  void set_edge(cycle_t at) {
    cycle_ = at;
    now_ = at * period_;
    advance_origin(at);
  }
  // Reference clocking: brings cycle() to the current SystemC time.
  void follow_systemc_time();
  sc_core::sc_clock& reference_clock() { return *reference_clock_; }
  // After a reset at time t: every stage is due at the first edge at or after t, and nowhere else.
  void restart(femtoseconds t);
  // Permutes the order in which stages are called within an edge; results must not depend on this order.
  void shuffle(std::uint64_t seed);

  const std::vector<stage*>& stages() const { return stages_; }
  const std::vector<stage*>& call_order() const { return call_order_; }
  const char* kind() const override { return "clock_domain"; }

 private:
  static constexpr unsigned wheel_size = 64;

  void mark(const place& p, unsigned slot) {
    slots_[p.first + slot] |= p.mask;
    occupied_ |= std::uint64_t{1} << slot;
  }
  void schedule_checked(const place& p, cycle_t at);
  static place place_at(unsigned index, unsigned position);
  // Starts edge `at`: moves its entries from the heap to the wheel and returns the slot.
  [[gnu::always_inline]] unsigned open_edge(cycle_t at) {
    set_edge(at);
    const unsigned slot = at % wheel_size;
    if (next_far_ == at) near_from_heap(at, slot);
    occupied_ &= ~(std::uint64_t{1} << slot);
    return slot;
  }
  // Moves the bits of one word of next_ to the slot of edge `at`.
  void move_next(std::size_t word, cycle_t at) {
    const unsigned slot = at % wheel_size;
    if (next_[word] == 0) return;
    slots_[word * wheel_size + slot] |= next_[word];
    next_[word] = 0;
    occupied_ |= std::uint64_t{1} << slot;
  }
  // All stages of edge `at` have been called.
  [[gnu::always_inline]] void close_edge(cycle_t at) {
    move_next(0, at + 1);
    if (slots_.size() != wheel_size) move_more_next(at + 1);
    find_next_due();
  }
  void move_more_next(cycle_t at);
  void find_next_due() {
    const cycle_t due = next_due();
    next_due_time_ = due == no_cycle ? no_time : due * period_;
  }
  void near_from_heap(cycle_t at, unsigned slot);
  void tell_of_edge(unsigned slot) const;
  [[noreturn]] void refuse_wake(const place& p, cycle_t at) const;

  bool active_ = false;  // a due stage of this domain is being called
  cycle_t cycle_ = 0;
  femtoseconds now_ = 0;
  // wheel_size words for each 64 stages
  std::vector<std::uint64_t> slots_ = std::vector<std::uint64_t>(wheel_size);
  std::uint64_t occupied_ = 0;  // bit s = slot s is not empty
  // While stages are called: those that are due at the edge after the present one besides those in its slot.
  std::vector<std::uint64_t> next_ = std::vector<std::uint64_t>(1);
  cycle_t origin_ = 0;           // every due edge in the wheel lies in [origin_, origin_ + 63]
  cycle_t next_far_ = no_cycle;  // the first edge of far_
  femtoseconds next_due_time_ = no_time;

  femtoseconds period_;
  edge_driver& driver_;
  clocking& clocking_;                             // of the driver
  std::vector<stage*> stages_;                     // by index
  std::vector<stage*> call_order_;                 // by position; bit p of a slot = stage call_order_[p] is due
  std::vector<clocked*> called_;                   // the same stages
  std::vector<std::pair<cycle_t, unsigned>> far_;  // min-heap of (edge, index) beyond the wheel
  std::unique_ptr<sc_core::sc_clock> reference_clock_;  // reference clocking only
};

}  // namespace gt200::tlm_bus
