// Write-back: every instruction ends here.
//
// In each core cycle it takes at most one result from each source while the write ports of the register file have
// bandwidth left. The source that is served first rotates. For each result it
//   - writes the destination registers of the lanes that executed: in one transaction, or in one for each beat if
//   the
//     lanes of the instruction have passed the units one by one (result_latch.h),
//   - releases the scoreboard entries of the instruction,
//   - reports to block control that the instruction is complete, or that it has a fault,
//   - returns the instruction to its pool.
// Stores end here when they are acknowledged. Control instructions end here too. Source: 32 writes per core cycle:
// Kanter.
#pragma once

#include <array>

#include "sc_models/cluster_tokens.h"
#include "sc_models/config/sm_config.h"
#include "sc_models/sm/blocks/block_control.h"
#include "sc_models/sm/blocks/instruction_pool.h"
#include "sc_models/sm/clocked_stage.h"
#include "sc_models/sm/completion/memory_latencies.h"
#include "sc_models/sm/completion/result_latch.h"
#include "sc_models/sm/dependency/scoreboard.h"
#include "sc_models/sm/divergence/warp_former_if.h"
#include "sc_models/sm/instruction_parts.h"
#include "sc_models/sm/interfaces.h"
#include "sc_models/sm/observers.h"
#include "sc_models/sm/operands/register_file.h"
#include "sc_models/sm/stage_tokens.h"
#include "sc_models/sm/units/lane_share.h"
#include "sc_models/sm/units/unit_list.h"
#include "sc_models/sm/usual_port.h"
#include "sc_models/sm/value_latches.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/port.h"
#include "tlm_bus/transaction.h"
#include "toolchain/arch_state/register_transfer.h"

namespace gt200::model {

class write_back : public core_stage, public value_latches {
 public:
  sc_core::sc_vector<tlm_bus::pipe_in<executed_token>> from_units;  // by result port: from_sp, from_sfu, ...
  tlm_bus::pipe_in<executed_token> from_shared_memory, from_memory_port, from_branch, from_barrier;
  tlm_bus::pipe_in<memory_completion_token> from_memory;  // from the TPC

  // Results lane by lane, by functional unit: lanes_sp_0, ...
  sc_core::sc_vector<tlm_bus::transaction_in<lane_result>> lanes;

  tlm_bus::port<stack_memory_if> stack_memory;
  memory_latencies latencies;
  // From here on stands what every result needs, together for the host's cache.
  alignas(64) tlm_bus::transaction_out<register_write_request, gt200::model::register_file> register_file;
  tlm_bus::transaction_out<scoreboard_release, gt200::model::scoreboard> scoreboard;
  usual_port<block_control_if, gt200::model::block_control> block_control;
  usual_port<instruction_pool_if, instruction_pool> pool;
  tlm_bus::counter completed{"completed", "warp instructions", "instructions that left the SM"};
  tlm_bus::counter register_writes{"register_writes", "lane words", "32-bit registers written, one per lane"};

  // `units_by_lane`: the functional units that deliver their results lane by lane.
  write_back(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
             const unit_list& units, lane_share share = {}, const std::vector<std::string>& units_by_lane = {});

  // Before the first launch: warps are formed anew.
  void form_warps(warp_former_if& former) { former_ = &former; }
  // Before the first launch: instructions may come in parts.
  void join_parts(instruction_parts& parts) { parts_ = &parts; }

  void tick() override;
  tlm_bus::tap<write_back_observer>& observers() { return observers_; }
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "write_back"; }

 private:
  void end_of_elaboration() override {
    block_control.resolve();
    pool.resolve();
  }
  // The results on their way here: a word per lane, and from memory four. Those that pass lane by lane are not
  // there.
  warp_instruction* held(unsigned group, unsigned place) const override;
  isa::lane_words* row_of(warp_instruction& operation, unsigned row) const override;
  bool ports_free() const { return ports_busy_until_ < (cycle().number() + 1) * write_ports_; }
  // Completes the next result of an input. Returns false if there is none, or no bandwidth for it.
  [[gnu::always_inline]] bool take(tlm_bus::pipe_in<executed_token>& in);
  [[gnu::noinline]] bool take_from_memory();
  [[gnu::always_inline]] bool may_write();
  // What every result passes is one function for the host.
  [[gnu::noinline]] void complete(warp_instruction& operation);
  [[gnu::always_inline]] warp_instruction* ended(warp_instruction& operation);
  [[gnu::always_inline]] void write(warp_instruction& operation);
  [[gnu::noinline]] void tell(const warp_instruction& operation);
  [[gnu::noinline]] void write_by_beats(register_write_request& request);
  [[gnu::noinline]] void complete_stack_access(warp_instruction& access);

  // occupied_: inputs that hold a result; bit memory_input_: from_memory.
  std::uint64_t ports_busy_until_ = 0;  // in lane words: cycle x write_ports
  std::uint64_t write_ports_;
  unsigned memory_input_;  // number of inputs before it
  unsigned first_ = 0;
  lane_share share_;
  tlm_bus::tap<write_back_observer> observers_;
  std::array<tlm_bus::pipe_in<executed_token>*, max_result_ports + other_completion_sources> inputs_{};
  warp_former_if* former_ = nullptr;
  instruction_parts* parts_ = nullptr;
  result_latch latch_;
  result_latch::beats beats_;  // of the instruction that completes
};

}  // namespace gt200::model
