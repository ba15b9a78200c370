// The functional units of an SM, on the shader clock: eight SPs, two SFUs, one DP unit.
//
// Each group of units takes one warp instruction per initiation interval, and passes the result of its 32 lanes to
// write-back after the latency. If the operand collector has already calculated the result (operands only in
// registers), it comes with the instruction. Instructions with an s[] operand come from shared memory, all others
// from the operand collector; the oldest by issue goes first. Groups that share a data path (DP and SP,
// dp.shares_sp) exclude each other, again in order of issue; the others work in parallel. unit_list.h defines the
// groups and their timing.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <vector>

#include "sc_models/sm/clocked_stage.h"
#include "sc_models/sm/stage_tokens.h"
#include "sc_models/sm/units/functional_unit.h"
#include "sc_models/sm/units/lane_share.h"
#include "sc_models/sm/units/unit_list.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/signals.h"
#include "tlm_bus/stage.h"

namespace gt200::model {

// A group of units (the SPs, the SFUs or the DP unit) with the pipes of its instructions and results. The group is
// no stage: its owner execution_units starts the instructions, and becomes due when one of these pipes needs it.
class unit_group : public sc_core::sc_module, public unit_activity_if, public tlm_bus::signal_source {
 public:
  tlm_bus::pipe_in<collected_token> from_collector;
  std::optional<tlm_bus::pipe_in<collected_token>> from_shared_memory;  // if it takes s[] operands
  sc_core::sc_vector<tlm_bus::pipe_out<executed_token>> results;        // to write-back, by result port

  tlm_bus::counter instructions{"instructions", "warp instructions", "instructions executed"};
  tlm_bus::counter busy_cycles{"busy_cycles", "shader cycles", "cycles in which the unit accepts nothing new"};

  unit_group(const sc_core::sc_module_name& name, tlm_bus::stage& owner, const unit_descriptor& unit,
             const config::operand_collector_config& config, lane_share share);

  // Like pipe_in::show_occupied, for bits `bit` and `bit` + 1.
  void show_occupied(std::uint64_t& mask, unsigned bit);
  // The next instruction to start; null if there is none.
  const collected_token* next();
  // Starts that instruction and removes it from its pipe.
  void start(shader_cycle now, shader_cycles interval, unsigned lanes_per_step);

  const unit_activity* activity_at(shader_cycle cycle) const override;
  void publish(tlm_bus::signal_writer& to) override;
  const functional_unit& unit(unsigned number) const { return *units_[number]; }
  unsigned units() const { return static_cast<unsigned>(units_.size()); }

  const char* kind() const override { return "unit_group"; }

 private:
  std::vector<std::unique_ptr<functional_unit>> units_;
  bool next_is_shared_ = false;
  lane_share share_;
  std::array<unit_activity, 2> activities_;  // the one started last, and the previous one
};

class execution_units : public shader_stage {
 public:
  sc_core::sc_vector<unit_group> groups;  // in the order of the list; each has its name there

  execution_units(const sc_core::sc_module_name& name, tlm_bus::clock_domain& shader,
                  const config::sm_config& config, const unit_list& units, lane_share share = {});

  void tick() override;
  const char* kind() const override { return "execution_units"; }

 private:
  // Groups of which only one can start an instruction at a time.
  struct data_path {
    shader_cycle free_at;
    std::uint64_t occupied_bits = 0;  // in occupied_, of all its groups
  };
  void start_on(data_path& path, std::uint64_t occupied);
  void start_next(unsigned group, const collected_token& token, shader_cycle& free_at);

  const unit_list& units_;
  lane_share share_;
  unsigned path_count_;
  std::uint64_t occupied_ = 0;  // groups with an instruction in a pipe, two bits each
  std::array<data_path, max_units> paths_{};
  std::array<unit_group*, max_units> groups_{};  // pointers to the elements of `groups`
  std::array<std::array<tlm_bus::pipe_out<executed_token>*, max_results_per_unit>, max_units> results_{};
};

}  // namespace gt200::model
