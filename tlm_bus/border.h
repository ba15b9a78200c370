// The border between two edge drivers (edge_driver.h): what a connection across it needs besides its two ends.
//
// A connection becomes a border by itself if its ends are bound to each other and belong to different drivers. What
// is sent over it is kept in a crossing_queue and takes effect at the other side after the latency of the
// connection, which is at least one window. A credit takes effect one window after it was returned, so a queue
// carries one entry per cycle if its depth covers the latency and the window.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "tlm_bus/crossing.h"
#include "tlm_bus/edge_driver.h"
#include "tlm_bus/stage.h"
#include "tlm_bus/state_image.h"

namespace gt200::tlm_bus {

// Receives what has crossed.
template <class T>
class crossing_target {
 public:
  virtual void arrived(femtoseconds sent_at, const T& entry) = 0;

 protected:
  ~crossing_target() = default;
};

template <class T>
class crossing_queue final : public crossing {
 public:
  // `from`: the driver of the sending side. At most `entries` are kept without an allocation.
  crossing_queue(edge_driver& from, crossing_target<T>& to, std::size_t entries) : from_(from), to_(to) {
    kept_.reserve(entries);
  }
  void send(femtoseconds at, const T& entry) {
    kept_.emplace_back(at, entry);
    from_.crossed(*this);
  }
  std::size_t kept() const { return kept_.size(); }
  void visit_state(state_image& state) {
    state.at_reset([this] { kept_.clear(); });
  }
  void hand_over() override {
    for (const auto& [at, entry] : kept_) to_.arrived(at, entry);
    kept_.clear();
  }

 private:
  edge_driver& from_;
  crossing_target<T>& to_;
  std::vector<std::pair<femtoseconds, T>> kept_;
};

struct credit {};

// The credits of the sending side of a border.
class border_credits final : public crossing_target<credit> {
 public:
  // `count`: slots of the receiver's queue.
  border_credits(stage& owner, unsigned count);

  // True if a credit is visible in this cycle. Otherwise the owner becomes due when one may be.
  bool available();
  unsigned visible();
  void take();  // a visible one
  // Replaces all of them by `count` visible ones, at most as many as there are slots.
  void set(unsigned count);
  // Those not in use for an entry, visible or not, as far as they have been handed over.
  unsigned held() const { return visible_ + under_way_; }
  void visit_state(state_image& state) { state(visible_, visible_at_, head_, under_way_, wanted_); }

 private:
  void arrived(femtoseconds returned_at, const credit&) override;
  void see(cycle_t cycle);

  stage& owner_;
  unsigned visible_;
  std::vector<cycle_t> visible_at_;  // ring of the credits under way
  unsigned head_ = 0;
  unsigned under_way_ = 0;
  bool wanted_ = false;
};

// Throws std::logic_error with `name` if what is sent in a window could be visible before its end: an entry is
// visible `latency` cycles of `receiver` after it was sent.
void require_window(const char* name, const clock_domain& sender, const clock_domain& receiver, cycle_t latency);

// A foreign component is bound to this end of a connection and might call across a border in zero time. So a
// cluster with such an end does not run by itself (clocking::keep_time_order).
void note_foreign_end(const sc_core::sc_object& end, const stage& owner);

}  // namespace gt200::tlm_bus
