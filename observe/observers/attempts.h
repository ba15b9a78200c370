// Several things to do of which each is done even if another one fails.
#pragma once

#include <exception>

namespace gt200::observe {

class attempts {
 public:
  template <class Action>
  void make(const Action& action) {
    try {
      action();
    } catch (...) {
      if (!first_) first_ = std::current_exception();
    }
  }
  // Throws what the first one that failed has thrown.
  void require() const {
    if (first_) std::rethrow_exception(first_);
  }

 private:
  std::exception_ptr first_;
};

}  // namespace gt200::observe
