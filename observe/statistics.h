// What the launches of a run cost: counters, issue slots by cause, and occupancy, per launch.
//
// Attaches to a finished chip from outside. The issue slots are closed: for every scheduler of an SM their sum is
// exactly the number of core cycles of the launch, else launch_ended() throws std::logic_error. A launch
// lasts from the first core edge after its hand-over to the work distributor; `cycles` counts the core edges up to
// its end.
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

// Throws std::logic_error naming the SM unless every issue slot of these core cycles is charged exactly once.
void require_closed(const sm_record& sm, std::uint64_t cycles);

// The slots of all SMs that are charged to one instruction (sc_models/sm/front_end/slot_profile.h).
struct instruction_record {
  std::uint32_t pc = 0;         // bytes from the start of the kernel's code
  std::string text;             // disassembly; empty beyond the code
  unsigned flops = 0;           // floating-point operations per lane (toolchain/isa/tesla/flops.h)
  unsigned live_registers = 0;  // of a thread, before it (register_liveness.h)
  model::instruction_use use;
  std::uint32_t line = 0;  // of the source, as the program's line table has it; 0: unknown
};

// Throws std::logic_error unless the instructions have exactly the slots of the SMs, those without a warp apart.
void require_closed(const std::vector<instruction_record>& instructions, const slot_counts& total);

// The slots of an SM that are charged to each of its warps; those without a resident warp are left out.
struct warps_of_sm {
  std::string path;
  std::vector<slot_counts> slots;
};

struct launch_record {
  std::string kernel;
  std::array<std::uint32_t, 2> grid{};
  std::array<std::uint32_t, 3> block{};
  std::uint32_t dynamic_shared = 0;
  std::uint32_t registers = 0;  // per thread, as the kernel asks for them
  std::uint16_t grid_id = 0;
  end_reason reason = end_reason::done;
  std::string message;  // of a fault or a hang
  std::uint64_t cycles = 0;
  tlm_bus::femtoseconds began_at = 0;
  tlm_bus::femtoseconds ended_at = 0;
  std::vector<std::uint64_t> counters;  // increase in this launch, in the order of statistics::counters()
  std::vector<tlm_bus::histogram::values> histograms;  // the same, in the order of statistics::histograms()
  std::vector<sm_record> sms;
  std::vector<instruction_record> instructions;  // those with slots, in the order of the code

  tlm_bus::femtoseconds duration() const { return ended_at - began_at; }
  slot_counts slots() const;                // of all SMs
  std::uint64_t dependency_probes() const;  // of all SMs
  std::uint64_t issued() const { return slots()[static_cast<std::size_t>(model::stall_cause::none)]; }
};

class statistics {
 public:
  // The device must outlive it, and gets no further modules.
  explicit statistics(const device& target);

  // Around every device::launch().
  void launch_begins();
  void launch_ended(const launch::launch_parameters& parameters, const launch_result& result);

  const device& target() const { return target_; }
  const std::vector<counter_entry>& counters() const { return counters_; }
  const std::vector<histogram_entry>& histograms() const { return histograms_; }
  const std::vector<launch_record>& launches() const { return launches_; }
  // All launches added up; kernel, grid and block are those of the last one, and there are no instructions:
  // launches may have different kernels. Empty without launches.
  launch_record total() const;
  // Of the whole run, up to the present instant.
  std::vector<warps_of_sm> warps() const;

 private:
  struct sm_entry {
    std::string path;
    const model::sm_probe* probe;
  };
  std::vector<sm_record> accounting_until(tlm_bus::cycle_t until) const;
  std::vector<model::instruction_use> instructions_until(tlm_bus::cycle_t until) const;
  void list_instructions(launch_record& record, const cubin::kernel& kernel, tlm_bus::cycle_t until) const;
  void count_slots(launch_record& record, const launch_result& result, const cubin::kernel& kernel) const;

  const device& target_;
  std::vector<counter_entry> counters_;
  std::vector<histogram_entry> histograms_;
  std::vector<sm_entry> sms_;
  std::vector<launch_record> launches_;
  // At launch_begins():
  tlm_bus::femtoseconds called_at_ = 0;
  std::vector<std::uint64_t> counters_before_;
  std::vector<tlm_bus::histogram::values> histograms_before_;
  std::vector<sm_record> sms_before_;
  std::vector<model::instruction_use> instructions_before_;
};

}  // namespace gt200::observe
