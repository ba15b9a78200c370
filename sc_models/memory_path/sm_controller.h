// The entry to the part of a TPC that its SMs share.
//
// Takes warp-wide memory and texture instructions from the SMs in turn and passes them to address generation or to
// the texture unit. Both share the path, so one instruction of either kind passes per cycle (Kanter, "NVIDIA's
// GT200": the load and store path shares hardware with the texture path). Each SM has a queue, and an SM whose
// oldest instruction cannot leave does not block the others. Completions return to their SM.
//
// With exclusive_pipelines the two paths are not usable at once: instructions of one kind enter only when none of
// the other kind is between here and its completion. When both kinds wait, the one that has not entered last is
// next.
//
// The queue of an SM holds `queue_entries` instructions. Each pipeline register on the path to the queue holds one
// more when the queue is full.
#pragma once

#include <deque>
#include <systemc>

#include "sc_models/cluster_tokens.h"
#include "sc_models/config/memory_config.h"
#include "tlm_bus/arbiter.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/pipe_counter.h"

namespace gt200::model {

class sm_controller : public tlm_bus::stage {
 public:
  // `reply_latency`: uncore cycles from the load/store queue back to here.
  sm_controller(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                const config::sm_controller_config& config, unsigned sms, unsigned reply_latency);

  // From and to the SMs, by SM of the TPC. The SM's side runs on the core clock.
  sc_core::sc_vector<tlm_bus::pipe_in<memory_operation_token>> from_sm;
  sc_core::sc_vector<tlm_bus::pipe_out<memory_completion_token>> to_sm;

  tlm_bus::pipe_out<memory_operation_token> to_address_generation;
  tlm_bus::pipe_out<memory_operation_token> to_texture;
  tlm_bus::pipe_in<memory_completion_token> from_load_store_queue;
  tlm_bus::pipe_in<memory_completion_token> from_texture;

  void tick() override;
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "sm_controller"; }

  tlm_bus::counter load_store_operations{"load_store_operations", "warp instructions",
                                         "loads, stores and atomics passed on"};
  tlm_bus::counter texture_operations{"texture_operations", "warp instructions", "texture instructions passed on"};
  tlm_bus::counter completions{"completions", "warp instructions", "instructions returned to their SM"};

 private:
  void forward();
  void return_completions();
  bool return_oldest(tlm_bus::pipe_in<memory_completion_token>& from, std::uint32_t& under_way);

  std::deque<tlm_bus::pipe_counter<memory_operation_token>> queues_;  // queue_0 ..: of from_sm
  tlm_bus::round_robin turn_;
  bool texture_returns_first_ = false;
  bool exclusive_;
  std::uint32_t load_store_under_way_ = 0;  // instructions passed on and not completed
  std::uint32_t texture_under_way_ = 0;
  bool texture_entered_last_ = false;
};

}  // namespace gt200::model
