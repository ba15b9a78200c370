// A group of functional units of one kind, on the shader clock: the SPs, the SFUs, or the DP unit of an SM.
//
// Takes one warp instruction per initiation interval, calculates its 32 lanes, and hands the result to write-back
// after the latency. Instructions with an s[] operand come from shared memory, all others from the operand
// collector; the one issued first goes first.
//
// Latencies in the configuration are what a programmer measures: issue until a dependent instruction issues. Of
// these, `core_overhead` core cycles are the way through collector and write-back; the rest is the unit's pipeline.
// Sources: intervals CUDA guide 4.2; latencies Wong 2010; s[] operand interval Volkov and Demmel.
#pragma once

#include "sc_models/config/sm_config.h"
#include "sc_models/tpc/sm/tokens.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/stage.h"

namespace gt200::model {

class execution_unit : public tlm_bus::stage {
 public:
  tlm_bus::pipe_in<collected_token> from_collector;
  tlm_bus::pipe_in<collected_token> from_shared_memory;
  tlm_bus::pipe_out<executed_token> out;  // to write-back

  tlm_bus::counter instructions{"instructions", "warp instructions", "instructions executed"};
  tlm_bus::counter busy_cycles{"busy_cycles", "shader cycles", "cycles in which the unit accepts nothing new"};

  // `shared_operand_latency`: shader cycles from shared memory to the unit, see shared_operand_transport().
  execution_unit(const sc_core::sc_module_name& name, tlm_bus::clock_domain& shader,
                 unsigned shared_operand_latency);

  void tick() override;
  const char* kind() const override { return "execution_unit"; }

 protected:
  // Shader cycles until the next instruction may start.
  virtual unsigned interval_of(const warp_instruction& operation) const = 0;
  virtual tlm_bus::pipe_out<executed_token>& output_for(const warp_instruction&) { return out; }

 private:
  tlm_bus::cycle_t free_at_ = 0;
};

// Core cycles between issue and dependent issue that are not the unit's pipeline: issue to collector, collector to
// unit, write-back to the next issue.
inline constexpr unsigned core_overhead = 2;

// Latency, in core cycles, of the pipe from a unit to write-back for a result latency of `shader_cycles`.
// `issue_latency`: of the pipe from issue to the collector.
unsigned result_pipe_latency(unsigned shader_cycles, unsigned issue_latency);
// Latency, in shader cycles, of the pipe from shared memory to a unit: an instruction with an s[] operand takes
// `shared_latency` in all, of which `unit_latency` passes as for any other instruction of the unit.
unsigned shared_operand_transport(unsigned shared_latency, unsigned unit_latency);

class sp : public execution_unit {
 public:
  sp(const sc_core::sc_module_name& name, tlm_bus::clock_domain& shader, const config::sm_config& config);

 private:
  unsigned interval_of(const warp_instruction& operation) const override;
  const config::sp_config& config_;
};

// Also executes fp32 multiplications that issue sends here, on the SFUs' own multipliers.
class sfu : public execution_unit {
 public:
  tlm_bus::pipe_out<executed_token> multiply_out;  // to write-back, with the latency of a multiplication

  sfu(const sc_core::sc_module_name& name, tlm_bus::clock_domain& shader, const config::sm_config& config);

 private:
  unsigned interval_of(const warp_instruction& operation) const override;
  tlm_bus::pipe_out<executed_token>& output_for(const warp_instruction& operation) override;
  const config::sfu_config& config_;
};

class dp : public execution_unit {
 public:
  dp(const sc_core::sc_module_name& name, tlm_bus::clock_domain& shader, const config::sm_config& config);

 private:
  unsigned interval_of(const warp_instruction& operation) const override;
  const config::dp_config& config_;
};

}  // namespace gt200::model
