// The order in which a DRAM controller serves its queue. Plain C++.
//
// A policy inspects the queue and proposes the command that serves it best: the column command of a request whose
// row is open, the activate of a row, or the precharge of a row that blocks a request. The controller gives one
// command per cycle and handles refresh, responses and counters. A policy must not propose the column command of a
// request with older_conflicts, nor any column command while answers_full.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "sc_models/config/dram_config.h"
#include "sc_models/partition/dram/next_command.h"

namespace gt200::model {

class dram_scheduler {
 public:
  virtual ~dram_scheduler() = default;
  // Proposes commands for the requests of the queue, which is not empty.
  virtual void consider_requests(const dram_state& state, next_dram_command& best) const = 0;
  // `best` is valid for the queue without its newest request. Updates it for the whole queue. Returns false if that
  // requires a look at all requests; then `best` is void.
  virtual bool consider_newest(const dram_state&, next_dram_command&) const { return false; }
};

// `policy`: a name from policies.def, or of an added policy.
std::unique_ptr<dram_scheduler> make_dram_scheduler(std::string_view policy, const config::dram_config& config);

// What an added dram scheduler is made with; all of it outlives the policy.
struct dram_scheduler_context {
  const config::dram_config& dram;
  const config::policy_values& keys;  // its own, of partition.dram.<name>
};
// DRAM schedulers from outside (sc_models/plugin.h).
struct dram_schedulers {
  using factory = std::function<std::unique_ptr<dram_scheduler>(const dram_scheduler_context&)>;
  static void add(config::added_policy about, factory make);
};

}  // namespace gt200::model
