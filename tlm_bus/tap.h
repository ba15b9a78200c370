// The point where observers attach to a socket, a module or the clocking.
//
// Without observers there is no list, so an event that nobody observes costs one null check. With GT200_NO_TAPS
// (CMake: GT200_TAPS=OFF) even that check is left out and nothing can be observed; the cost of taps is measured
// against such a build.
//
// An observer asks for an order of events when it attaches. As long as one of them asks for the order of time, the
// chip runs in that order, so that an observer of several parts sees their events in it (clocking.h).
#pragma once

#include <algorithm>
#include <cstdint>
#include <forward_list>
#include <memory>
#include <vector>

namespace gt200::tlm_bus {

// What an observer asks for.
enum class event_order : std::uint8_t {
  of_time,    // the events of the whole chip come in the order of time
  of_cluster  // those of a cluster do, on the thread that runs it; other clusters may be ahead or behind by a
              // window
};

// The observers attached to all taps of the process that ask for the order of time.
class observer_count {
 public:
  static unsigned value() { return value_; }

 private:
  template <class Observer>
  friend class tap;
  static inline unsigned value_ = 0;  // changes only while no driver runs by itself
};

template <class Observer>
class tap {
 public:
  tap() = default;
  tap(const tap&) = delete;
  tap& operator=(const tap&) = delete;
  ~tap() { observer_count::value_ -= counted_; }

#ifdef GT200_NO_TAPS
  static constexpr bool empty() { return true; }
#else
  bool empty() const { return observers_ == nullptr; }
#endif
  // Keeps `bit` of `flags` set while there are observers. A caller that tests several flags at once, or reads their
  // line of the host's cache anyway, need not touch the tap. `flags` must outlive the last attachment.
  void show_in(std::uint8_t& flags, std::uint8_t bit) {
    shown_.push_front({&flags, bit});
    show(!empty());
  }
  // Observers are notified in the order in which they were attached. Neither function may be called during a
  // notification.
  void attach(Observer& observer, event_order order = event_order::of_time) {
    if (observers_ == nullptr) observers_ = std::make_unique<std::vector<attached>>();
    observers_->push_back({&observer, order});
    show(!empty());
    if (order == event_order::of_cluster) return;
    ++counted_;
    ++observer_count::value_;
  }
  // For a counter that belongs to the module with the tap. It is never detached.
  void attach_counter(Observer& counter) { attach(counter, event_order::of_cluster); }
  // Does nothing if the observer is not attached.
  void detach(Observer& observer) {
    if (observers_ == nullptr) return;
    const auto is_it = [&observer](const attached& a) { return a.observer == &observer; };
    for (const attached& a : *observers_) {
      if (!is_it(a) || a.order == event_order::of_cluster) continue;
      --counted_;
      --observer_count::value_;
    }
    observers_->erase(std::remove_if(observers_->begin(), observers_->end(), is_it), observers_->end());
    if (!observers_->empty()) return;
    observers_.reset();
    show(false);
  }
  // Calls action(observer) for each observer.
  template <class Action>
  void notify(Action action) const {
    if (!empty()) notify_all(action);
  }

 private:
  struct attached {
    Observer* observer;
    event_order order;
  };
  template <class Action>
  [[gnu::noinline]] void notify_all(Action& action) const {
    for (const attached& a : *observers_) action(*a.observer);
  }
  struct shown_bit {
    std::uint8_t* flags;
    std::uint8_t bit;
  };
  void show(bool observed) {
    for (const shown_bit& s : shown_)
      *s.flags = static_cast<std::uint8_t>(observed ? *s.flags | s.bit : *s.flags & ~s.bit);
  }

  std::unique_ptr<std::vector<attached>> observers_;
  std::forward_list<shown_bit> shown_;
  unsigned counted_ = 0;  // of them, those in observer_count
};

}  // namespace gt200::tlm_bus
