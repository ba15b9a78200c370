// Parameters of operand collection, register file, execution units and memories inside an SM. tpc.sm.*
#pragma once

#include <cstdint>

#include "sc_models/config/cache_config.h"
#include "sc_models/config/clock_ratio.h"
#include "sc_models/config/parameter.h"

namespace gt200::config {

// tpc.sm.operand_collector: collector units per class of unit.
struct operand_collector_config {
  std::uint32_t sp_units{};
  std::uint32_t sfu_units{};
  std::uint32_t dp_units{};
  std::uint32_t memory_units{};
  std::uint32_t unit_queue_entries{};
  std::uint32_t shared_operand_queue_entries{};
  std::uint32_t control_queue_entries{};

  void describe(visitor& v) {
    v.number("sp_units", sp_units, unit::none, between(1, 64), "instructions collecting for the SPs",
             documented("GPGPU-Sim, configuration QuadroFX5800"));
    v.number("sfu_units", sfu_units, unit::none, between(1, 64), "instructions collecting for the SFUs",
             documented("GPGPU-Sim, configuration QuadroFX5800"));
    v.number("dp_units", dp_units, unit::none, between(1, 64), "instructions collecting for the DP unit",
             assumption("two cover its interval"));
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

// tpc.sm.register_file
struct register_file_config {
  std::uint32_t banks{};
  std::uint32_t read_ports{};
  std::uint32_t memory_read_ports{};
  std::uint32_t write_ports{};

  void describe(visitor& v) {
    v.number("banks", banks, unit::none, between(1, 64),
             "banks of four 32-bit registers of neighbouring threads; each serves one access per shader cycle",
             measured("Wong 2010: behaves as 64 banks; Kanter: 16 or 24"));
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

// Width of a unit. A warp passes in 32 / lanes groups.
struct lane_group {
  std::uint32_t lanes{};
  std::uint32_t cycles_per_group{};

  // Shader cycles for which an instruction occupies the unit. Without a division, which the model would pay for
  // with every instruction: `lanes` is a power of two.
  std::uint32_t interval_cycles() const { return (32u >> __builtin_ctz(lanes)) * cycles_per_group; }

  void describe(visitor& v, source from) {
    v.number("lanes", lanes, unit::none, power_of_two(1, 32),
             "lanes executed at once; a warp passes in 32 / lanes groups", from);
    v.number("cycles_per_group", cycles_per_group, unit::shader_cycles, between(1, 64),
             "interval between groups of lanes; times 32 / lanes it is the initiation interval of a warp", from);
  }
};

// tpc.sm.sp
struct sp_config : lane_group {
  std::uint32_t latency_cycles{};
  std::uint32_t shared_operand_interval_cycles{};

  void describe(visitor& v) {
    lane_group::describe(v, documented("CUDA C Programming Guide 4.2: 8 lanes, a warp in 4 cycles"));
    v.number("latency_cycles", latency_cycles, unit::shader_cycles, whole_core_cycles(6, 1000),
             "issue until a dependent instruction issues", measured("Wong 2010, table of units: 24"));
    v.number("shared_operand_interval_cycles", shared_operand_interval_cycles, unit::shader_cycles,
             between(1, 1000), "initiation interval with an s[] operand",
             measured("Volkov and Demmel 2008: 66 % of the MAD rate"));
  }
};

// tpc.sm.sfu
struct sfu_config : lane_group {
  std::uint32_t latency_cycles{};
  bool multiply_enabled{};
  std::uint32_t multiply_interval_cycles{};
  std::uint32_t multiply_latency_cycles{};

  void describe(visitor& v) {
    lane_group::describe(v, documented("CUDA C Programming Guide 4.2: 2 results per cycle, a warp in 16"));
    v.number("latency_cycles", latency_cycles, unit::shader_cycles, whole_core_cycles(6, 1000),
             "issue until a dependent instruction issues", measured("Wong 2010, table of units: 28"));
    v.flag("multiply_enabled", multiply_enabled, "fp32 multiplications may go to the SFUs when the SPs are busy",
           documented("CUDA C Programming Guide 4.2; Lindholm: 4 multipliers per SFU"));
    v.number("multiply_interval_cycles", multiply_interval_cycles, unit::shader_cycles, between(1, 1000),
             "initiation interval of such a multiplication",
             measured("Wong 2010: 11.2 multiplications per cycle over SP and SFU; Kanter implies 4"));
    v.number("multiply_latency_cycles", multiply_latency_cycles, unit::shader_cycles, whole_core_cycles(6, 1000),
             "issue until a dependent instruction issues", measured("Wong 2010: fp32 mul 24 on either pipe"));
  }
};

// tpc.sm.dp
struct dp_config : lane_group {
  std::uint32_t latency_cycles{};
  bool shares_sp{};

  void describe(visitor& v) {
    lane_group::describe(v, documented("CUDA C Programming Guide 4.2: 1 result per cycle, a warp in 32"));
    v.number("latency_cycles", latency_cycles, unit::shader_cycles, whole_core_cycles(6, 1000),
             "issue until a dependent instruction issues", measured("Wong 2010, table of units: 48"));
    v.flag("shares_sp", shares_sp, "SP and DP instructions exclude each other",
           documented("Kanter: DP and SP share data paths and are not usable at once"));
  }
};

// tpc.sm.shared_memory
struct shared_memory_config {
  std::uint32_t banks{};
  std::uint32_t latency_cycles{};
  std::uint32_t queue_entries{};

  void describe(visitor& v) {
    v.number("banks", banks, unit::none, power_of_two(1, 64),
             "32-bit banks; each serves one word per core cycle and half-warp",
             documented("CUDA C Programming Guide 4.2: 16 banks, 32 bits per 2 cycles"));
    v.number(
        "latency_cycles", latency_cycles, unit::shader_cycles, whole_core_cycles(8, 1000),
        "issue of a conflict-free access until a dependent instruction issues; arithmetic with an s[] operand: "
        "at least 2 more than the unit's own",
        measured("Wong 2010: 38"));
    v.number("queue_entries", queue_entries, unit::none, between(1, 64), "accesses waiting in front of the banks",
             assumption("covers full rate between two stages"));
  }
};

// tpc.sm.memory_port
struct memory_port_config {
  std::uint32_t queue_entries{};
  std::uint32_t interval_cycles{};

  void describe(visitor& v) {
    v.number("queue_entries", queue_entries, unit::none, between(1, 64),
             "memory and texture instructions waiting to leave",
             assumption("covers full rate across the clock boundary"));
    v.number("interval_cycles", interval_cycles, unit::shader_cycles, whole_core_cycles(2, 1000),
             "between two memory instructions of the SM",
             documented("CUDA C Programming Guide 2.x: 4 cycles to issue a memory instruction"));
  }
};

// tpc.sm.constant_cache
struct constant_cache_config : cache_config {
  std::uint32_t interval_cycles{};

  void describe(visitor& v) {
    cache_config::describe(v, unit::shader_cycles, measured("Wong 2010, table of caches (2 KB, 4-way, 64 B)"),
                           measured("Wong 2010, table of caches: 8"));
    v.number("interval_cycles", interval_cycles, unit::shader_cycles, between(1, 1000),
             "per distinct address of a half-warp",
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
