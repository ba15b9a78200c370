// Counts how full the queue of a pipe is (queue_counter.h), including tokens on their way to it.
//
// It is an observer, so pipes without a counter pay nothing. Without taps (tap.h) it counts nothing.
#pragma once

#include <string>

#include "tlm_bus/pipe.h"
#include "tlm_bus/queue_counter.h"

namespace gt200::tlm_bus {

template <class T>
class pipe_counter final : public pipe_observer<T> {
 public:
  // `owner` is the receiver. The counter is a member of it, declared after the pipe.
  pipe_counter(const std::string& name, pipe_in<T>& pipe, const stage& owner)
      : queue_(name, pipe.depth()), period_(owner.domain().period()) {
    pipe.observers().attach_counter(*this);
  }

  void visit_state(state_image& state) {
    state.fixed(period_);
    state(queue_);
  }

 private:
  void token_sent(const sc_core::sc_object&, femtoseconds at, const T&) override { queue_.entered(at / period_); }
  void token_taken(const sc_core::sc_object&, femtoseconds at, const T&) override { queue_.left(at / period_); }

  queue_counter queue_;
  femtoseconds period_;
};

}  // namespace gt200::tlm_bus
