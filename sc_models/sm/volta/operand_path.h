// From issue to write-back in a processing block: fixed read slots, units, results on their way, write ports.
//
//   from_fixed     <- arithmetic of fixed time; read operand_read_cycles after the issue, in order, and calculated
//   from_special   <- special functions, conversions, constants by address, exchange between lanes
//   from_memory    <- loads, stores, atomics; queue in front of the address
//   from_control   <- control and barriers, to the branch unit
//   finished       <- what other parts of the SM have executed: memory_results, control_results
//
// There is no operand collector. An instruction of fixed time reads at its slot, whatever older instructions still
// do; its result is bypassed to those that issue late enough (results_under_way.h) and written in the order of
// issue. Instructions of varying time wait in a queue for their turn to read, then for their unit; their read
// barrier is released when they have read, their write barrier when their results are written. Results of fixed
// time go first at the write port: one of the others is written in a cycle in which none of fixed time is. A stall
// inside the fixed path holds the others' reading too, so that the distances between issues stay. Source: Huerta et
// al., MICRO 2025.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "sc_models/config/sm_config.h"
#include "sc_models/sm/clocked_stage.h"
#include "sc_models/sm/observers.h"
#include "sc_models/sm/operands/constant_reader.h"
#include "sc_models/sm/operands/register_transactions.h"
#include "sc_models/sm/stage_tokens.h"
#include "sc_models/sm/units/group_datapath.h"
#include "sc_models/sm/volta/gated_issue.h"
#include "sc_models/sm/volta/interfaces.h"
#include "sc_models/sm/volta/results_under_way.h"
#include "sc_models/sm/volta/ring.h"
#include "sc_models/sm/volta/transactions.h"
#include "sc_models/sm/volta/wanted_lines.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/transaction.h"
#include "toolchain/arch_state/generation.h"

namespace gt200::model {

class operand_path : public core_stage, public tlm_bus::signal_source, public constant_line_if {
 public:
  sc_core::sc_vector<tlm_bus::pipe_in<issued_token>> from_issue;  // by issue_path: from_fixed, ...
  tlm_bus::pipe_in<executed_token> memory_results;                // from the result router
  tlm_bus::pipe_in<executed_token> control_results;               // from the branch unit
  tlm_bus::pipe_out<collected_token> to_memory;                   // to the memory arbiter
  tlm_bus::pipe_out<collected_token> to_branch;
  // The special unit's pipeline, and that of the exchange: from this stage to this stage.
  tlm_bus::pipe_out<executed_token> special_out, exchange_out;
  tlm_bus::pipe_in<executed_token> special_in, exchange_in;

  tlm_bus::transaction_out<register_read_request> register_reads;
  tlm_bus::transaction_out<register_write_request> register_writes;
  tlm_bus::transaction_out<barrier_release> barrier_releases;
  tlm_bus::transaction_out<operand_progress> steps;  // to the control gate; nothing with control codes
  tlm_bus::transaction_out<constant_read> constant_reads;
  tlm_bus::transaction_out<constant_line_fetch> constant_line_fetches;
  tlm_bus::port<constant_cache_if> constant_cache;
  tlm_bus::port<block_control_if> block_control;
  tlm_bus::port<instruction_pool_if> pool;

  tlm_bus::counter completed{"completed", "warp instructions", "instructions that left the SM"};
  tlm_bus::counter register_writes_counter{"register_writes", "lane words",
                                           "32-bit registers written, one per lane"};
  tlm_bus::counter write_port_waits{"write_port_waits", "core cycles",
                                    "cycles in which a result of varying time waited for the write port"};

  // `tpc`: number of the TPC, for special registers. `completions`: is notified of every instruction that
  // completes.
  operand_path(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
               const arch_state::generation& generation, unsigned tpc,
               const tlm_bus::tap<write_back_observer>& completions);

  void tick() override;
  void fetch_line(warp_slot warp, std::uint64_t id, std::uint64_t address) override;
  void publish(tlm_bus::signal_writer& to) override;
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "operand_path"; }

 private:
  static constexpr unsigned results_per_cycle = 1;  // of varying time

  void end_of_elaboration() override;
  void fetch_wanted_lines();
  void read(warp_instruction& operation, core_cycle effective_issue);
  void read_predicate_file(warp_instruction& operation, core_cycle effective_issue);
  void reuse(warp_instruction& operation);
  bool operands_complete(constant_reader::progress& progress, warp_instruction& operation);
  void calculate(warp_instruction& operation, tlm_bus::transaction_out<warp_operation>& unit);
  tlm_bus::transaction_out<warp_operation>& unit_of(const warp_instruction& operation);
  // The next instruction of a path has reached its slot: reads its registers once. Null if there is none.
  warp_instruction* next(issue_path path);
  void run_fixed();
  void run_special();
  void run_memory();
  void run_control();
  bool write_fixed();
  void write_other();
  void write(warp_instruction& operation);
  void release(const warp_instruction& operation, std::uint8_t barrier);
  void has_read(const warp_instruction& operation);
  void has_written(const warp_instruction& operation);
  void report(const warp_instruction& operation, bool written);
  void complete(warp_instruction& operation);
  bool fixed_path_is_held();

  const arch_state::generation& generation_;
  bool reports_;  // somebody looks at registers
  arch_state::forwarding_table forwarding_;
  const tlm_bus::tap<write_back_observer>& completions_;
  std::uint8_t tpc_;
  constant_reader constants_;
  std::array<core_cycles, issue_paths> read_cycles_;
  core_cycles write_after_;  // from the issue of an instruction of fixed time
  core_cycles memory_interval_;
  core_cycles special_interval_;
  core_cycles exchange_interval_;
  core_cycle memory_free_at_;
  core_cycle special_free_at_;
  core_cycle exchange_free_at_;
  struct path_state {
    bool has_read = false;  // the instruction at the head has its registers
    constant_reader::progress constants;
  };
  std::array<path_state, issue_paths> paths_;
  per_warp<results_under_way> under_way_;
  ring<warp_instruction*> to_write_;  // results of fixed time of all warps, in the order of issue
  isa::lane_words reuse_[register_banks][operand_slots] = {};
  unsigned first_result_ = 0;  // the source of results that is served first
  wanted_lines wanted_lines_;

  tlm_bus::transaction_out<warp_operation> to_fp32_, to_integer_, to_fp64_, to_special_, to_exchange_;
  group_datapath fp32_, integer_, fp64_, special_, exchange_;
};

}  // namespace gt200::model
