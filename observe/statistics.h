// The cost of the launches of a run: counters, issue slots by cause, and occupancy, per launch.
//
// Attaches to a finished chip from outside. The accounting of issue slots is complete: for every scheduler of an SM
// the slots add up exactly to the core cycles of the launch, or launch_ended() throws std::logic_error. A launch
// lasts from the first core edge after the work distributor receives it; `cycles` counts the core edges up to its
// end.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "driver/device.h"
#include "observe/statistics_counters.h"
#include "sc_models/sm/sm_probe.h"
#include "sc_models/sm/stall_cause.h"

namespace gt200::observe {

using model::slot_counts;

struct sm_record {
  std::string path;                     // gt200.tpc_0.sm_2
  std::vector<slot_counts> schedulers;  // one slot per cycle each
  std::uint64_t resident_warp_cycles = 0;
  std::uint64_t miss_starved_warp_cycles =
      0;                                // of these, with an empty buffer because of an instruction cache miss
  std::uint64_t dependency_probes = 0;  // look-ups of instructions by the scoreboard

  slot_counts slots() const;  // of all schedulers
};

// Throws std::logic_error with the name of the SM unless every issue slot of these core cycles is charged exactly
// once.
void require_closed(const sm_record& sm, std::uint64_t cycles);

// The issue slots of all SMs that are charged to one instruction (sc_models/sm/front_end/slot_profile.h).
struct instruction_record {
  std::uint32_t pc = 0;         // bytes from the start of the kernel's code
  std::string text;             // disassembly; empty beyond the end of the code
  unsigned flops = 0;           // floating-point operations per lane (toolchain/isa/<generation>/flops.h)
  unsigned live_registers = 0;  // per thread, before the instruction (register_liveness.h); Fermi: 0, unknown
  model::instruction_use use;
  std::uint32_t line = 0;  // source line from the program's line table; 0: unknown
};

// Throws std::logic_error unless the slots of the instructions add up to those of the SMs without the no-warp
// slots.
void require_closed(const std::vector<instruction_record>& instructions, const slot_counts& total);

// The slots of an SM that are charged to each of its warps. Slots without a resident warp are not included.
struct warps_of_sm {
  std::string path;
  std::vector<slot_counts> slots;
};

struct launch_record {
  std::string kernel;
  launch::grid_size grid;
  std::array<std::uint32_t, 3> block{};
  std::uint32_t dynamic_shared = 0;
  std::uint32_t registers = 0;  // per thread, as the kernel asks for them
  std::uint64_t code_hash = 0;  // 64-bit FNV-1a over the words of its code
  std::uint16_t grid_id = 0;
  end_reason reason = end_reason::done;
  std::string message;  // describes a fault or a hang
  std::uint64_t cycles = 0;
  tlm_bus::femtoseconds began_at = 0;
  tlm_bus::femtoseconds ended_at = 0;
  std::vector<std::uint64_t> counters;  // increase during this launch, in the order of statistics::counters()
  std::vector<tlm_bus::histogram::values> histograms;  // the same, in the order of statistics::histograms()
  std::vector<sm_record> sms;
  std::vector<instruction_record> instructions;  // instructions with slots, in code order

  tlm_bus::femtoseconds duration() const { return ended_at - began_at; }
  slot_counts slots() const;                // of all SMs
  std::uint64_t dependency_probes() const;  // of all SMs
  std::uint64_t issued() const { return slots()[static_cast<std::size_t>(model::stall_cause::none)]; }
};

class statistics {
 public:
  // The chip must outlive it, and no modules may be added afterwards.
  explicit statistics(const model::chip& chip);
  explicit statistics(const device& target) : statistics(target.chip()) {}

  // Call these around every device::launch(). A platform calls them before it writes LAUNCH, and when the launch
  // has ended: docs/virtual_platform.md.
  void launch_begins();
  void launch_ended(const launch::launch_parameters& parameters, const launch_result& result);

  const model::chip& chip() const { return chip_; }
  const std::vector<counter_entry>& counters() const { return counters_; }
  const std::vector<histogram_entry>& histograms() const { return histograms_; }
  const std::vector<launch_record>& launches() const { return launches_; }
  // All launches added up. Kernel, grid and block are those of the last launch. There are no instructions, because
  // launches may have different kernels. Empty if there was no launch.
  launch_record total() const;
  // The whole run up to the current instant.
  std::vector<warps_of_sm> warps() const;

 private:
  struct sm_entry {
    std::string path;
    const model::sm_probe* probe;
  };
  std::vector<sm_record> accounting_until(model::core_cycle until) const;
  std::vector<model::instruction_use> instructions_until(model::core_cycle until) const;
  void list_instructions(launch_record& record, const cubin::kernel& kernel, model::core_cycle until) const;
  void count_slots(launch_record& record, const launch_result& result, const cubin::kernel& kernel) const;

  const model::chip& chip_;
  std::vector<counter_entry> counters_;
  std::vector<histogram_entry> histograms_;
  std::vector<sm_entry> sms_;
  std::vector<launch_record> launches_;
  // Set by launch_begins():
  tlm_bus::femtoseconds called_at_ = 0;
  std::vector<std::uint64_t> counters_before_;
  std::vector<tlm_bus::histogram::values> histograms_before_;
  std::vector<sm_record> sms_before_;
  std::vector<model::instruction_use> instructions_before_;
};

}  // namespace gt200::observe
