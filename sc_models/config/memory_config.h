// Parameters of the memory path of a TPC, from its SMs to the crossbar: tpc.memory.*
#pragma once

#include <cstdint>
#include <string>

#include "sc_models/config/added_policy.h"
#include "sc_models/config/data_cache_config.h"
#include "sc_models/config/parameter.h"
#include "sc_models/config/rtl_config.h"

namespace gt200::config {

// tpc.memory.sm_controller
struct sm_controller_config {
  std::uint32_t latency_cycles{};
  std::uint32_t queue_entries{};
  bool exclusive_pipelines{};

  void describe(visitor& v) {
    v.number("latency_cycles", latency_cycles, unit::uncore_cycles, between(1, 1000),
             "SM to address generation or texture",
             assumption("part of the 179 uncore cycles that an unloaded access spends outside the DRAM"));
    v.number("queue_entries", queue_entries, unit::none, between(1, 256), "instructions held per SM",
             assumption("covers full rate across the clock boundary"));
    v.flag("exclusive_pipelines", exclusive_pipelines,
           "texture instructions enter only when no load, store or atomic is under way, and the other way round",
           assumption("both kinds share the entry only; Kanter: they share hardware and are not usable at once"));
  }
};

// tpc.memory.address_generation
struct address_generation_config {
  std::uint32_t latency_cycles{};
  std::uint32_t half_warps_per_cycle{};

  void describe(visitor& v) {
    v.number("latency_cycles", latency_cycles, unit::uncore_cycles, between(1, 1000), "per half-warp, pipelined",
             assumption("part of the 179 uncore cycles that an unloaded access spends outside the DRAM"));
    v.number("half_warps_per_cycle", half_warps_per_cycle, unit::none, between(1, 2),
             "half-warps with executing lanes that begin in a cycle",
             documented("Kanter: requests are handled per half-warp"));
  }
};

// tpc.memory.tlb
struct tlb_config {
  std::uint32_t l1_entries{};
  std::uint32_t l1_page_bytes{};
  std::uint32_t l1_hit_latency_cycles{};
  std::uint32_t l2_entries{};
  std::uint32_t l2_ways{};
  std::uint32_t l2_page_bytes{};
  std::uint32_t l2_hit_latency_cycles{};
  std::uint32_t directory_entries{};

  void describe(visitor& v) {
    const source l1 = measured("Wong 2010: 16 entries, fully associative, 512 KB each");
    const source l2 = measured("Wong 2010: 8-way, 4 KB granule, 32 MB reach");
    v.number("l1_entries", l1_entries, unit::none, between(1, 1024),
             "entries of the first level, fully associative", l1);
    v.number("l1_page_bytes", l1_page_bytes, unit::bytes, power_of_two(4096, 16u << 20),
             "bytes one entry covers at most; its page's block of contiguous pages is what it covers", l1);
    v.number("l1_hit_latency_cycles", l1_hit_latency_cycles, unit::uncore_cycles, between(1, 1000),
             "translation on a hit",
             assumption("part of the 179 uncore cycles that an unloaded access spends outside the DRAM"));
    v.number("l2_entries", l2_entries, unit::none, between(1, 65536), "entries of the second level", l2);
    v.number("l2_ways", l2_ways, unit::none, between(1, 64), "associativity of the second level", l2);
    v.number("l2_page_bytes", l2_page_bytes, unit::bytes, power_of_two(4096, 16u << 20), "bytes one entry covers",
             l2);
    v.number("l2_hit_latency_cycles", l2_hit_latency_cycles, unit::uncore_cycles, between(1, 10000),
             "added by a first-level miss",
             measured("Wong 2010: 487 instead of 440 shader cycles beyond 8 MB (low confidence)"));
    v.number("directory_entries", directory_entries, unit::none, between(1, 2048),
             "entries of the page directory that the walker keeps, each for 512 MB",
             assumption("one read of the page table per walk gives Wong 2010's 650-820 beyond 32 MB"));
  }
};

// Named after the compute capability that introduced it; 1.1 and 1.3 follow 1.0 and 1.2.
enum class coalescing_rule : std::uint8_t { cc_1_0, cc_1_2, cc_2_0 };
template <>
inline constexpr std::array<const char*, 3> choice_names<coalescing_rule> = {"1.0", "1.2", "2.0"};

// tpc.memory.coalescer
struct coalescer_config {
  coalescing_rule rule{};
  bool join_equal{};
  model_kind model{};
  std::string rtl;
  std::uint32_t latency_cycles{};
  added_keys<coalescing_policies> added;

  void describe(visitor& v) {
    v.choice("rule", rule, "how the accesses of a half-warp, by 2.0 of a warp, become transactions",
             documented("CUDA C Programming Guide 4.2, appendix F"));
    v.flag("join_equal", join_equal,
           "by rule 1.0 loads of one address by several lanes of a half-warp are one transaction, beside the "
           "rule's text",
           assumption(
               "inferred from the 8800 GTX's naive matrix product: a transaction for each lane would be more than "
               "its memory carries"));
    v.choice("model", model, "SystemC model, reference RTL, or both compared in every transaction",
             assumption("the fastest of the three"));
    v.file("rtl", rtl, "description of RTL of your own in place of the reference (docs/cosimulation.md)",
           assumption("the reference RTL"));
    v.number("latency_cycles", latency_cycles, unit::uncore_cycles, between(1, 1000),
             "half-warp until its first transaction; further ones follow one per cycle",
             assumption("part of the 179 uncore cycles that an unloaded access spends outside the DRAM"));
    added.describe(v);
  }
};

// tpc.memory.load_store_queue
struct load_store_queue_config {
  static constexpr std::uint32_t max_entries = 4096;
  static constexpr std::uint32_t max_load_bytes = 128 * max_entries;

  std::uint32_t load_entries{};
  std::uint32_t load_bytes{};
  std::uint32_t store_entries{};
  std::uint32_t reply_latency_cycles{};
  bool posted_stores{};

  void describe(visitor& v) {
    v.number("load_entries", load_entries, unit::none, between(1, max_entries),
             "loads and atomics outstanding per TPC",
             assumption("as many loads of 32 bytes as their data have room"));
    v.number("load_bytes", load_bytes, unit::bytes, between(128, max_load_bytes),
             "room for the data of outstanding loads and atomics of a TPC; it is reserved when they are sent",
             assumption("inferred from the copies of Ruetsch and Micikevicius, without and with a barrier; bytes "
                        "and not loads: the 8800 GTX's copy shifted by one word"));
    v.number("store_entries", store_entries, unit::none, between(1, max_entries),
             "stores not yet acknowledged per TPC",
             assumption("more than those of loads: the SDK's copy of 115 to 120 GB/s needs them"));
    v.number("reply_latency_cycles", reply_latency_cycles, unit::uncore_cycles, between(1, 1000),
             "last transaction of a load until its data reach the SM",
             assumption("part of the 179 uncore cycles that an unloaded access spends outside the DRAM"));
    v.flag("posted_stores", posted_stores,
           "a block of compute capability 7.0 ends when its stores have left the queue, not when they are "
           "acknowledged; fences and the end of the grid wait for that",
           assumption("RRZE gpu-benches on a V100: blocks that write end as early as blocks that do not"));
  }
};

// tpc.memory
struct memory_config {
  sm_controller_config sm_controller;
  address_generation_config address_generation;
  tlb_config tlb;
  coalescer_config coalescer;
  load_store_queue_config load_store_queue;
  data_cache_config l1;

  void describe(visitor& v) {
    v.group("sm_controller", sm_controller, "arbitrates between the SMs of the TPC");
    v.group("address_generation", address_generation, "register and offset to lane addresses");
    v.group("tlb", tlb, "virtual to physical addresses");
    v.group("coalescer", coalescer, "half-warp accesses to memory transactions");
    v.group("load_store_queue", load_store_queue, "outstanding transactions of the TPC");
    v.group("l1", l1, "L1 data cache of the TPC, between its port and the crossbar",
            documented("GPGPU-Sim, configuration SM2_GTX480: 16 KB of 32 sets, or 48 KB of 64"),
            assumption("near the 45 shader cycles of an L1 hit on a GF106 (Andersch 2015)"),
            documented("GPGPU-Sim, configuration SM2_GTX480: 64"));
  }
};

}  // namespace gt200::config
