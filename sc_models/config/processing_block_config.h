// Parameters of the processing blocks of Volta's SM: tpc.sm.processing_block. Other generations do not read them.
#pragma once

#include <array>
#include <cstdint>

#include "sc_models/config/clock_ratio.h"
#include "sc_models/config/parameter.h"

namespace gt200::config {

// What keeps an instruction of Volta's SM from issuing before its registers are there: tpc.sm.dependencies.
enum class dependency_rule : std::uint8_t { control_codes, checked_stalls, scoreboard };
template <>
inline constexpr std::array<const char*, 3> choice_names<dependency_rule> = {"control_codes", "checked_stalls",
                                                                             "scoreboard"};

struct processing_block_config {
  std::uint32_t blocks{};
  std::uint32_t fp32_lanes{};
  std::uint32_t int_lanes{};
  std::uint32_t fp64_lanes{};
  std::uint32_t special_lanes{};
  std::uint32_t exchange_lanes{};
  std::uint32_t bank_reads{};
  std::uint32_t memory_queue_entries{};
  timed::core_cycles operand_read_cycles{};
  timed::core_cycles special_read_cycles{};
  timed::core_cycles memory_read_cycles{};
  timed::core_cycles special_latency_cycles{};
  timed::core_cycles exchange_latency_cycles{};
  timed::core_cycles memory_interval_cycles{};
  timed::core_cycles long_stall_cycles{};
  timed::core_cycles late_result_cycles{};
  timed::core_cycles path_turn_cycles{};

  void describe(visitor& v) {
    const source whitepaper = documented("NVIDIA, Tesla V100 white paper, 2017");
    const source huerta = documented("Huerta et al., MICRO 2025, of Turing and later");
    v.number("blocks", blocks, unit::none, power_of_two(1, 4), "processing blocks of an SM; a warp belongs to one",
             whitepaper);
    v.number("fp32_lanes", fp32_lanes, unit::none, power_of_two(4, 32),
             "lanes of a block for single precision and integer multiplication", whitepaper);
    v.number("int_lanes", int_lanes, unit::none, power_of_two(4, 32), "lanes of a block for other integers",
             whitepaper);
    v.number("fp64_lanes", fp64_lanes, unit::none, power_of_two(1, 32), "lanes of a block for double precision",
             whitepaper);
    v.number("special_lanes", special_lanes, unit::none, power_of_two(1, 32),
             "lanes of a block for special functions and conversions", whitepaper);
    v.number("exchange_lanes", exchange_lanes, unit::none, power_of_two(1, 32),
             "lanes of a block that exchange values in a cycle (SHFL)", assumption("as those of a block's units"));
    v.number("bank_reads", bank_reads, unit::none, between(1, 2),
             "words that one of the two register banks of a block reads per cycle and lane; Turing: 1",
             measured("Jia et al. 2018: on Volta three sources in one bank conflict, two do not"));
    v.number("memory_queue_entries", memory_queue_entries, unit::none, between(1, 16),
             "memory instructions of a block between issue and address", huerta);
    v.cycles("operand_read_cycles", operand_read_cycles, between(1, 15),
             "issue until an instruction of fixed time has its operands", huerta);
    v.cycles("special_read_cycles", special_read_cycles, between(1, 15),
             "the same of one of varying time, but for memory", assumption("the fixed slot, and a queue"));
    v.cycles("memory_read_cycles", memory_read_cycles, between(1, 31), "the same of loads and stores",
             assumption("Huerta et al., table 2: sources of a load may be written 11 cycles after it"));
    v.cycles("special_latency_cycles", special_latency_cycles, between(1, 200),
             "operands until result of special functions, conversions and special registers",
             measured("Jia et al. 2019, of Volta: 14 to 15 from issue to issue for POPC, FLO, MUFU"));
    v.cycles("exchange_latency_cycles", exchange_latency_cycles, between(1, 200),
             "operands until result of an exchange between lanes", assumption("as a load of shared memory"));
    v.cycles("memory_interval_cycles", memory_interval_cycles, between(1, 64),
             "between the addresses of two memory instructions of a block", huerta);
    v.cycles("long_stall_cycles", long_stall_cycles, between(1, 15), "what a stall above 11 without yield lasts",
             huerta);
    v.cycles("late_result_cycles", late_result_cycles, between(0, 8),
             "results of fixed time are there later by this than the compiler's table says: programs then fail",
             assumption("0: the pipeline keeps what the compiler relies on"));
    v.cycles(
        "path_turn_cycles", path_turn_cycles, between(0, 1u << 20),
        "after so many cycles in which another path of its warp could have run, a path gives way in front of the "
        "next instruction that is decoded; 0: only at YIELD, taken backward branches and where it waits",
        assumption("nothing is published; longer than an access to DRAM"));
  }
};

}  // namespace gt200::config
