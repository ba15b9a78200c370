// Memory path of a TPC: from its SMs to the crossbar and back.
//
//   SMs -> sm_controller -> address_generation -> tlb -> coalescer -> load_store_queue -> crossbar_port -> crossbar
//                        -> texture unit (outside) --------------- texture fills ------>
//                                                   tlb -> page_walker --------------->
// Global and local memory are not cached (CUDA C Programming Guide 4.2, appendix F.3), unless tpc.memory.l1.enabled
// puts the L1 data cache of compute capability 2.0 (appendix F.4) between crossbar_port and crossbar:
// - Loads of global memory are answered from its lines, except those that bypass it (access.past_l1).
// - Stores to global memory and atomics pass on and drop their line (write-evict). Lines of different L1s are not
//   coherent, and a fence drops none (Alglave et al., ASPLOS 2015, found none on a Tesla C2075 that does). Volta's
//   CCTL.IVALL drops those that are not dirty, and so does Fermi's cctl ivall; cctl iv drops one.
// - Local memory is kept and written back. It belongs to one thread, so whatever its instructions say, its lines
//   answer them.
// - Texture fills and reads of the page walker pass on.
#pragma once

#include <memory>
#include <systemc>

#include "sc_models/cache/data_cache.h"
#include "sc_models/config/memory_config.h"
#include "sc_models/memory_path/address_generation.h"
#include "sc_models/memory_path/coalescer.h"
#include "sc_models/memory_path/crossbar_port.h"
#include "sc_models/memory_path/load_store_queue.h"
#include "sc_models/memory_path/page_table.h"
#include "sc_models/memory_path/page_walker.h"
#include "sc_models/memory_path/sm_controller.h"
#include "sc_models/memory_path/tlb.h"
#include "sc_models/memory_transaction.h"
#include "tlm_bus/resettable.h"

namespace gt200::model {

class memory_path : public sc_core::sc_module, public tlm_bus::resettable {
  tlm_bus::pool<memory_access> accesses_;

 public:
  gt200::model::sm_controller sm_controller;
  gt200::model::address_generation address_generation;
  gt200::model::tlb tlb;
  gt200::model::page_walker page_walker;
  gt200::model::coalescer coalescer;
  gt200::model::load_store_queue load_store_queue;
  gt200::model::crossbar_port crossbar_port;
  std::unique_ptr<data_cache<gpu_memory_protocol>> l1;  // null unless configured

  // `tpc`: number in the chip; `sms` per TPC; `warps`: warp slots of an SM; `crossbar_link`: cycles from the
  // crossbar's switch to the TPC; `memory_bytes`: of the device.
  memory_path(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
              const config::memory_config& config, unsigned tpc, unsigned sms, unsigned warps,
              const page_table& pages, unsigned crossbar_link = 1, std::uint64_t memory_bytes = ~std::uint64_t{0});

  // Sockets for the TPC to bind.
  tlm_bus::pipe_in<memory_operation_token>& from_sm(unsigned sm) { return sm_controller.from_sm[sm]; }
  tlm_bus::pipe_out<memory_completion_token>& to_sm(unsigned sm) { return sm_controller.to_sm[sm]; }
  tlm_bus::pipe_out<memory_operation_token>& to_texture() { return sm_controller.to_texture; }
  tlm_bus::pipe_in<memory_completion_token>& from_texture() { return sm_controller.from_texture; }
  tlm_bus::memory_target<gpu_memory_protocol>& texture_fills() { return crossbar_port.texture; }
  tlm_bus::memory_initiator<gpu_memory_protocol>& crossbar() { return l1 ? l1->memory : crossbar_port.crossbar; }

  // No access is under way. The L1 may still be writing lines back.
  bool idle() const { return accesses_.outstanding() == 0 && load_store_queue.idle() && page_walker.idle(); }

  const char* kind() const override { return "memory_path"; }
  void visit_state(tlm_bus::state_image& state) override;
};

}  // namespace gt200::model
