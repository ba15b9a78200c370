// The functional units of an SM, on the shader clock: eight SPs, two SFUs, one DP unit.
//
// Each group takes one warp instruction per initiation interval and hands the result of its 32 lanes to write-back
// after the latency. What the operand collector could calculate already (operands in registers only) comes with it.
// Instructions with an s[] operand come from shared memory, all others from the operand collector; the one issued
// first goes first. SP and DP instructions exclude each other when the DP unit shares the SPs' data path
// (dp.shares_sp), again in the order of issue; the SFUs work beside both.
//
// Latencies in the configuration are what a programmer measures: issue until a dependent instruction issues. Of
// these, `core_overhead` core cycles are the way through collector and write-back; the rest is the unit's pipeline.
// Sources: intervals CUDA guide 4.2; latencies Wong 2010; s[] operand interval Volkov and Demmel; DP beside SP:
// Kanter.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/stage_tokens.h"
#include "sc_models/sm/units/functional_unit.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/stage.h"

namespace gt200::model {

// Units of one kind: where their instructions come from and go to. Its owner is the stage that starts them.
class unit_group : public sc_core::sc_module, public unit_activity_if, public tlm_bus::signal_source {
 public:
  tlm_bus::pipe_in<collected_token> from_collector;
  tlm_bus::pipe_in<collected_token> from_shared_memory;
  tlm_bus::pipe_out<executed_token> out;  // to write-back

  tlm_bus::counter instructions{"instructions", "warp instructions", "instructions executed"};
  tlm_bus::counter busy_cycles{"busy_cycles", "shader cycles", "cycles in which the unit accepts nothing new"};

  // `units` units of `together` neighbouring lanes each, `lanes_per_step` lanes of a warp at once.
  // `shared_operand`: shader cycles from shared memory to the unit, see shared_operand_transport().
  unit_group(const sc_core::sc_module_name& name, tlm_bus::stage& owner,
             const config::operand_collector_config& config, unsigned units, unsigned together,
             unsigned lanes_per_step, unsigned shared_operand);

  // As pipe_in::show_occupied: bits `bit` and the next one.
  void show_occupied(std::uint64_t& mask, unsigned bit);
  // The instruction to start next, null when there is none.
  const collected_token* next();
  // It starts now and is taken from its pipe.
  void start(tlm_bus::cycle_t now, unsigned interval, unsigned lanes_per_step);

  const unit_activity* activity_at(tlm_bus::cycle_t cycle) const override;
  void publish(tlm_bus::signal_writer& to) override;
  const functional_unit& unit(unsigned number) const { return *units_[number]; }
  unsigned units() const { return static_cast<unsigned>(units_.size()); }
  unsigned lanes_per_step() const { return lanes_per_step_; }

  const char* kind() const override { return "unit_group"; }

 private:
  std::vector<std::unique_ptr<functional_unit>> units_;
  unsigned lanes_per_step_;
  bool next_is_shared_ = false;
  std::array<unit_activity, 2> activities_;  // the one started last, the one before
};

// Also executes fp32 multiplications, on the SFUs' own multipliers: four lanes each.
class sfu_group : public unit_group {
 public:
  tlm_bus::pipe_out<executed_token> multiply_out;  // to write-back, with the latency of a multiplication

  sfu_group(const sc_core::sc_module_name& name, tlm_bus::stage& owner, const config::sm_config& config);
};

class execution_units : public tlm_bus::stage {
 public:
  unit_group sp;  // sp_0 .. sp_7
  sfu_group sfu;  // sfu_0, sfu_1
  unit_group dp;  // dp_0

  execution_units(const sc_core::sc_module_name& name, tlm_bus::clock_domain& shader,
                  const config::sm_config& config);

  void tick() override;
  const char* kind() const override { return "execution_units"; }

 private:
  // `token`: what group.next() returns.
  void start_next(unit_group& group, const collected_token* token, tlm_bus::cycle_t& free_at);
  unsigned interval_of(const unit_group& group, const isa::instruction& instruction) const;
  bool multiplies_on_sfu(const unit_group& group, const isa::instruction& instruction) const;

  const config::sm_config& config_;
  std::uint64_t occupied_ = 0;       // groups with an instruction on the way, two bits each
  tlm_bus::cycle_t sp_free_at_ = 0;  // also of the DP unit when it shares the SPs' data path
  tlm_bus::cycle_t sfu_free_at_ = 0;
  tlm_bus::cycle_t dp_free_at_ = 0;
};

// Core cycles between issue and dependent issue that are not the unit's pipeline: issue to collector, collector to
// unit, write-back to the next issue.
inline constexpr unsigned core_overhead = 2;

// Latency, in core cycles, of the pipe from a unit to write-back for a result latency of `shader_cycles`.
// `issue_latency`: of the pipe from issue to the collector.
unsigned result_pipe_latency(unsigned shader_cycles, unsigned issue_latency);
// Latency, in shader cycles, of the pipe from shared memory to a unit: an instruction with an s[] operand takes
// `shared_latency` in all, of which `unit_latency` passes as for any other instruction of the unit; at least the
// core cycle in shared memory is added to that.
unsigned shared_operand_transport(unsigned shared_latency, unsigned unit_latency);

// Shader cycles for which an instruction occupies the SPs.
unsigned sp_interval(const config::sp_config& config, const isa::instruction& instruction);

}  // namespace gt200::model
