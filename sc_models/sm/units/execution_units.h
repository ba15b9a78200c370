// The functional units of an SM, on the shader clock: eight SPs, two SFUs, one DP unit.
//
// Each group of units takes one warp instruction per initiation interval, and passes the result of its 32 lanes to
// write-back after the latency (unit_group.h). Instructions with an s[] operand come from shared memory, all others
// from the operand collector; the oldest by issue goes first. Groups that share a data path (DP and SP,
// dp.shares_sp) exclude each other, again in order of issue; the others work in parallel. unit_list.h defines the
// groups and their timing.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "sc_models/sm/clocked_stage.h"
#include "sc_models/sm/units/unit_group.h"

namespace gt200::model {

class execution_units : public shader_stage {
 public:
  sc_core::sc_vector<unit_group> groups;  // in the order of the list; each has its name there

  // `core`: the core clock of the SM; without it no unit is RTL.
  execution_units(const sc_core::sc_module_name& name, tlm_bus::clock_domain& shader,
                  const config::sm_config& config, const unit_list& units, lane_share share = {},
                  unsigned sm_in_chip = 0, const tlm_bus::clock_domain* core = nullptr);

  // The functional units that lanes pass one by one: sp_0, ...; none where no group works lane by lane.
  std::vector<std::string> units_by_lane() const;

  void tick() override;
  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "execution_units"; }

 private:
  // Groups of which only one can start an instruction at a time.
  struct data_path {
    shader_cycle free_at;
    std::uint64_t occupied_bits = 0;  // in occupied_, of all its groups
  };
  [[gnu::always_inline]] void start_on(data_path& path, std::uint64_t occupied);
  [[gnu::noinline]] bool start_oldest(data_path& path, std::uint64_t occupied);
  [[gnu::always_inline]] bool start(unsigned group, warp_instruction& operation, data_path& path);
  // Where values pass lane by lane.
  [[gnu::noinline]] void await_beat(unsigned group);
  [[gnu::noinline]] void enter_beats();

  unsigned path_count_ = 0;
  std::uint64_t beating_ = 0;  // groups with beats that have not entered
  std::array<data_path, max_units> paths_{};
  std::array<unit_group*, max_units> groups_{};  // pointers to the elements of `groups`
};

}  // namespace gt200::model
