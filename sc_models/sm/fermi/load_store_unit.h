// The load/store unit of an SM of Fermi or Volta: the one way to shared memory and to the memory outside. On Volta
// the memory arbiter takes the place of the collector, and shared memory has atomic operations.
//
//   from_collector, from_shared_collector  <- instructions with their addresses
//   to_shared_memory                       -> accesses to shared memory
//   to_memory_port                         -> all others
//
// 16 load/store lanes take a warp in two shader cycles: one instruction per core cycle, in the order in which the
// collector sends them. Accesses to shared memory come through the same collector units as all others
// (unit_list.h), so those of a warp stay in program order, whether they name shared memory or reach it by a generic
// address.
//
// A generic address lies in the window of shared memory, in that of local memory, or in neither (arch_state/
// generic_address.h). An instruction whose lanes reach several memories goes on in parts, one core cycle each, in
// the order shared, local, global memory; it ends when all of them have. Sources: 16 lanes: Fermi white paper;
// windows: nouveau, nvc0_compute.c. Assumption: the parts and their order.
#pragma once

#include <array>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/clocked_stage.h"
#include "sc_models/sm/instruction_parts.h"
#include "sc_models/sm/stage_tokens.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "toolchain/arch_state/generation.h"

namespace gt200::model {

class load_store_unit : public core_stage {
 public:
  tlm_bus::pipe_in<collected_token> from_collector;
  tlm_bus::pipe_in<collected_token> from_shared_collector;
  tlm_bus::pipe_out<collected_token> to_shared_memory;
  tlm_bus::pipe_out<collected_token> to_memory_port;

  tlm_bus::counter instructions{"instructions", "warp instructions", "loads, stores, atomics and texture fetches"};
  tlm_bus::counter generic_on_chip{"generic_on_chip", "warp instructions",
                                   "generic addresses that reach shared or local memory"};
  tlm_bus::counter split_accesses{"split_accesses", "warp instructions",
                                  "generic accesses whose lanes reach several memories"};

  load_store_unit(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                  const config::sm_config& config, const arch_state::generation_values& generation,
                  bool atomics_on_chip = false);

  void tick() override;
  instruction_parts& parts() { return parts_; }
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "load_store_unit"; }

 private:
  void resolve(warp_instruction& operation);
  void resolve_line(warp_instruction& operation);
  void split(warp_instruction& operation);
  bool send(warp_instruction& operation);

  const arch_state::generation_values& generation_;
  instruction_parts parts_;
  // The parts of the next instruction that are still to be sent, and how many.
  std::array<warp_instruction*, 3> to_send_{};
  unsigned left_ = 0;
  bool atomics_on_chip_;  // shared memory has atomics, as from Maxwell on
};

}  // namespace gt200::model
