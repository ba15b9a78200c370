// Which packets go through a switch of the crossbar in a cycle. Plain C++.
//
// An input sends to one output at a time, and an output takes from one input. The switch asks once per cycle; the
// answer may depend on what the arbitration remembers of the packets it has let go.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string_view>

#include "sc_models/config/interconnect_config.h"
#include "tlm_bus/time.h"

namespace gt200::model {

class switching_network;

// What an arbitration sees of its switch.
struct switch_requests {
  const switching_network& network;  // for waiting_since()
  const std::uint64_t* inputs_for;   // by output: inputs with a packet for it
  std::uint64_t ready_outputs;       // that have such an input and can take a packet
  std::uint64_t free_inputs;
  unsigned outputs;
  tlm_bus::cycle_t now;
};

// The packets that start, in this order.
class switch_matches {
 public:
  struct match {
    std::uint8_t input;
    std::uint8_t output;
  };
  // Neither of them is in another match.
  void add(unsigned input, unsigned output) {
    if (count_ == list_.size()) throw std::logic_error("an arbitration with more matches than a switch has ports");
    list_[count_++] = {static_cast<std::uint8_t>(input), static_cast<std::uint8_t>(output)};
  }
  const match* begin() const { return list_.data(); }
  const match* end() const { return list_.data() + count_; }

 private:
  std::array<match, 64> list_;
  unsigned count_ = 0;
};

class switch_arbitration {
 public:
  virtual ~switch_arbitration() = default;
  virtual void match(const switch_requests& requests, switch_matches& matches) = 0;
};

// `policy`: a name of policies.def, or of an added policy, whose keys `config` has.
std::unique_ptr<switch_arbitration> make_switch_arbitration(std::string_view policy, unsigned inputs,
                                                            unsigned outputs,
                                                            const config::crossbar_config& config);

// What an added arbitration is made with.
struct arbitration_context {
  unsigned inputs;
  unsigned outputs;
  const config::policy_values& keys;  // its own, of interconnect.crossbar.<name>; outlives it
};
// Arbitrations from outside (sc_models/plugin.h).
struct switch_arbitrations {
  using factory = std::function<std::unique_ptr<switch_arbitration>(const arbitration_context&)>;
  static void add(config::added_policy about, factory make);
};

}  // namespace gt200::model
