// The connection of a TPC to the crossbar, shared by the load/store queue, the texture L1 and the page walker.
//
// Requesters take turns, one request per cycle. The memory space of a response selects its receiver. The texture
// unit is bound by sockets of the memory protocol, so that it can be tested alone; transport_dbg passes through.
#pragma once

#include "sc_models/memory_path/access_tokens.h"
#include "sc_models/memory_transaction.h"
#include "tlm_bus/arbiter.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/memory_port.h"
#include "tlm_bus/pipe.h"

namespace gt200::model {

class crossbar_port : public tlm_bus::stage {
 public:
  // `reply_latency`: cycles from the crossbar's switch to this port, whose depth is one more (interconnect/
  // crossbar.h).
  crossbar_port(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore, unsigned reply_latency = 1);

  tlm_bus::pipe_in<payload_token> from_load_store_queue;
  tlm_bus::pipe_out<payload_token> to_load_store_queue;
  tlm_bus::pipe_in<payload_token> from_page_walker;
  tlm_bus::pipe_out<payload_token> to_page_walker;
  tlm_bus::memory_target<gpu_memory_protocol> texture;
  tlm_bus::memory_initiator<gpu_memory_protocol> crossbar;

  void tick() override;
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "crossbar_port"; }

  tlm_bus::counter requests{"requests", "transactions", "requests sent to the crossbar"};
  tlm_bus::counter conflicts{"conflicts", "transactions", "requests that gave way to one of another source"};

 private:
  void return_response();
  void send_request();

  tlm_bus::round_robin turn_{3};
};

}  // namespace gt200::model
