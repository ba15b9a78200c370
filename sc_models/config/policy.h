// Policies: behaviours of the model that a key chooses by name.
//
// Each kind of policy has one list, a file of rows POLICY(name, text) beside the files that implement it. The row
// alone registers a policy: allowed values, `gt200 config explain`, the factory and the build read it. A
// configuration stores a policy as its position in the list, so a new row recompiles only the files that read the
// list. docs/extending.md shows how to add one; added_policy.h adds one from outside. Plain C++.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gt200::config {

struct policy_list {
  const char* kind;          // for messages: "issue policy"
  const char* const* names;  // in the order of the rows; then those that were added, in the order of their names
  const char* const* texts;  // description of each, without a full stop
  std::size_t count;
  std::size_t own;      // rows of this project
  bool in_use = false;  // a configuration names an added one: their positions must not move any more
};

extern policy_list warp_policies;          // sc_models/sm/schedulers/policies.def
extern policy_list fetch_policies;         // these, and coordinated (sc_models/sm/front_end/coordinated_order.h)
extern policy_list dram_models;            // sc_models/partition/dram/models/policies.def
extern policy_list dram_schedulers;        // sc_models/partition/dram/schedulers/policies.def
extern policy_list page_policies;          // sc_models/partition/dram/page_policies/policies.def
extern policy_list crossbar_arbitrations;  // sc_models/interconnect/arbitration/policies.def
extern policy_list network_topologies;     // sc_models/interconnect/topologies/policies.def
// No key chooses these, only choose_at() of added_policy.h: their first row stands for what the keys say.
extern policy_list coalescing_policies;  // sc_models/memory_path/coalescing_policy.h
extern policy_list dependency_trackers;  // sc_models/sm/dependency/dependency_tracker.h
extern policy_list unit_arithmetics;     // sc_models/sm/units/unit_arithmetic.h
extern policy_list cache_replacements;   // sc_models/cache/replacement/policy.h

// Position of a name in its list; throws std::invalid_argument if it is not there.
std::uint8_t position_of(policy_list& list, const char* name);

// One policy of a list; by default the first. It can be compared with a name: `policy == "gto"`.
template <policy_list& list>
class policy {
 public:
  policy() = default;
  policy(const char* name) : position_(position_of(list, name)) {}

  const char* name() const { return list.names[position_]; }
  // For the visitors of a description.
  std::uint8_t& position() { return position_; }

  friend bool operator==(policy a, policy b) { return a.position_ == b.position_; }
  friend bool operator!=(policy a, policy b) { return !(a == b); }

 private:
  std::uint8_t position_ = 0;
};

using warp_policy = policy<warp_policies>;
using fetch_policy = policy<fetch_policies>;
using dram_model = policy<dram_models>;
using dram_scheduler = policy<dram_schedulers>;
using page_policy = policy<page_policies>;
using crossbar_arbitration = policy<crossbar_arbitrations>;
using network_topology = policy<network_topologies>;

}  // namespace gt200::config
