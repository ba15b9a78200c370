// Moves entries of the divergence stacks between their on-chip part and memory.
//
// The on-chip part of a warp's stack holds the youngest entries (simt_stack.entries). If a push finds it full, its
// oldest entry is stored to the stack memory of the warp, and the warp continues. When the stack has shrunk down to
// an entry in memory, that entry is loaded, and the warp's fetch waits for it. Both are one-lane accesses on the
// path of all loads and stores: memory port, TLB, coalescer, crossbar, partition, DRAM; one leaves per cycle.
// Entries travel as data, and an entry that comes back must equal the one that was sent: a program that has
// overwritten its stack memory ends with a fault.
//
// The rules of the stack act as if all entries were on the chip. So all entries that one instruction needs are
// loaded at once, and lanes that leave an entry in memory (pdom) cause no access. Sources: 16 entries per warp on
// the chip, stack memory: envytools; which entries move, and when: assumption.
#pragma once

#include <array>
#include <vector>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/clocked_stage.h"
#include "sc_models/sm/interfaces.h"
#include "sc_models/sm/stage_tokens.h"
#include "sc_models/stack_layout.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/port.h"
#include "tlm_bus/signals.h"

namespace gt200::model {

class stack_memory : public core_stage, public tlm_bus::signal_source, public stack_memory_if {
 public:
  tlm_bus::pipe_in<stack_transfer_token> in;       // from the branch unit
  tlm_bus::pipe_out<redirect_token> resumed;       // to the branch unit: the entries are there
  tlm_bus::pipe_out<collected_token> memory_port;  // loads and stores

  tlm_bus::port<block_control_if> block_control;
  tlm_bus::port<instruction_pool_if> pool;

  tlm_bus::counter spilled{"spilled", "entries", "stack entries stored to memory"};
  tlm_bus::counter filled{"filled", "entries", "stack entries loaded from memory"};

  stack_memory(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
               const stack_layout& layout, unsigned sm_in_tpc, unsigned sm_in_chip);

  void tick() override;
  void publish(tlm_bus::signal_writer& to) override;
  void completed(const warp_instruction& access) override;
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "stack_memory"; }

 private:
  struct warp_state {
    std::vector<arch_state::stack_words> sent;  // by entry
    unsigned loads = 0;                         // loads outstanding before the warp continues
    redirect_token resume;
    core_cycle resumes_at = core_cycle::never();
  };
  void resume_one();
  void send_one(const stack_transfer_token& transfer);

  stack_layout layout_;
  unsigned sm_in_tpc_;
  unsigned sm_in_chip_;
  isa::instruction store_;
  isa::instruction load_;
  per_warp<warp_state> warps_;
  warp_mask resuming_ = 0;  // warps with all entries, whose redirect has not been sent
  unsigned sent_ = 0;       // accesses sent for the transfer at the head
};

}  // namespace gt200::model
