// iSLIP: all outputs grant at once, each input accepts one grant, and the turns move on acceptance. One iteration.
// Source: McKeown 1999.
#include <array>
#include <vector>

#include "sc_models/interconnect/arbitration/policies.h"
#include "tlm_bus/arbiter.h"
#include "toolchain/bits.h"

namespace gt200::model {
namespace {

constexpr std::uint64_t bit(unsigned i) { return std::uint64_t{1} << i; }

class islip_arbitration final : public switch_arbitration {
 public:
  islip_arbitration(unsigned inputs, unsigned outputs)
      : output_turn_(outputs, tlm_bus::round_robin(inputs)), input_turn_(inputs, tlm_bus::round_robin(outputs)) {}

  void match(const switch_requests& requests, switch_matches& matches) override {
    std::array<std::uint64_t, 64> grants{};  // per input: outputs that grant it
    std::uint64_t granted = 0;
    for (const unsigned output : set_bits(requests.ready_outputs)) {
      const int input = output_turn_[output].choose(requests.inputs_for[output] & requests.free_inputs);
      if (input < 0) continue;
      grants[static_cast<unsigned>(input)] |= bit(output);
      granted |= bit(static_cast<unsigned>(input));
    }
    for (const unsigned input : set_bits(granted)) {
      const int output = input_turn_[input].choose(grants[input]);
      input_turn_[input].granted(output);
      output_turn_[static_cast<unsigned>(output)].granted(static_cast<int>(input));
      matches.add(input, static_cast<unsigned>(output));
    }
  }

 private:
  std::vector<tlm_bus::round_robin> output_turn_;
  std::vector<tlm_bus::round_robin> input_turn_;
};

}  // namespace

std::unique_ptr<switch_arbitration> make_islip(unsigned inputs, unsigned outputs) {
  return std::make_unique<islip_arbitration>(inputs, outputs);
}

}  // namespace gt200::model
