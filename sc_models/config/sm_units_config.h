// Parameters of operand collection, register file and memories inside an SM. tpc.sm.*
#pragma once

#include <array>
#include <cstdint>

#include "sc_models/config/cache_config.h"
#include "sc_models/config/clock_ratio.h"
#include "sc_models/config/execution_units_config.h"
#include "sc_models/config/parameter.h"

namespace gt200::config {

// tpc.sm.operand_collector: collector units per class of unit.
struct operand_collector_config : collector_units_config {
  std::uint32_t memory_units{};
  std::uint32_t unit_queue_entries{};
  std::uint32_t shared_operand_queue_entries{};
  std::uint32_t control_queue_entries{};

  void describe(visitor& v) {
    collector_units_config::describe(v);
    v.number("memory_units", memory_units, unit::none, between(1, 64),
             "instructions collecting for shared memory, memory port and constant cache",
             assumption("as for the SPs, less the three-operand instructions"));
    const source full_rate = assumption("covers full rate between two stages");
    v.number("unit_queue_entries", unit_queue_entries, unit::none, between(1, 64),
             "collected instructions waiting in front of each kind of unit", full_rate);
    v.number("shared_operand_queue_entries", shared_operand_queue_entries, unit::none, between(1, 64),
             "the same for instructions whose s[] operand has been read", full_rate);
    v.number("control_queue_entries", control_queue_entries, unit::none, between(1, 64),
             "the same for control instructions and for barriers", full_rate);
  }
};

// How warps hold the registers that a kernel's code asks for and gives back; docs/register_sharing.md.
enum class register_sharing : std::uint8_t { none, regmutex, paired_warps };
template <>
inline constexpr std::array<const char*, 3> choice_names<register_sharing> = {"none", "regmutex", "paired_warps"};

// tpc.sm.register_file
struct register_file_config {
  register_sharing sharing{};
  std::uint32_t banks{};
  std::uint32_t banks_per_sp{};
  std::uint32_t read_ports{};
  std::uint32_t memory_read_ports{};
  std::uint32_t write_ports{};

  // Of four registers each, in an SM with `lanes` SPs.
  std::uint32_t banks_with(std::uint32_t lanes) const {
    return banks_per_sp == 0 ? banks : banks_per_sp * lanes / 4;
  }

  void describe(visitor& v) {
    v.choice("sharing", sharing,
             "whether warps share registers over time: sections for any warp, or one section for each two warps",
             assumption("none on Tesla; the others: RegMutex, ISCA 2018"));
    v.number("banks", banks, unit::none, between(1, 64),
             "banks of four 32-bit registers of neighbouring threads; each serves one access per shader cycle",
             measured("Wong 2010: behaves as 64 banks; Kanter: 16 or 24"));
    v.number("banks_per_sp", banks_per_sp, unit::none, between(0, 64),
             "the same as banks of one register in each SP, in place of `banks`; 0: `banks` counts",
             documented("Kanter: the register file is divided among the SPs, probably 16 or 24 banks in each"));
    v.number("read_ports", read_ports, unit::none, between(1, 1024),
             "32-bit registers read per core cycle for the execution units and shared memory",
             documented("Kanter: 80 reads per core cycle"));
    v.number("memory_read_ports", memory_read_ports, unit::none, between(1, 1024),
             "32-bit registers read per core cycle for loads, stores and textures",
             documented("Kanter: about 128 ports with load/store and texture, less 80 reads and 32 writes"));
    v.number("write_ports", write_ports, unit::none, between(1, 1024), "32-bit results written per core cycle",
             documented("Kanter: 32 writes per core cycle"));
  }
};

// tpc.sm.shared_memory
struct shared_memory_config {
  std::uint32_t banks{};
  timed::shader_cycles latency_cycles{};
  std::uint32_t queue_entries{};
  timed::shader_cycles replay_cycles{};
  timed::shader_cycles replay_latency_cycles{};

  void describe(visitor& v) {
    v.number("banks", banks, unit::none, power_of_two(1, 64),
             "32-bit banks; each serves one word per core cycle and half-warp",
             documented("CUDA C Programming Guide 4.2: 16 banks, 32 bits per 2 cycles"));
    v.cycles(
        "latency_cycles", latency_cycles, whole_core_cycles(8, 1000),
        "issue of a conflict-free access until a dependent instruction issues; arithmetic with an s[] operand: "
        "at least 2 more than the unit's own",
        measured("Wong 2010: 38"));
    v.number("queue_entries", queue_entries, unit::none, between(1, 64), "accesses waiting in front of the banks",
             assumption("covers full rate between two stages"));
    v.cycles("replay_cycles", replay_cycles, whole_core_cycles(0, 64),
             "bank conflicts repeat the access of the warp, as often as its worse half-warp needs, and each time "
             "takes this long; "
             "0: each half-warp takes two cycles for each step of its own",
             assumption("the banks' own time; G80: inferred from kernels with conflicts"));
    v.cycles("replay_latency_cycles", replay_latency_cycles, whole_core_cycles(0, 1000),
             "each pass that bank conflicts add goes through the pipeline behind the one before: for so long the "
             "warp issues nothing, while the banks serve others; 0: a pass costs its time in the banks alone",
             assumption("the latency of an access (Wong 2010: 38), inferred from a solver of many conflicts"));
  }
};

// tpc.sm.memory_port
struct memory_port_config {
  std::uint32_t queue_entries{};
  timed::shader_cycles interval_cycles{};

  void describe(visitor& v) {
    v.number("queue_entries", queue_entries, unit::none, between(1, 64),
             "memory and texture instructions waiting to leave",
             assumption("covers full rate across the clock boundary"));
    v.cycles("interval_cycles", interval_cycles, whole_core_cycles(2, 1000),
             "between two memory instructions of the SM",
             documented("CUDA C Programming Guide 2.x: 4 cycles to issue a memory instruction"));
  }
};

// tpc.sm.constant_cache
struct constant_cache_config : cache_config {
  timed::shader_cycles interval_cycles{};

  void describe(visitor& v) {
    cache_config::describe(v, unit::shader_cycles, measured("Wong 2010, table of caches (2 KB, 4-way, 64 B)"),
                           measured("Wong 2010, table of caches: 8"));
    v.cycles("interval_cycles", interval_cycles, between(1, 1000), "per distinct address of a half-warp",
             documented("CUDA C Programming Guide 5.5: one request per distinct address"));
  }
};

// tpc.sm.write_back
struct write_back_config {
  std::uint32_t queue_entries{};

  void describe(visitor& v) {
    v.number("queue_entries", queue_entries, unit::none, between(1, 64),
             "results per unit waiting for the register file's write ports",
             assumption("covers full rate between two stages"));
  }
};

}  // namespace gt200::config
