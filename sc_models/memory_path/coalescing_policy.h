// Coalescing rules from outside: how the accesses of a group of lanes become memory transactions.
//
// A policy takes the place of the rule of tpc.memory.coalescer.rule for loads and stores, where config::choose_at()
// says so: 'gt200.tpc_*.memory.coalescer=mine'. The groups of lanes stay those of the rule, atomics stay unmerged,
// and RTL cannot stand beside it.
#pragma once

#include <functional>
#include <memory>

#include "sc_models/config/memory_config.h"
#include "sc_models/memory_path/coalescing.h"

namespace gt200::model {

struct lane_group {
  const std::uint32_t* address;  // of its lanes, multiples of word_bytes in active lanes
  isa::lane_mask active;         // not 0
  unsigned lanes;                // of a group: 8, 16 or 32
  unsigned word_bytes;           // 1, 2, 4, 8 or 16
  bool is_load;
};

class coalescing_policy {
 public:
  virtual ~coalescing_policy() = default;
  // The transactions in the order in which they are issued, one per cycle. Each is 32, 64 or 128 aligned bytes,
  // holds the words of its lanes, and each active lane is in one. `result` is to be filled from 0 on.
  virtual void coalesce(const lane_group& group, segment_list& result) = 0;
};

struct coalescing_context {
  const config::coalescer_config& coalescer;
  const config::policy_values& keys;  // its own, of tpc.memory.coalescer.<name>; both outlive the policy
};
struct coalescing_policies {
  using factory = std::function<std::unique_ptr<coalescing_policy>(const coalescing_context&)>;
  static void add(config::added_policy about, factory make);
};
// What is chosen for the module; null: the rule of the configuration.
std::unique_ptr<coalescing_policy> make_coalescing_policy(const char* module,
                                                          const config::coalescer_config& config);

}  // namespace gt200::model
