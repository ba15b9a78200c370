// The point where observers attach to a socket, a module or the clocking.
//
// Without observers there is no list, so an event that nobody observes costs one null check. With GT200_NO_TAPS
// (CMake: GT200_TAPS=OFF) even that check is left out and nothing can be observed; the cost of taps is measured
// against such a build.
//
// While anything is observed, the chip runs in the order of time, so that an observer of several parts sees their
// events in that order (clocking.h). Counters of the model that use a tap of their own module do not ask for this.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

namespace gt200::tlm_bus {

// The observers attached to all taps of the process.
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
  // Observers are notified in the order in which they were attached. Neither function may be called during a
  // notification.
  void attach(Observer& observer) {
    add(observer);
    ++counted_;
    ++observer_count::value_;
  }
  // For a counter that belongs to the module with the tap. It is never detached.
  void attach_counter(Observer& counter) { add(counter); }
  // Does nothing if the observer is not attached.
  void detach(Observer& observer) {
    if (observers_ == nullptr) return;
    const auto removed = std::remove(observers_->begin(), observers_->end(), &observer);
    const auto count = static_cast<unsigned>(observers_->end() - removed);
    observers_->erase(removed, observers_->end());
    counted_ -= count;
    observer_count::value_ -= count;
    if (observers_->empty()) observers_.reset();
  }
  // Calls action(observer) for each observer.
  template <class Action>
  void notify(Action action) const {
    if (!empty()) notify_all(action);
  }

 private:
  void add(Observer& observer) {
    if (observers_ == nullptr) observers_ = std::make_unique<std::vector<Observer*>>();
    observers_->push_back(&observer);
  }
  template <class Action>
  [[gnu::noinline]] void notify_all(Action& action) const {
    for (Observer* observer : *observers_) action(*observer);
  }
  std::unique_ptr<std::vector<Observer*>> observers_;
  unsigned counted_ = 0;  // of them, those in observer_count
};

}  // namespace gt200::tlm_bus
