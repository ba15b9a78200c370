#include "sc_models/interconnect/arbitration/arbitration.h"

#include <stdexcept>
#include <string>
#include <utility>

#include "sc_models/interconnect/arbitration/policies.h"
#include "sc_models/policy_factory.h"

namespace gt200::model {
namespace {

added_factories<switch_arbitration, arbitration_context>& added_arbitrations() {
  static added_factories<switch_arbitration, arbitration_context> all;
  return all;
}

// An added policy whose matches are not trusted.
class checked_arbitration final : public switch_arbitration {
 public:
  checked_arbitration(std::string_view name, std::unique_ptr<switch_arbitration> added)
      : name_(name), added_(std::move(added)) {}

  void match(const switch_requests& requests, switch_matches& matches) override {
    added_->match(requests, matches);
    std::uint64_t inputs = requests.free_inputs, outputs = requests.ready_outputs;
    for (const switch_matches::match& m : matches) {
      const bool possible = m.input < 64 && m.output < requests.outputs && (inputs >> m.input & 1) != 0 &&
                            (outputs >> m.output & 1) != 0 && (requests.inputs_for[m.output] >> m.input & 1) != 0;
      if (!possible)
        throw std::logic_error("the policy '" + name_ + "' has matched input " + std::to_string(m.input) +
                               " with output " + std::to_string(m.output) +
                               ": no packet waits there, or one of them is taken");
      inputs &= ~(std::uint64_t{1} << m.input);
      outputs &= ~(std::uint64_t{1} << m.output);
    }
  }

 private:
  std::string name_;
  std::unique_ptr<switch_arbitration> added_;
};

}  // namespace

std::unique_ptr<switch_arbitration> make_switch_arbitration(std::string_view policy, unsigned inputs,
                                                            unsigned outputs,
                                                            const config::crossbar_config& config) {
  static constexpr policy_factory<std::unique_ptr<switch_arbitration>(unsigned, unsigned)> policies[] = {
#define POLICY(name, text) {#name, make_##name},
#include "sc_models/interconnect/arbitration/policies.def"
#undef POLICY
  };
  if (auto* make = factory_of(policies, policy)) return make(inputs, outputs);
  return std::make_unique<checked_arbitration>(
      policy, added_arbitrations().make(policy, {inputs, outputs, config.added.of(policy)}));
}

void switch_arbitrations::add(config::added_policy about, factory make) {
  added_arbitrations().add(config::crossbar_arbitrations, std::move(about), std::move(make));
}

}  // namespace gt200::model
