// The TPC's one connection to the crossbar, shared by the load/store queue and the texture L1.
//
// Requests take turns, one per cycle; responses go back by the memory space they name. transport_dbg passes
// through.
#pragma once

#include "tlm_bus/arbiter.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/memory_port.h"

namespace gt200::model {

class crossbar_port : public tlm_bus::stage {
 public:
  crossbar_port(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore);

  tlm_bus::memory_target<tlm_bus::gpu_memory_protocol> load_store;
  tlm_bus::memory_target<tlm_bus::gpu_memory_protocol> texture;
  tlm_bus::memory_initiator<tlm_bus::gpu_memory_protocol> crossbar;

  void tick() override;

  tlm_bus::counter requests{"requests", "transactions", "requests sent to the crossbar"};
  tlm_bus::counter conflicts{"conflicts", "transactions", "requests that gave way to one of the other source"};

 private:
  tlm_bus::round_robin turn_{2};
};

}  // namespace gt200::model
