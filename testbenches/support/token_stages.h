// A stage that sends given tokens at given cycles, and a stage that records the tokens it takes from a pipe.
#pragma once

#include <algorithm>
#include <deque>
#include <functional>
#include <ostream>
#include <utility>
#include <vector>

#include "tlm_bus/pipe.h"
#include "tlm_bus/stage.h"

namespace gt200::support {

// A cycle and what happened then; `value` is a token, or identifies a transaction.
template <class T>
struct timed {
  tlm_bus::cycle_t cycle;
  T value;
  friend bool operator==(const timed& a, const timed& b) { return a.cycle == b.cycle && a.value == b.value; }
  friend std::ostream& operator<<(std::ostream& out, const timed& t) {
    return out << "{cycle " << t.cycle << ": " << t.value << '}';
  }
};

template <class T>
class token_source : public tlm_bus::stage {
 public:
  token_source(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain)
      : stage(name, domain), out("out", *this) {}

  tlm_bus::pipe_out<T> out;
  std::vector<timed<T>> sent;

  // Sends the token in `cycle`, or in the first later cycle in which the pipe takes it; tokens keep their order.
  // Between two runs of the simulation, `cycle` must be in the future.
  void send_at(tlm_bus::cycle_t cycle, const T& token) {
    script_.push_back({cycle, token});
    if (script_.size() == 1) wake_at(cycle);
  }

 private:
  void tick() override {
    if (script_.empty() || script_.front().cycle > cycle() || !out.can_send()) return;
    out.send(script_.front().value);
    sent.push_back({cycle(), script_.front().value});
    script_.pop_front();
    if (!script_.empty()) wake_at(std::max(script_.front().cycle, cycle() + 1));
  }

  std::deque<timed<T>> script_;
};

template <class T>
class token_sink : public tlm_bus::stage {
 public:
  token_sink(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, unsigned depth,
             unsigned latency = 1)
      : stage(name, domain), in("in", *this, depth, latency) {}

  tlm_bus::pipe_in<T> in;
  std::vector<timed<T>> taken;
  // Decides whether a token is taken in a cycle: a function of the cycle alone. Default: always.
  std::function<bool(tlm_bus::cycle_t)> takes = [](tlm_bus::cycle_t) { return true; };

 private:
  void tick() override {
    const T* token = in.front();
    if (token == nullptr) return;
    if (!takes(cycle())) {
      wake_next();
      return;
    }
    taken.push_back({cycle(), *token});
    in.pop();
  }
};

}  // namespace gt200::support
