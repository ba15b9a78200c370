// Parameters of what surrounds the processor array: host.*, command_processor.*, distribution.*, l3.*
#pragma once

#include <cstdint>

#include "sc_models/config/cache_config.h"
#include "sc_models/config/parameter.h"

namespace gt200::config {

// host
struct host_config {
  std::uint32_t pcie_mb_per_s{};
  std::uint32_t pcie_packet_bytes{};
  std::uint32_t pcie_packet_overhead_bytes{};
  std::uint32_t copy_engines{};
  std::uint32_t copy_overhead_ns{};
  std::uint32_t pageable_mb_per_s{};
  std::uint32_t launch_overhead_ns{};

  void describe(visitor& v) {
    v.number("pcie_mb_per_s", pcie_mb_per_s, unit::megabytes_per_second, between(1, 1000000),
             "rate of the link, per direction",
             documented("Kanter: PCIe 2.0 x16, 8 GB/s, of which 5-6 GB/s are usable"));
    v.number("pcie_packet_bytes", pcie_packet_bytes, unit::bytes, power_of_two(16, 4096),
             "data in a full packet; a copy goes in full packets and a last one with the rest",
             assumption("read completions end at every 64 bytes; a long copy then gets 5.8 GB/s"));
    v.number("pcie_packet_overhead_bytes", pcie_packet_overhead_bytes, unit::bytes, between(0, 1024),
             "what a packet takes on the link besides its data",
             documented("Intel AN 708: framing, sequence number, header and checksum are 5 to 7 words of 4 bytes"));
    v.number("copy_engines", copy_engines, unit::none, between(0, 2),
             "copies over the link beside grids: 0 they take turns, 1 one at a time, 2 one in each direction",
             documented("CUDA C Programming Guide 4.2: none before capability 1.1, two on some from 2.0 on"));
    v.number("copy_overhead_ns", copy_overhead_ns, unit::nanoseconds, between(0, 10000000),
             "driver and bus per copy of a CUDA program",
             measured("Boyer, University of Virginia: small copies take 10 us on a GTX 280"));
    v.number("pageable_mb_per_s", pageable_mb_per_s, unit::megabytes_per_second, between(1, 1000000),
             "rate of the driver between pageable memory and the page-locked memory that copies use",
             measured("Boyer: 2.4 times as fast from page-locked memory on a GTX 280, 5.8 and 2.4 GB/s"));
    v.number("launch_overhead_ns", launch_overhead_ns, unit::nanoseconds, between(0, 10000000),
             "driver and bus per kernel launch", measured("Volkov and Demmel 2008: 3-7 us asynchronous"));
  }
};

// command_processor
struct command_processor_config {
  std::uint32_t latency_cycles{};
  std::uint32_t queue_entries{};
  std::uint32_t host_accesses{};

  void describe(visitor& v) {
    v.number("latency_cycles", latency_cycles, unit::uncore_cycles, between(1, 100000),
             "launch command until distribution", assumption("small beside the host's overhead"));
    v.number("queue_entries", queue_entries, unit::none, between(1, 1024), "commands waiting",
             assumption("enough for the launches of a run"));
    v.number("host_accesses", host_accesses, unit::none, between(1, 1024),
             "accesses of the host to memory under way, reads and writes each",
             assumption("the full rate of the link as long as memory answers within 700 ns"));
  }
};

// Which SM gets the next block: one of the next TPC, or another one of the same TPC.
enum class block_order : std::uint8_t { tpc_first, sm_first };
template <>
inline constexpr std::array<const char*, 2> choice_names<block_order> = {"tpc_first", "sm_first"};

// distribution
struct distribution_config {
  block_order order{};
  std::uint32_t interval_cycles{};
  std::uint32_t launch_latency_cycles{};
  std::uint32_t retire_latency_cycles{};

  void describe(visitor& v) {
    v.choice("order", order, "consecutive blocks go to different TPCs first, or fill the SMs of a TPC first",
             measured("Wong 2010: different TPCs first, then SMs of a TPC, then second blocks"));
    v.number("interval_cycles", interval_cycles, unit::uncore_cycles, between(1, 100000),
             "between two blocks of a grid", assumption("not published"));
    // At least 8: TPCs may run ahead of each other by the shortest latency of what crosses their boundary.
    v.number("launch_latency_cycles", launch_latency_cycles, unit::uncore_cycles, between(8, 100000),
             "block to its SM", assumption("not published"));
    v.number("retire_latency_cycles", retire_latency_cycles, unit::uncore_cycles, between(8, 100000),
             "end of a block until its resources are known to be free", assumption("not published"));
  }
};

// l3
struct l3_config : cache_config {
  std::uint32_t link_latency_cycles{};
  std::uint32_t queue_entries{};

  void describe(visitor& v) {
    cache_config::describe(v, unit::uncore_cycles, measured("Wong 2010, table of caches (32 KB, 8-way, 256 B)"),
                           assumption("with the links 139 shader cycles above an L2 hit (Wong 2010: 220)"));
    v.number("link_latency_cycles", link_latency_cycles, unit::uncore_cycles, between(8, 1000),
             "TPC to the cache, and the same back",
             assumption("part of the 220 shader cycles of an L3 hit (Wong 2010)"));
    v.number("queue_entries", queue_entries, unit::none, between(1, 1024),
             "requests of a TPC on the link and waiting", assumption("one per MSHR of its L2"));
  }
};

}  // namespace gt200::config
