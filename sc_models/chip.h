// The chip on one page: clocks, host, and everything from the launch registers to the DRAM.
//
//   host - command_processor - work_distributor = tpcs (launch, retire)
//                |                                |  |
//                | debug access                   |  l3 (constants, instructions)
//                |                                |  |
//                +-------------- crossbar --------+--+
//                                    |
//                                partitions
//
// Sources of the crossbar: one per TPC, then the L3 cache, then the command processor. With ideal memory the TPCs
// and the L3 are bound to ideal_memory, which reaches the partitions by debug access; the command processor keeps
// its way to the DRAM.
//
// Each TPC has clocks of its own and runs by itself in windows; the other parts share the main clocks
// (tlm_bus/clocking.h, docs/threads.md).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "sc_models/cache/read_only_cache.h"
#include "sc_models/cluster/cluster_clocks.h"
#include "sc_models/cluster/tpc.h"
#include "sc_models/config/chip_config.h"
#include "sc_models/config/cluster_border.h"
#include "sc_models/distribution/command_processor.h"
#include "sc_models/distribution/texture_invalidation.h"
#include "sc_models/distribution/work_distributor.h"
#include "sc_models/host/host.h"
#include "sc_models/interconnect/address_map.h"
#include "sc_models/interconnect/crossbar.h"
#include "sc_models/memory_path/page_table.h"
#include "sc_models/memory_transaction.h"
#include "sc_models/partition/ideal_memory.h"
#include "sc_models/partition/partition.h"
#include "tlm_bus/clock_domain.h"
#include "tlm_bus/clocking.h"
#include "tlm_bus/resettable.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

// Who programs the chip: its own `host`, or a virtual platform around it. A platform binds an initiator of the base
// protocol to command_processor.host and, optionally, a listener to command_processor.interrupt.
enum class chip_host : std::uint8_t { own, platform };

class chip : public sc_core::sc_module, public tlm_bus::resettable {
 public:
  using l3_cache = read_only_cache<gpu_memory_protocol>;

  const config::gpu_config config;  // modules refer to their slices
  const config::cluster_border border;
  const sm_factory make_sm;  // of the SMs
  page_table pages;          // of the driver, changed between launches only; on a platform those of textures

  tlm_bus::clocking clocks;
  tlm_bus::clock_domain shader;
  tlm_bus::clock_domain core;
  tlm_bus::clock_domain uncore;
  tlm_bus::clock_domain memory;
  std::deque<cluster_clocks> clocks_of_tpcs;  // of the same periods

  gt200::model::host host;
  gt200::model::command_processor command_processor;
  gt200::model::work_distributor work_distributor;
  gt200::model::crossbar crossbar;     // before those whose transactions refer to it
  std::deque<gt200::model::tpc> tpcs;  // tpc_0 ..
  l3_cache l3;
  std::deque<gt200::model::partition> partitions;                            // partition_0 ..
  std::unique_ptr<gt200::model::ideal_memory> ideal_memory;                  // null unless the idealisation is on
  std::unique_ptr<gt200::model::texture_invalidation> texture_invalidation;  // null unless configured

  // The time resolution of the simulation must be 1 fs. `config` must have passed config::check(). `make_sm` builds
  // the SMs; empty: those
  // of the generation that chip.compute_capability names.
  chip(const sc_core::sc_module_name& name, const config::gpu_config& config,
       const tlm_bus::clocking_options& options = {}, chip_host programmed_by = chip_host::own,
       sm_factory make_sm = {});
  ~chip() override;

  // True if a platform programs it: then page tables are in the memory of the chip alone. Textures are translated
  // by `pages` all the same: it is read from there when a launch with textures begins.
  bool on_platform() const { return programmed_by_ == chip_host::platform; }
  // All pages that are mapped by the tables in the memory of the chip, whoever wrote them.
  page_table pages_in_memory();
  // What all SMs execute.
  const arch_state::generation& generation() const { return make_sm.generation(); }
  // Of all TPCs, in their order.
  std::vector<sm_if*> sms() const;
  // Increases whenever an instruction issues or completes, a block retires, or a partition makes progress. Progress
  // of partitions counts because many accesses to one address can queue for much longer than a single access takes.
  std::uint64_t progress() const;
  // Asks for a reset, as a write to the register RESET does: docs/virtual_platform.md says what it brings back and
  // when. By any process, or between two runs of the simulation. Throws std::logic_error with the first of
  // reset_refusals() if there is one.
  void reset();
  bool reset_pending() const { return clocks.reset_pending(); }
  // Why the chip cannot be reset: a part and its reason in each; empty if it can.
  std::vector<std::string> reset_refusals() const;
  // Before the simulation begins: this chip will not be reset, so its initial state is not kept. That saves time
  // when the simulation begins, and memory.
  void forgo_reset() { keeps_state_ = false; }
  // Before the first cycle: nobody is going to look into the SMs, so that stages share one state where they can
  // (sm_if.h). Does nothing if somebody does already.
  void join_stages();
  // Between two cycles: somebody looks into the SMs from now on. Whoever attaches to taps alone need not say so.
  void look_inside();
  // Before the simulation begins: a run of the same machine at another moment. Replies of the partitions wait up to
  // one cycle more (crossbar.h), and refresh has another phase, the same in all partitions. Both are pure functions
  // of the seed, the place and the cycle.
  void vary(std::uint64_t seed);
  // For observers that cannot go on after a reset: from now on it is refused for this reason, until `why` is empty.
  void object_to_reset(const void* observer, const std::string& why);

  // The parts through which an access passes, from the DRAM to the SMs. A part that lies within another one comes
  // before it.
  std::vector<std::vector<const sc_core::sc_object*>> way_from_memory() const;

  void visit_state(tlm_bus::state_image&) override {}  // only its parts have state
  const char* kind() const override { return "chip"; }

 private:
  void start_of_simulation() override;
  void carry_out_reset();
  void bind_tpcs();
  void bind_memory();
  void bind_texture_invalidation();

  const chip_host programmed_by_;
  bool looked_into_ = false;
  bool keeps_state_ = true;
  tlm_bus::state_image state_;
  std::map<const void*, std::string> objections_;
};

}  // namespace gt200::model
