// Decides when a DRAM controller closes a row that no other request forces it to close. Plain C++.
//
// The scheduler closes a row if a queued request needs another row of the bank; a page policy proposes further
// precharges. A request that arrives may change the proposal for its own bank, but not for other banks.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "sc_models/config/dram_config.h"
#include "sc_models/partition/dram/next_command.h"

namespace gt200::model {

class page_policy {
 public:
  virtual ~page_policy() = default;
  // Proposes precharges of banks with an open row.
  virtual void consider_closing(const dram_state& state, next_dram_command& best) const = 0;
  // A column command has been given to the bank.
  virtual void used(unsigned /*bank*/, tlm_bus::cycle_t /*at*/) {}
};

// `policy`: a name from policies.def, or of an added policy.
std::unique_ptr<page_policy> make_page_policy(std::string_view policy, const config::dram_config& config);

// What an added page policy is made with; all of it outlives the policy.
struct page_policy_context {
  const config::dram_config& dram;
  const config::policy_values& keys;  // its own, of partition.dram.<name>
};
// Page policies from outside (sc_models/plugin.h).
struct page_policies {
  using factory = std::function<std::unique_ptr<page_policy>(const page_policy_context&)>;
  static void add(config::added_policy about, factory make);
};

}  // namespace gt200::model
