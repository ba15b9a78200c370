// Parameters of a memory partition: partition.*
#pragma once

#include <cstdint>

#include "sc_models/config/cache_config.h"
#include "sc_models/config/data_cache_config.h"
#include "sc_models/config/dram_config.h"
#include "sc_models/config/parameter.h"

namespace gt200::config {

// partition.arbiter
struct partition_arbiter_config {
  std::uint32_t latency_cycles{};
  std::uint32_t queue_entries{};
  std::uint32_t held_loads{};

  void describe(visitor& v) {
    v.number("latency_cycles", latency_cycles, unit::uncore_cycles, between(1, 1000),
             "request until DRAM, ROP or cache",
             assumption("part of the 179 uncore cycles that an unloaded access spends outside the DRAM"));
    v.number("queue_entries", queue_entries, unit::none, between(1, 1024), "requests waiting",
             assumption("two per TPC"));
    v.number("held_loads", held_loads, unit::none, between(0, 64),
             "loads set aside until an older store or atomic to their bytes has been written; 0: they wait at the "
             "head",
             assumption("a few; without them one load holds all that follows"));
  }
};

// partition.rop
struct rop_config {
  std::uint32_t latency_cycles{};
  std::uint32_t queue_entries{};
  std::uint32_t write_path_bytes{};
  std::uint32_t write_out_bytes{};
  std::uint32_t atomic_interval_cycles{};
  std::uint32_t same_address_interval_cycles{};
  // Requests in the port from the arbiter, at least; no key: infinite_queues.h sets it.
  std::uint32_t request_port_entries = 0;

  void describe(visitor& v) {
    v.number("latency_cycles", latency_cycles, unit::uncore_cycles, between(1, 1000),
             "store or atomic until performed", assumption("a few pipeline stages"));
    v.number("queue_entries", queue_entries, unit::none, between(1, 1024), "stores and atomics waiting",
             assumption("one in each ROP: reviews count 32 on 8 partitions, G80 24 on 6"));
    v.number("write_path_bytes", write_path_bytes, unit::bytes, power_of_two(4, 128),
             "bytes of a store taken per uncore cycle",
             assumption("inferred from the naive and the camped transposes of Ruetsch and Micikevicius together"));
    v.number("write_out_bytes", write_out_bytes, unit::bytes, power_of_two(4, 128),
             "bytes of writes that leave for the DRAM per cycle of the memory clock",
             assumption("a camped transpose's 16.5 GiB/s in Ruetsch are 8 bytes per cycle into one partition"));
    v.number("atomic_interval_cycles", atomic_interval_cycles, unit::uncore_cycles, between(1, 1000),
             "between two atomic lane operations", documented("Lindholm 2008: up to one per cycle and partition"));
    v.number("same_address_interval_cycles", same_address_interval_cycles, unit::uncore_cycles, between(1, 1000),
             "result of an atomic until the next access to the same 32 bytes reads its operand",
             assumption("nothing beyond the way to the DRAM and back; no rate is published"));
  }
};

// partition.texture_l2
struct texture_l2_config : cache_config {
  std::uint32_t fill_latency_cycles{};
  std::uint32_t request_port_entries = 0;  // as in rop_config

  void describe(visitor& v) {
    cache_config::describe(v, unit::uncore_cycles, measured("Wong 2010: 8 x 32 KB, 8-way, 256 B"),
                           assumption("with the crossbar 110 shader cycles above an L1 hit (Wong 2010: 371)"));
    v.number("fill_latency_cycles", fill_latency_cycles, unit::uncore_cycles, between(1, 1000),
             "data of the DRAM until they are in the cache",
             assumption("with the DRAM 130 shader cycles above a hit (Wong 2010: 499-503)"));
  }
};

// partition.l2
struct l2_config : data_cache_config {
  std::uint32_t fill_latency_cycles{};

  void describe(visitor& v) {
    data_cache_config::describe(
        v, documented("GPGPU-Sim, configuration SM2_GTX480: two slices of 64 KB, 8 ways"),
        assumption("with the way to it near the 310 shader cycles of an L2 hit on a GF106 (Andersch 2015)"),
        documented("GPGPU-Sim, configuration SM2_GTX480: 256"));
    v.number("fill_latency_cycles", fill_latency_cycles, unit::uncore_cycles, between(1, 1000),
             "data of the DRAM until they are in the cache",
             assumption("near the 375 shader cycles of the DRAM above an L2 hit on a GF106 (Andersch 2015)"));
  }
};

enum class partition_hash : std::uint8_t { none, fold };
template <>
inline constexpr std::array<const char*, 2> choice_names<partition_hash> = {"none", "fold"};

// Which partitions the blocks of CUDA arrays lie in: see interconnect/address_map.h.
enum class block_linear_order : std::uint8_t { plain, adjusted };
template <>
inline constexpr std::array<const char*, 2> choice_names<block_linear_order> = {"plain", "adjusted"};

// partition
struct partition_config {
  std::uint32_t interleave_bytes{};
  partition_hash hash{};
  block_linear_order block_linear{};
  bool texture_writes_invalidate{};
  partition_arbiter_config arbiter;
  rop_config rop;
  texture_l2_config texture_l2;
  l2_config l2;
  dram_config dram;

  void describe(visitor& v) {
    v.number("interleave_bytes", interleave_bytes, unit::bytes, power_of_two(128, 4096),
             "successive blocks of this size lie in successive partitions",
             documented("Ruetsch and Micikevicius 2010; envytools: 256 B"));
    v.choice("hash", hash,
             "block number modulo partitions as it is, or with the higher address bits added to it first",
             documented("Ruetsch and Micikevicius 2010: linear memory is not hashed before Fermi"));
    v.choice("block_linear", block_linear,
             "blocks of CUDA arrays: to partitions like linear memory, or adjusted by the higher address bits",
             documented("envytools: g80-vram, partition cycle"));
    v.flag("texture_writes_invalidate", texture_writes_invalidate,
           "a store or atomic operation on bytes that texture caches may hold empties all of them; else they keep "
           "what they have until the next launch",
           documented("CUDA C Programming Guide 5.5: texture caches do not follow writes of their launch"));
    v.group("arbiter", arbiter, "fixes the order of accesses to the partition");
    v.group("rop", rop, "performs stores and atomics");
    v.group("texture_l2", texture_l2, "L2 texture cache");
    v.group("l2", l2, "L2 cache of all accesses, in front of the DRAM; in place of texture_l2");
    v.group("dram", dram, "GDDR3 controller and devices");
  }
};

}  // namespace gt200::config
