// The complete configuration of the chip: what a resolved TOML file contains.
//
// Loaded by load.h; every key is listed and explained by `gt200 config explain`. A key is one member, one line in
// `describe`, and one line in configs/gt200.toml: see docs/configuration.md. Members have no defaults of their own.
#pragma once

#include <cstdint>

#include "sc_models/config/cache_config.h"
#include "sc_models/config/clock_ratio.h"
#include "sc_models/config/host_config.h"
#include "sc_models/config/interconnect_config.h"
#include "sc_models/config/parameter.h"
#include "sc_models/config/partition_config.h"
#include "sc_models/config/tpc_config.h"
#include "tlm_bus/time.h"

namespace gt200::config {

enum class compute_capability : std::uint8_t { cc_1_0, cc_1_1, cc_1_2, cc_1_3, cc_2_0, cc_7_0 };
template <>
inline constexpr std::array<const char*, 6> choice_names<compute_capability> = {"1.0", "1.1", "1.2",
                                                                                "1.3", "2.0", "7.0"};

// chip
struct chip_config {
  std::uint32_t tpcs{};
  std::uint32_t sms_per_tpc{};
  std::uint32_t partitions{};
  config::compute_capability compute_capability{};

  std::uint32_t sms() const { return tpcs * sms_per_tpc; }
  bool is_fermi() const { return compute_capability == config::compute_capability::cc_2_0; }
  bool is_volta() const { return compute_capability == config::compute_capability::cc_7_0; }
  bool is_tesla() const { return !is_fermi() && !is_volta(); }
  // As in isa::instruction::capability: 10 .. 13, 20, or 70.
  std::uint8_t capability() const {
    return static_cast<std::uint8_t>(is_fermi()   ? 20
                                     : is_volta() ? 70
                                                  : 10 + static_cast<std::uint8_t>(compute_capability));
  }
  // Groups of tpc.sm.sp.lanes SPs in an SM. Fermi: 2 x 16 (Fermi white paper).
  std::uint32_t sp_groups() const { return is_fermi() ? 2 : 1; }

  void describe(visitor& v) {
    v.number("tpcs", tpcs, unit::none, between(1, 62), "texture processing clusters",
             documented("Kanter; envytools"));
    v.number("sms_per_tpc", sms_per_tpc, unit::none, between(1, 8), "SMs per TPC", documented("Kanter; envytools"));
    v.number("partitions", partitions, unit::none, between(1, 64), "memory partitions", documented("envytools"));
    v.choice(
        "compute_capability", compute_capability,
        "instructions and modules beyond it are refused; 2.0 is Fermi and 7.0 Volta, which execute nothing else",
        documented("CUDA C Programming Guide 4.2, appendix A"));
  }
};

// clocks. The core clock follows from the shader clock, see clock_ratio.h.
struct clocks_config {
  double shader_mhz{};
  double uncore_mhz{};
  double memory_mhz{};
  bool uncore_tied_to_core{};

  // Integer periods; the core period is an exact multiple of the shader period.
  tlm_bus::femtoseconds shader_period() const { return tlm_bus::period_of(shader_mhz); }
  tlm_bus::femtoseconds core_period() const { return shader_period() * tesla_clocks.shader_per_core(); }
  tlm_bus::femtoseconds uncore_period() const {
    return uncore_tied_to_core ? core_period() : tlm_bus::period_of(uncore_mhz);
  }
  tlm_bus::femtoseconds memory_period() const { return tlm_bus::period_of(memory_mhz); }

  void describe(visitor& v) {
    const source reviews = documented("product reviews of the GTX 280");
    v.real("shader_mhz", shader_mhz, unit::megahertz, {1, 10000},
           "SP, SFU, DP; half of it is the core clock of the SM", reviews);
    v.real("uncore_mhz", uncore_mhz, unit::megahertz, {1, 10000},
           "SM controller, texture, crossbar, ROP, caches beyond L1; the core clock of product reviews", reviews);
    v.real("memory_mhz", memory_mhz, unit::megahertz, {1, 10000},
           "GDDR3 command clock; two data transfers per cycle", reviews);
    v.flag("uncore_tied_to_core", uncore_tied_to_core, "the uncore runs at shader / 2 instead of uncore_mhz",
           assumption("product reviews give a separate clock"));
  }
};

// idealisations: each removes one effect from the model, to show its cost.
struct idealisations_config {
  bool ideal_memory{};
  bool perfect_caches{};
  bool infinite_queues{};
  bool no_bank_conflicts{};
  bool no_divergence_cost{};

  void describe(visitor& v) {
    const source off = assumption("off: the hardware has the effect");
    v.flag("ideal_memory", ideal_memory,
           "behind the TPCs memory answers in the next cycle, one transaction per TPC and cycle", off);
    v.flag("perfect_caches", perfect_caches, "instruction, constant and texture caches always hit", off);
    v.flag("infinite_queues", infinite_queues, "no queue between an SM's memory port and the DRAM fills", off);
    v.flag("no_bank_conflicts", no_bank_conflicts, "register and shared-memory banks serve any addresses at once",
           off);
    v.flag("no_divergence_cost", no_divergence_cost,
           "issue excepted, an instruction takes the parts of an SM in proportion to its lanes; stack entries do "
           "not move",
           off);
  }
};

// memory_map: physical placement in the DRAM by the loader; global memory follows up to the capacity.
struct memory_map_config {
  std::uint32_t virtual_address_bits{};
  std::uint32_t page_bytes{};
  std::uint64_t page_table_base{};
  std::uint64_t code_base{};
  std::uint64_t constant_base{};
  std::uint64_t global_base{};

  void describe(visitor& v) {
    const source placement = assumption("the driver's choice; 0 stays unmapped so that null pointers fault");
    v.number("virtual_address_bits", virtual_address_bits, unit::none, between(24, 40),
             "width of a virtual address", documented("Kanter: 40 (G80: 32)"));
    v.number("page_bytes", page_bytes, unit::bytes, power_of_two(4096, 65536), "pages of the page table",
             documented("envytools: 4 KB or 64 KB"));
    v.number("page_table_base", page_table_base, unit::bytes, multiple_of(4096, 4096, std::uint64_t{1} << 40),
             "first byte of the page directory; 16 KB, and the page tables behind it",
             assumption("the driver's choice"));
    v.number("code_base", code_base, unit::bytes, multiple_of(4096, 4096, std::uint64_t{1} << 40),
             "first byte of code", placement);
    v.number("constant_base", constant_base, unit::bytes, multiple_of(4096, 4096, std::uint64_t{1} << 40),
             "first byte of constant memory", placement);
    v.number("global_base", global_base, unit::bytes, multiple_of(65536, 65536, std::uint64_t{1} << 40),
             "first byte of global memory", placement);
  }
};

// simulation: how the model runs, not what it models.
struct simulation_config {
  std::uint32_t watchdog_idle_cycles{};
  std::uint64_t initial_state_seed{};
  std::uint64_t stall_seed{};
  std::uint32_t stalls_per_1024{};

  void describe(visitor& v) {
    v.number("watchdog_idle_cycles", watchdog_idle_cycles, unit::core_cycles, between(100, 100000000),
             "the run is stopped and explained when nothing issues or moves for this long beyond all latencies",
             assumption("well above the longest memory latency under load"));
    v.number("initial_state_seed", initial_state_seed, unit::none, any_64_bits(),
             "pattern in registers and shared memory before they are written", assumption("any value"));
    v.number("stall_seed", stall_seed, unit::none, any_64_bits(), "seed of injected stalls",
             assumption("any value"));
    v.number("stalls_per_1024", stalls_per_1024, unit::none, between(0, 1023),
             "probability of an injected stall per pipe and cycle, in 1/1024; 0 = off",
             assumption("off; used by robustness tests"));
  }
};

// The whole file.
struct gpu_config {
  chip_config chip;
  clocks_config clocks;
  host_config host;
  command_processor_config command_processor;
  distribution_config distribution;
  tpc_config tpc;
  l3_config l3;
  interconnect_config interconnect;
  topology_config topology;
  partition_config partition;
  memory_map_config memory_map;
  idealisations_config idealisations;
  simulation_config simulation;

  std::uint64_t memory_bytes() const { return chip.partitions * partition.dram.capacity_bytes(); }

  void describe(visitor& v) {
    v.group("chip", chip, "how many of each part");
    v.group("clocks", clocks, "frequencies of the clock domains");
    v.group("host", host, "the computer around the chip");
    v.group("command_processor", command_processor, "takes commands of the host");
    v.group("distribution", distribution, "hands blocks of a grid to SMs");
    v.group("tpc", tpc, "texture processing cluster");
    v.group("l3", l3, "constant and instruction cache of the chip");
    v.group("interconnect", interconnect, "between TPCs and partitions");
    v.group("topology", topology, "the shape of the networks between TPCs and partitions");
    v.group("partition", partition, "memory partition");
    v.group("memory_map", memory_map, "where the loader puts what");
    v.group("idealisations", idealisations, "effects taken out of the model");
    v.group("simulation", simulation, "how the model runs");
  }
};

}  // namespace gt200::config
