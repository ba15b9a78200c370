// The entry and exit of blocks at a TPC.
//
// Forwards launch tokens from the work distributor to the SM they name, and retire tokens from the SMs back. The
// first block of a launch invalidates every read-only cache of the TPC before it reaches its SM.
#pragma once

#include <deque>

#include "sc_models/cache/cache_control_if.h"
#include "sc_models/cluster_tokens.h"
#include "tlm_bus/arbiter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/stage.h"

namespace gt200::model {

class block_port : public tlm_bus::stage {
 public:
  tlm_bus::pipe_in<launch_token> launch;               // from the work distributor
  tlm_bus::pipe_out<retire_token> retire;              // to the work distributor
  std::deque<tlm_bus::pipe_out<launch_token>> to_sm;   // by SM
  std::deque<tlm_bus::pipe_in<retire_token>> from_sm;  // by SM
  sc_core::sc_port<cache_control_if, 0> caches;        // every read-only cache of the TPC

  // `latency`: of the launch pipe, in cycles of `domain`. The pipe never holds more blocks than the SMs can take,
  // whatever its latency: the work distributor sends a block only if an SM has room for it.
  block_port(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, unsigned sms,
             unsigned blocks_per_sm, unsigned latency);

  void tick() override;
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "block_port"; }

 private:
  std::uint64_t known_launch_ = 0;
  tlm_bus::round_robin turn_;
};

}  // namespace gt200::model
