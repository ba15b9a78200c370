// Parameters of a streaming multiprocessor: tpc.sm.*
// One structure per module; the modules' headers say how they use them.
#pragma once

#include <cstdint>

#include "sc_models/config/cache_config.h"
#include "sc_models/config/clock_ratio.h"
#include "sc_models/config/execution_units_config.h"
#include "sc_models/config/parameter.h"
#include "sc_models/config/processing_block_config.h"
#include "sc_models/config/sm_front_end_config.h"
#include "sc_models/config/sm_units_config.h"
#include "sc_models/config/unit_detail_config.h"

namespace gt200::config {

// What fits into an SM, and the granules in which blocks take it. tpc.sm.limits
struct limits_config {
  std::uint32_t warps{};
  std::uint32_t threads{};
  std::uint32_t blocks{};
  std::uint32_t barriers{};
  std::uint32_t registers{};
  std::uint32_t register_granule{};
  std::uint32_t warp_granule{};
  std::uint32_t registers_per_thread{};
  std::uint32_t least_registers_per_thread{};
  std::uint32_t shared_bytes{};
  std::uint32_t shared_granule_bytes{};
  std::uint32_t threads_per_block{};

  // The registers that a thread takes of the register file if its kernel names this many.
  std::uint32_t registers_taken(std::uint32_t named) const {
    return named < least_registers_per_thread ? least_registers_per_thread : named;
  }

  void describe(visitor& v) {
    const source guide = documented("CUDA C Programming Guide 4.2, appendix F");
    v.number("warps", warps, unit::none, between(1, 64), "warps resident at once", guide);
    v.number("threads", threads, unit::none, multiple_of(32, 32, 2048), "threads resident at once", guide);
    v.number("blocks", blocks, unit::none, between(1, 32), "blocks resident at once", guide);
    v.number("barriers", barriers, unit::none, between(1, 64), "barrier counters",
             documented("envytools, context layout of an MP"));
    v.number("registers", registers, unit::none, multiple_of(256, 256, 262144), "32-bit registers", guide);
    v.number("register_granule", register_granule, unit::none, power_of_two(1, 8192),
             "registers of a block are rounded up to a multiple of this", guide);
    v.number("warp_granule", warp_granule, unit::none, power_of_two(1, 8),
             "for registers, the warps of a block are rounded up to a multiple of this", guide);
    v.number("registers_per_thread", registers_per_thread, unit::none, between(4, 255),
             "most registers of a thread", documented("Kanter: 4-128; instruction encoding: $r0-$r127"));
    v.number("least_registers_per_thread", least_registers_per_thread, unit::none, between(1, 255),
             "registers that a thread takes at least", assumption("as many as its kernel names; Kanter: 4"));
    v.number("shared_bytes", shared_bytes, unit::bytes, multiple_of(512, 512, 131072), "shared memory", guide);
    v.number("shared_granule_bytes", shared_granule_bytes, unit::bytes, power_of_two(64, 4096),
             "shared memory of a block is rounded up to a multiple of this", guide);
    v.number("threads_per_block", threads_per_block, unit::none, between(1, 2048), "most threads of a block",
             guide);
  }
};

// tpc.sm
struct sm_config : execution_units_config {
  clock_ratio clocks = tesla_clocks;
  limits_config limits;
  fetch_config fetch;
  cache_config icache;
  decode_config decode;
  instruction_buffer_config instruction_buffer;
  scoreboard_config scoreboard;
  scheduler_config scheduler;
  rtl_config rtl;
  issue_config issue;
  gt200::config::warp_formation warp_formation{};
  dependency_rule dependencies{};
  simt_stack_config simt_stack;
  warp_former_config warp_former;
  branch_config branch;
  barrier_config barrier;
  operand_collector_config operand_collector;
  register_file_config register_file;
  units_config units;
  shared_memory_config shared_memory;
  memory_port_config memory_port;
  constant_cache_config constant_cache;
  write_back_config write_back;
  processing_block_config processing_block;

  // From the issue of an instruction until a dependent one issues, for the latency of a unit as its key gives it.
  // What is measured in the unit ends with the first core cycle in which write-back can take the result of an
  // instruction that starts in the last shader cycle before an edge; issue, collector and write-back follow.
  timed::shader_cycles issue_to_issue(timed::shader_cycles latency) const {
    if (units.latency_measured == latency_measure::issue_to_issue) return latency;
    const timed::core_cycles in_unit =
        clocks.to_core_begun(latency - timed::shader_cycles(1)) + timed::core_cycles(1);
    return clocks.to_shader(in_unit + timed::core_cycles(1) + issue.latency_cycles);
  }

  void describe(visitor& v) {
    v.choice("warp_formation", warp_formation,
             "whether a warp keeps its threads, or threads of a block that go on at one address form warps anew; "
             "dynamic: as they come; compaction: when all threads of the block have arrived",
             assumption("static on Tesla; dynamic: Fung et al., MICRO 2007; compaction: Fung, Aamodt, HPCA 2011"));
    v.choice(
        "dependencies", dependencies,
        "what keeps a register from being read too early: the compiler's control codes alone, its stalls and a "
        "scoreboard, or a scoreboard alone",
        documented("scoreboard up to Fermi; control_codes: Huerta et al., MICRO 2025; checked_stalls: as Kepler"));
    v.group("limits", limits, "what fits into an SM, and the granules in which blocks take it");
    v.group("fetch", fetch, "picks a warp with room in its instruction buffer and reads its next instruction");
    v.group("icache", icache, "L1 instruction cache", unit::core_cycles,
            measured("Wong 2010, table of caches (4 KB, 4-way, 256 B)"),
            assumption("one core cycle for tags, one for data"));
    v.group("decode", decode, "instruction words to decoded instructions");
    v.group("instruction_buffer", instruction_buffer, "decoded instructions waiting for issue, per warp");
    v.group("scoreboard", scoreboard, "dependencies on pending destinations");
    v.group("scheduler", scheduler, "which ready warp issues");
    v.group("rtl", rtl, "where reference RTL runs in place of the SystemC models, or beside them");
    v.group("issue", issue, "sends the scheduler's choice to its unit");
    v.group("simt_stack", simt_stack, "divergence and reconvergence of the lanes of a warp");
    v.group("warp_former", warp_former, "warp_formation dynamic or compaction: puts threads that wait into warps");
    v.group("branch", branch, "resolves control instructions");
    v.group("barrier", barrier, "bar.sync");
    v.group("operand_collector", operand_collector, "gathers the operands of issued instructions");
    v.group("register_file", register_file, "banks and ports of the registers");
    v.group("units", units, "how unit latencies count, and at which detail values pass through the units");
    execution_units_config::describe(v);
    v.group("shared_memory", shared_memory, "s[]: banked on-chip memory");
    v.group("memory_port", memory_port, "where global, local and texture instructions leave the SM");
    v.group("constant_cache", constant_cache, "L1 constant cache");
    v.group("write_back", write_back, "results to the register file");
    v.group("processing_block", processing_block, "Volta alone: the four parts of an SM that issue by themselves");
  }
};

}  // namespace gt200::config
