// Where observers attach to a socket, a module or the clocking.
//
// While nobody is attached there is no list, so that an event nobody looks at costs one null check. With
// GT200_NO_TAPS (CMake: GT200_TAPS=OFF) even that is left out and nothing can be observed; what taps cost is
// measured against such a build.
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
  // Told in the order in which they were attached. Neither may be called while they are being told.
  void attach(Observer& observer) {
    if (observers_ == nullptr) observers_ = std::make_unique<std::vector<Observer*>>();
    observers_->push_back(&observer);
  }
  // Nothing happens when it is not attached.
  void detach(Observer& observer) {
    if (observers_ == nullptr) return;
    observers_->erase(std::remove(observers_->begin(), observers_->end(), &observer), observers_->end());
    if (observers_->empty()) observers_.reset();
  }
  // Calls action(observer) for each.
  template <class Action>
  void tell(Action action) const {
    if (!empty()) tell_all(action);
  }

 private:
  template <class Action>
  [[gnu::noinline]] void tell_all(Action& action) const {
    for (Observer* observer : *observers_) action(*observer);
  }
  std::unique_ptr<std::vector<Observer*>> observers_;
};

}  // namespace gt200::tlm_bus
