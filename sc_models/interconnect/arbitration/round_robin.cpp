// Outputs choose one after the other, each in turn among the inputs that want it.
#include <vector>

#include "sc_models/interconnect/arbitration/in_turn.h"
#include "sc_models/interconnect/arbitration/policies.h"
#include "tlm_bus/arbiter.h"

namespace gt200::model {
namespace {

class round_robin_arbitration final : public switch_arbitration {
 public:
  round_robin_arbitration(unsigned inputs, unsigned outputs) : turn_(outputs, tlm_bus::round_robin(inputs)) {}

  void match(const switch_requests& requests, switch_matches& matches) override {
    match_in_turn(requests, matches, [this](unsigned output, std::uint64_t candidates) {
      const int input = turn_[output].choose(candidates);
      if (input >= 0) turn_[output].granted(input);
      return input;
    });
  }

 private:
  std::vector<tlm_bus::round_robin> turn_;  // by output
};

}  // namespace

std::unique_ptr<switch_arbitration> make_round_robin(unsigned inputs, unsigned outputs) {
  return std::make_unique<round_robin_arbitration>(inputs, outputs);
}

}  // namespace gt200::model
