// The order in which a DRAM controller serves its queue. Plain C++.
//
// A policy looks at the queue and proposes the command that serves it best: the column command of a request whose
// row is open, the activate of a row, or the precharge of a row that is in the way. The controller gives one
// command per cycle; it owns refresh, answers and counters. A policy must not propose the column command of a
// request with older_conflicts, nor any while answers_full.
#pragma once

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
  // Updates `best`, which holds for the queue without its newest request, to hold for the whole queue. False if
  // that takes a look at all requests: then `best` is void.
  virtual bool consider_newest(const dram_state&, next_dram_command&) const { return false; }
};

// `policy`: a name of policies.def.
std::unique_ptr<dram_scheduler> make_dram_scheduler(std::string_view policy, const config::dram_config& config);

}  // namespace gt200::model
