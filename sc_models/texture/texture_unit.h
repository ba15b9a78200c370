// Texture unit of a TPC: address -> l1 -> filter.
#pragma once

#include <systemc>

#include "sc_models/cache/cache_control_if.h"
#include "sc_models/config/texture_config.h"
#include "sc_models/memory_path/page_table.h"
#include "sc_models/memory_transaction.h"
#include "sc_models/texture/address.h"
#include "sc_models/texture/filter.h"
#include "sc_models/texture/l1.h"
#include "tlm_bus/resettable.h"

namespace gt200::model {

class texture_unit : public sc_core::sc_module, public cache_control_if, public tlm_bus::resettable {
  tlm_bus::pool<texture_access> accesses_;

 public:
  texture_address address;
  texture_l1 l1;
  texture_filter filter;

  // `tpc`: number in the chip. `write_latency`: cycles until it hears of a write to a texture; 0: it does not.
  texture_unit(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
               const config::texture_config& config, unsigned tpc, const page_table& pages, bool perfect = false,
               unsigned write_latency = 0);

  // Sockets for the TPC to bind.
  tlm_bus::pipe_in<memory_operation_token>& from_sm_controller() { return address.from_sm_controller; }
  tlm_bus::pipe_out<memory_completion_token>& to_sm_controller() { return filter.to_sm_controller; }
  tlm_bus::memory_initiator<gpu_memory_protocol>& fills() { return l1.fills; }

  // Null without `write_latency`.
  tlm_bus::pipe_in<texture_write_token>* texture_writes() { return l1.texture_writes.get(); }

  void invalidate() override { l1.invalidate(); }
  // True if no texture instruction is in progress.
  bool idle() const { return accesses_.outstanding() == 0 && l1.idle(); }

  const char* kind() const override { return "texture_unit"; }
  void visit_state(tlm_bus::state_image& state) override;
};

}  // namespace gt200::model
