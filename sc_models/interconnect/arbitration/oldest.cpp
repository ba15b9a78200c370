// Outputs choose one after the other, each the packet that has waited longest in the switch; of equally old ones
// that of the first input.
#include "sc_models/interconnect/arbitration/in_turn.h"
#include "sc_models/interconnect/arbitration/policies.h"
#include "sc_models/interconnect/switching_network.h"

namespace gt200::model {
namespace {

class oldest_arbitration final : public switch_arbitration {
 public:
  void match(const switch_requests& requests, switch_matches& matches) override {
    match_in_turn(requests, matches, [&](unsigned output, std::uint64_t candidates) {
      int best = -1;
      tlm_bus::cycle_t oldest = tlm_bus::no_cycle;
      for (const unsigned input : set_bits(candidates)) {
        const tlm_bus::cycle_t since = requests.network.waiting_since(input, output);
        if (since >= oldest) continue;
        oldest = since;
        best = static_cast<int>(input);
      }
      return best;
    });
  }
};

}  // namespace

std::unique_ptr<switch_arbitration> make_oldest(unsigned, unsigned) {
  return std::make_unique<oldest_arbitration>();
}

}  // namespace gt200::model
