// A group of functional units that execute one warp instruction together: the SPs, the SFUs or the DP unit, with
// the pipes of its instructions and results.
//
// The group is no stage: its owner execution_units starts the instructions, and becomes due when one of these pipes
// or the next beat of an instruction needs it. The values of an instruction pass through the datapath in one
// transaction when it starts, or lane by lane through the functional units (detail.h); always so if one of these is
// RTL. Either way the token to write-back leaves at the start, and its pipe adds the latency.
//
// Beats: the units take lanes_per_step lanes of the instruction at a time, spread over the cycles for which it
// occupies the group (config/lane_beats.h). A warp that is charged for its own lanes only (lane_share.h) passes as
// if they were the first ones of the warp.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "sc_models/sm/clocked_stage.h"
#include "sc_models/sm/stage_tokens.h"
#include "sc_models/sm/units/detail.h"
#include "sc_models/sm/units/functional_unit.h"
#include "sc_models/sm/units/group_datapath.h"
#include "sc_models/sm/units/lane_share.h"
#include "sc_models/sm/units/unit_arithmetic.h"
#include "sc_models/sm/units/unit_list.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/resettable.h"
#include "tlm_bus/signals.h"

namespace gt200::model {

class unit_group : public sc_core::sc_module, public tlm_bus::signal_source, public tlm_bus::resettable {
 public:
  tlm_bus::pipe_in<collected_token> from_collector;
  std::optional<tlm_bus::pipe_in<collected_token>> from_shared_memory;  // if it takes s[] operands
  sc_core::sc_vector<tlm_bus::pipe_out<executed_token>> results;        // to write-back, by result port

  // From here on stands what every instruction needs, together for the host's cache.
  alignas(64) tlm_bus::counter instructions{"instructions", "warp instructions", "instructions executed"};
  tlm_bus::counter busy_cycles{"busy_cycles", "shader cycles", "cycles in which the unit accepts nothing new"};

  // `unit` outlives the group.
  unit_group(const sc_core::sc_module_name& name, tlm_bus::stage& owner, const unit_descriptor& unit,
             const config::operand_collector_config& config, lane_share share, detail_window by_lane,
             const functional_unit::rtl_maker& make_rtl = {});

  // Like pipe_in::show_occupied, for bits `bit` and `bit` + 1.
  void show_occupied(unsigned bit);
  // The next instruction to start, the older one of those from the collector and from shared memory; null if there
  // is none. `occupied`: bits 0 and 1 as show_occupied() keeps them.
  [[gnu::always_inline]] const collected_token* next(std::uint64_t occupied) {
    const collected_token* collected = (occupied & 1) != 0 ? from_collector.front() : nullptr;
    const collected_token* shared = (occupied & 2) != 0 ? from_shared_memory->front() : nullptr;
    next_is_shared_ =
        shared != nullptr && (collected == nullptr || shared->operation->sequence < collected->operation->sequence);
    return next_is_shared_ ? shared : collected;
  }
  // Starts it, which next() has just returned, and removes it from its pipe; the first beat enters. Sets until when
  // it occupies the group. Returns false if its result has no place.
  [[gnu::always_inline]] bool start(warp_instruction& operation, shader_cycle now, shader_cycle& free_at);

  // True while beats of the last instruction have not entered.
  bool has_beats() const { return next_beat_ != beats_; }
  shader_cycle next_beat_at() const;
  // Passes the next beat to the units if it is due.
  void enter_beat(shader_cycle now);

  // The functional units are there if lanes pass one by one at some time, or if they may have RTL.
  functional_unit& unit(unsigned number) { return *units_[number]; }
  const functional_unit& unit(unsigned number) const { return *units_[number]; }
  unsigned units() const { return static_cast<unsigned>(units_.size()); }
  group_datapath& datapath() { return datapath_; }
  // What its units calculate with in place of the semantics of instructions; null: nothing.
  void use(std::unique_ptr<unit_arithmetic> own);

  void publish(tlm_bus::signal_writer& to) override;
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "unit_group"; }

 private:
  void pass_whole(warp_instruction& operation);
  [[gnu::noinline]] void begin_beats(warp_instruction& operation, const unit_timing& timing);
  void enter_lane(unsigned unit, unsigned lane);

  tlm_bus::transaction_out<warp_operation, group_datapath> to_datapath_;
  const std::array<unit_timing, isa::unit_classes>& timing_;                        // of the list of units
  std::array<tlm_bus::pipe_out<executed_token>*, max_results_per_unit> results_{};  // the elements of `results`
  bool next_is_shared_ = false;
  lane_share share_;
  detail_window by_lane_;

  // The instruction that started last; `operation_` only until its last beat has entered.
  std::uint64_t started_ = 0;
  isa::lane_mask executed_ = 0;
  shader_cycle started_at_;
  shader_cycles interval_;
  warp_instruction* operation_ = nullptr;
  unsigned beats_ = 0;
  unsigned next_beat_ = 0;
  sc_core::sc_vector<tlm_bus::transaction_out<lane_operation>> to_units_;
  std::unique_ptr<unit_arithmetic> own_;
  group_datapath datapath_;
  std::vector<std::unique_ptr<functional_unit>> units_;
  unsigned lanes_per_unit_ = 1;  // in one beat
  std::uint8_t result_ = 0;
  unsigned places_ = isa::warp_size;                          // lanes that pass
  std::array<std::uint8_t, isa::warp_size> lane_at_place_{};  // in the order in which they pass
};

// -- what happens at every instruction --

inline bool unit_group::start(warp_instruction& operation, shader_cycle now, shader_cycle& free_at) {
  const isa::instruction& instruction = *operation.instruction;
  const unit_timing& timing = timing_[static_cast<unsigned>(instruction.unit)];
  tlm_bus::pipe_out<executed_token>& result = *results_[timing.result];
  if (!result.can_send()) return false;
  const shader_cycles of_warp = instruction.reads_shared ? timing.shared_operand_interval : timing.interval;
  interval_ = share_.cycles(of_warp, timing.lanes_per_step, operation.executed);
  free_at = now + interval_;
  started_ = operation.id;
  executed_ = operation.executed;
  started_at_ = now;
  ++instructions;
  busy_cycles += interval_.count();
  // Its values pass through the units, and its token leaves for write-back.
  operation.by_lane = by_lane_.is_open();
  if (operation.by_lane)
    begin_beats(operation, timing);
  else
    pass_whole(operation);
  result.send({&operation});
  (next_is_shared_ ? *from_shared_memory : from_collector).pop();
  return true;
}

inline void unit_group::pass_whole(warp_instruction& operation) {
  const bool faulty = operation.fault != arch_state::fault_kind::none;
  warp_operation transaction{operation.id, operation.instruction, operation.warp, faulty ? 0 : operation.executed,
                             &operation.values};
  to_datapath_.send(transaction);
}

}  // namespace gt200::model
