// Damages a running chip from outside: a lost token, request or response, or lost credits, so that something waits
// for ever; or a flipped bit.
#pragma once

#include <functional>
#include <memory>
#include <regex>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "driver/device.h"
#include "tlm_bus/clocking.h"
#include "tlm_bus/injectable.h"
#include "tlm_bus/memory_port.h"
#include "tlm_bus/pipe.h"

namespace gt200::hangs {

// A damage that stays in place while the chip runs.
class seed {
 public:
  virtual ~seed() = default;
  // True once the damage has happened.
  virtual bool done() const = 0;
};
using planted = std::unique_ptr<seed>;

template <class T>
T& object(const std::string& name) {
  auto* found = dynamic_cast<T*>(sc_core::sc_find_object(name.c_str()));
  if (found == nullptr) throw std::logic_error("there is no " + name + " of this kind");
  return *found;
}

// Takes something away from the stage it is for: at the edge at which it becomes visible, before any stage is
// called.
class thief : public seed, private tlm_bus::instant_observer {
 public:
  // `steal` takes the thing if it is there, and returns whether it was.
  thief(tlm_bus::clocking& clocks, const tlm_bus::clock_domain& domain, std::function<bool()> steal)
      : clocks_(clocks), domain_(domain), steal_(std::move(steal)) {
    clocks_.observers().attach(*this);
  }
  ~thief() override { clocks_.observers().detach(*this); }
  bool done() const override { return done_; }

 private:
  void edge(const tlm_bus::clock_domain& domain, const std::uint64_t*) override {
    if (&domain == &domain_ && !done_) done_ = steal_();
  }
  void instant_ends(tlm_bus::femtoseconds) override {}

  tlm_bus::clocking& clocks_;
  const tlm_bus::clock_domain& domain_;
  std::function<bool()> steal_;
  bool done_ = false;
};

// The first token of a pipe for which `wanted` holds never arrives.
template <class TOKEN>
planted lost_token(
    device& board, const std::string& pipe,
    std::function<bool(const TOKEN&)> wanted = [](const TOKEN&) { return true; }) {
  auto& in = object<tlm_bus::pipe_in_socket<TOKEN>>(pipe);
  return std::make_unique<thief>(board.chip().clocks, in.receiver().domain(), [&in, wanted = std::move(wanted)] {
    const TOKEN* token = in.queue().front();
    if (token == nullptr || !wanted(*token)) return false;
    in.queue().pop();
    return true;
  });
}

// The clock of the stage with a port.
inline const tlm_bus::clock_domain& clock_of(const sc_core::sc_object& port) {
  return dynamic_cast<const tlm_bus::stage&>(*port.get_parent_object()).domain();
}

// The target of a port forgets the first request that arrives, or the initiator the first response.
template <class TRAITS>
planted lost_request(device& board, const std::string& port) {
  auto& target = object<tlm_bus::memory_target<TRAITS>>(port);
  return std::make_unique<thief>(board.chip().clocks, clock_of(target), [&target] {
    if (target.request() == nullptr) return false;
    target.take_request();
    return true;
  });
}
template <class TRAITS>
planted lost_response(device& board, const std::string& port) {
  auto& initiator = object<tlm_bus::memory_initiator<TRAITS>>(port);
  return std::make_unique<thief>(board.chip().clocks, clock_of(initiator), [&initiator] {
    if (initiator.response() == nullptr) return false;
    initiator.take_response();
    return true;
  });
}

class done_at_once : public seed {
 public:
  bool done() const override { return true; }
};

// The first bit in use that is what `text` says, an expression for all of its text_of_bit(), flips at once. `stage`
// has the clock of the storage.
inline planted flipped_bit(device& board, const std::string& storage, const std::string& stage,
                           const std::string& text) {
  auto& bits = object<tlm_bus::injectable>(storage);
  const auto& domain = object<tlm_bus::stage>(stage).domain();
  return std::make_unique<thief>(board.chip().clocks, domain, [&bits, text = std::regex(text)] {
    std::vector<tlm_bus::bit_range> used;
    bits.add_occupied(used);
    for (const tlm_bus::bit_range& range : used)
      for (std::uint64_t bit = range.first; bit < range.first + range.count; ++bit)
        if (std::regex_match(bits.text_of_bit(bit), text)) {
          bits.flip(bit);
          return true;
        }
    return false;
  });
}

// The sender of a pipe has lost all credits: it sees a full queue for ever.
template <class TOKEN>
planted leaked_credits(device& board, const std::string& pipe) {
  board.start();
  auto& in = object<tlm_bus::pipe_in_socket<TOKEN>>(pipe);
  tlm_bus::pipe_transfer<TOKEN> none{&in.receiver().domain(), nullptr, 0};
  tlm_bus::pipe_phase phase = tlm_bus::pipe_phase::initial_credit;
  sc_core::sc_time no_delay;
  in->nb_transport_bw(none, phase, no_delay);
  return std::make_unique<done_at_once>();
}

}  // namespace gt200::hangs
