// What can be observed of an SM from outside: accounting, state, and taps for observers.
//
// Observers, the driver and the hang report know an SM only by this interface. Its functions do not change the
// model. `until` is the first core cycle that is not counted.
#pragma once

#include <cstdint>
#include <string>
#include <systemc>
#include <vector>

#include "sc_models/sm/cycles.h"
#include "sc_models/sm/dependency/tracking_cost.h"
#include "sc_models/sm/fault_record.h"
#include "sc_models/sm/front_end/slot_profile.h"
#include "sc_models/sm/observers.h"
#include "sc_models/sm/sm_contents.h"
#include "sc_models/sm/stage_tokens.h"
#include "sc_models/sm/warp_status.h"
#include "tlm_bus/pipe.h"
#include "tlm_bus/tap.h"
#include "tlm_bus/time.h"
#include "toolchain/arch_state/register_rows.h"

namespace gt200::model {

class lockstep_comparison;

// A tap and the module it belongs to.
template <class Observer>
struct module_tap {
  sc_core::sc_object& module;
  tlm_bus::tap<Observer>& tap;
};

class sm_probe {
 public:
  using issue_tap = tlm_bus::tap<tlm_bus::pipe_observer<issued_token>>;

  virtual ~sm_probe() = default;

  // -- accounting --

  virtual unsigned schedulers() const = 0;
  // Issue slots charged to each cause; they add up to `until` for each scheduler.
  virtual slot_counts slots_until(unsigned scheduler, core_cycle until) const = 0;
  // The same slots of all schedulers by warp and by instruction, without those that had no resident warp.
  virtual slot_profile profile_until(core_cycle until) const = 0;
  // Resident warps, added up over the cycles.
  virtual std::uint64_t resident_warp_cycles_until(core_cycle until) const = 0;
  // Of these, warps with an empty instruction buffer because of an instruction cache miss.
  virtual std::uint64_t miss_starved_warp_cycles_until(core_cycle until) const = 0;
  // Look-ups that the dependency mechanism made for instructions.
  virtual std::uint64_t dependency_probes_until(core_cycle until) const = 0;
  virtual tracking_cost dependency_hardware() const = 0;

  // -- progress --

  virtual std::uint64_t instructions_issued() const = 0;
  virtual std::uint64_t instructions_completed() const = 0;
  virtual std::uint64_t blocks_retired() const = 0;
  // Memory and texture instructions that have left through sm_if::memory_operations().
  virtual std::uint64_t memory_operations_sent() const = 0;

  // -- state as of the last clock edge --

  // The first fault; its kind is none while there is none.
  virtual const fault_record& fault() const = 0;
  virtual unsigned resident_blocks() const = 0;
  virtual warp_mask resident_warps() const = 0;
  virtual warp_status status_of(warp_slot warp) const = 0;  // of a resident warp
  // Instructions that have issued and not completed, in no order.
  virtual std::vector<const warp_instruction*> in_flight() const = 0;
  // The unit that has an instruction in flight, derived from its kind. Empty: memory outside the SM.
  virtual std::string unit_of(const warp_instruction& operation) const = 0;
  // The module from which the warp's instructions come, and the one that keeps them back until they may issue.
  virtual const sc_core::sc_object& icache_of(warp_slot warp) const = 0;
  virtual const sc_core::sc_object& register_file_of(warp_slot warp) const = 0;
  virtual const sc_core::sc_object& dependencies_of(warp_slot warp) const = 0;
  virtual const arch_state::register_rows& registers_of(warp_slot warp) const = 0;
  virtual const std::uint8_t* shared_bytes_of(block_slot block) const = 0;
  // How many bytes that are; 0 before the first block in the slot.
  virtual unsigned shared_size_of(block_slot block) const = 0;

  // -- contents of storage, with the changes of the present cycle --

  virtual sm_sizes sizes() const = 0;
  virtual const arch_state::divergence& divergence_of(warp_slot warp) const = 0;
  // The instructions in the buffer of a warp, from the oldest on.
  virtual unsigned buffered_of(warp_slot warp) const = 0;
  virtual const buffered_instruction& buffered_at(warp_slot warp, unsigned position) const = 0;
  virtual block_slot_state slot_state_of(block_slot block) const = 0;

  // -- taps --

  // By pipe from issue to the operand collector.
  virtual std::vector<issue_tap*> issue_taps() = 0;
  // By scheduler that has an instruction buffer of its own.
  virtual std::vector<module_tap<instruction_buffer_observer>> instruction_buffer_taps() = 0;
  virtual module_tap<scoreboard_observer> scoreboard_tap() = 0;
  virtual module_tap<arbitration_observer> arbitration_tap(unsigned scheduler) = 0;
  virtual module_tap<shared_memory_observer> shared_memory_tap() = 0;
  // By module in which instructions complete; the taps may be one.
  virtual std::vector<module_tap<write_back_observer>> write_back_taps() = 0;
  tlm_bus::tap<write_back_observer>& completions() { return write_back_taps().front().tap; }
  // Null if warps share no registers over time.
  virtual tlm_bus::tap<section_observer>* section_tap() { return nullptr; }
  // Comparisons of RTL with its SystemC model; empty without RTL.
  virtual std::vector<lockstep_comparison*> lockstep_comparisons() = 0;
};

}  // namespace gt200::model
