// The work distributor: assigns the blocks of a grid to the SMs.
//
// Blocks start in the order of their number (y * grid.x + x), one every `interval_cycles`. The distributor visits
// the SMs in turn and gives the next block to the first SM with room. With `tpc_first`, consecutive blocks go to
// different TPCs, then to the other SMs of the TPCs, and only then does an SM get a second block. With `sm_first`
// they go to all SMs of one TPC first. The number of blocks an SM can hold follows from its warps, threads,
// registers, shared memory, block slots and barriers with their granules (occupancy.h). One grid runs at a time, so
// counting blocks is sufficient. When a block has retired, its place goes to the next one. A grid ends when every
// block has retired and all stores are acknowledged. The first block that faults ends it at once, and no further
// block starts.
//
// A block takes `launch_latency_cycles` to reach the SM; the TPC's port has this latency. A retired block becomes
// known `retire_latency_cycles` after its token was sent.
//
// Clock: uncore. Source: Kanter; Ruetsch and Micikevicius 2010; order: Wong 2010. Intervals and latencies are not
// published.
#pragma once

#include <cstdint>
#include <systemc>
#include <vector>

#include "sc_models/cluster_tokens.h"
#include "sc_models/config/chip_config.h"
#include "sc_models/distribution/grid_tokens.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/signals.h"

namespace gt200::model {

class work_distributor : public tlm_bus::stage, public tlm_bus::signal_source {
 public:
  tlm_bus::pipe_in<grid_token> grids;                          // from the command processor
  tlm_bus::pipe_out<grid_end_token> ended;                     // to it
  sc_core::sc_vector<tlm_bus::pipe_out<launch_token>> launch;  // launch_0 ..: to each TPC
  sc_core::sc_vector<tlm_bus::pipe_in<retire_token>> retire;   // retire_0 ..: from each TPC

  tlm_bus::counter blocks_launched{"blocks_launched", "blocks", "blocks handed to SMs"};
  tlm_bus::counter blocks_retired{"blocks_retired", "blocks", "blocks known to have ended"};

  work_distributor(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                   const config::gpu_config& config);

  void tick() override;
  void publish(tlm_bus::signal_writer& to) override;

  // For observers and hang reports: blocks of the running grid that have not started, and those resident in an SM.
  std::uint32_t blocks_waiting() const { return grid_ == nullptr ? 0 : grid_->blocks() - next_block_; }
  std::uint32_t blocks_resident(unsigned tpc, unsigned sm) const { return resident_[tpc * sms_per_tpc_ + sm]; }

  void visit_state(tlm_bus::state_image& state) override;
  const char* kind() const override { return "work_distributor"; }

 private:
  struct place {
    std::uint8_t tpc;
    std::uint8_t sm;
  };

  void take_retirements();
  void note_retired(unsigned tpc, const retire_token& token);
  void note_fault(unsigned tpc, const retire_token& token);
  void take_grid();
  void launch_block();
  void report_end();
  int choose();

  config::limits_config limits_;
  unsigned sms_per_tpc_;
  unsigned interval_;
  std::vector<place> order_;  // order of visits

  const grid_descriptor* grid_ = nullptr;
  std::uint32_t per_sm_ = 0;      // blocks per SM
  std::uint32_t next_block_ = 0;  // its number; x and y are kept too, to avoid a division per block
  std::uint16_t next_x_ = 0;
  std::uint16_t next_y_ = 0;
  std::uint32_t retired_ = 0;
  std::uint32_t unsettled_ = 0;    // of these: blocks with stores under way
  std::uint32_t free_places_ = 0;  // in all SMs
  std::vector<std::uint32_t> resident_;
  std::size_t next_visit_ = 0;  // in order_
  tlm_bus::cycle_t next_launch_at_ = 0;
  grid_end_token end_;  // of the running grid; marked faulted after the first fault
  bool dead_ = false;   // after a fault: blocks of that grid may still retire, but nothing else happens
};

}  // namespace gt200::model
