// The warp instructions in flight in an SM, recycled without allocation.
#pragma once

#include <vector>

#include "sc_models/sm/interfaces.h"
#include "tlm_bus/pool.h"
#include "tlm_bus/resettable.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

class instruction_pool final : public sc_core::sc_module, public instruction_pool_if, public tlm_bus::resettable {
 public:
  explicit instruction_pool(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {}

  warp_instruction* get() override { return pool_.get(); }
  void put(warp_instruction* operation) override { pool_.put(operation); }
  std::size_t in_flight() const { return pool_.outstanding(); }
  std::vector<const warp_instruction*> instructions_in_flight() const { return pool_.taken(); }

  void visit_state(tlm_bus::state_image& state) override { state(pool_); }
  const char* kind() const override { return "instruction_pool"; }

 private:
  tlm_bus::pool<warp_instruction> pool_;
};

}  // namespace gt200::model
