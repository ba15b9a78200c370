// The point where observers attach to a socket, a module or the clocking.
//
// Without observers there is no list, so an event that nobody observes costs one null check. With GT200_NO_TAPS
// (CMake: GT200_TAPS=OFF) even that check is left out and nothing can be observed; the cost of taps is measured
// against such a build.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

namespace gt200::tlm_bus {

template <class Observer>
class tap {
 public:
#ifdef GT200_NO_TAPS
  static constexpr bool empty() { return true; }
#else
  bool empty() const { return observers_ == nullptr; }
#endif
  // Observers are notified in the order in which they were attached. Neither function may be called during a
  // notification.
  void attach(Observer& observer) {
    if (observers_ == nullptr) observers_ = std::make_unique<std::vector<Observer*>>();
    observers_->push_back(&observer);
  }
  // Does nothing if the observer is not attached.
  void detach(Observer& observer) {
    if (observers_ == nullptr) return;
    observers_->erase(std::remove(observers_->begin(), observers_->end(), &observer), observers_->end());
    if (observers_->empty()) observers_.reset();
  }
  // Calls action(observer) for each observer.
  template <class Action>
  void notify(Action action) const {
    if (!empty()) notify_all(action);
  }

 private:
  template <class Action>
  [[gnu::noinline]] void notify_all(Action& action) const {
    for (Observer* observer : *observers_) action(*observer);
  }
  std::unique_ptr<std::vector<Observer*>> observers_;
};

}  // namespace gt200::tlm_bus
