// Parameters of the network between TPCs and memory partitions: interconnect.*
#pragma once

#include <cstdint>

#include "sc_models/config/added_policy.h"
#include "sc_models/config/parameter.h"
#include "sc_models/config/policy.h"

namespace gt200::config {

// interconnect.crossbar
struct crossbar_config {
  std::uint32_t request_latency_cycles{};
  std::uint32_t reply_latency_cycles{};
  std::uint32_t flit_bytes{};
  std::uint32_t request_queue_flits{};
  std::uint32_t reply_queue_flits{};
  std::uint32_t request_header_bytes{};
  std::uint32_t reply_header_flits{};
  crossbar_arbitration arbitration;
  added_keys<crossbar_arbitrations> added;

  void describe(visitor& v) {
    const source latency =
        assumption("part of the 179 uncore cycles that an unloaded access spends outside the DRAM");
    // At least 8: TPCs may run ahead of each other by the shortest latency of what crosses their boundary.
    v.number("request_latency_cycles", request_latency_cycles, unit::uncore_cycles, between(8, 1000),
             "TPC to partition, without contention", latency);
    v.number("reply_latency_cycles", reply_latency_cycles, unit::uncore_cycles, between(8, 1000),
             "partition to TPC, without contention", latency);
    v.number("flit_bytes", flit_bytes, unit::bytes, power_of_two(8, 128), "bytes per port and cycle",
             documented("GPGPU-Sim, configuration QuadroFX5800: 32 B flits"));
    v.number("request_queue_flits", request_queue_flits, unit::none, between(1, 1024),
             "buffer of each request input", assumption("covers the latency at full rate"));
    v.number("reply_queue_flits", reply_queue_flits, unit::none, between(1, 1024), "buffer of each reply input",
             assumption("covers the latency at full rate"));
    v.number(
        "request_header_bytes", request_header_bytes, unit::bytes, between(0, 128),
        "in front of the data of a store or atomic, in one flit with them where both fit; 0: a flit of its own",
        assumption("a flit of its own, as of a load"));
    v.number("reply_header_flits", reply_header_flits, unit::none, between(0, 1),
             "flits of a reply in front of its data; 0: the header travels beside them",
             assumption("wires of their own for tag and status; GPGPU-Sim counts 8 bytes in front of the data"));
    v.choice("arbitration", arbitration, "who goes first at an output", assumption("the fair and simple choice"));
    added.describe(v);
  }
};

// topology: the shape of the two networks between sources and partitions.
struct topology_config {
  network_topology network;
  std::uint32_t hop_cycles{};
  std::uint32_t buffer_flits{};
  std::uint32_t mesh_columns{};
  added_keys<network_topologies> added;

  void describe(visitor& v) {
    v.choice("network", network, "what joins sources and partitions, one for requests and one for replies",
             documented("Lindholm 2008, Kanter: a crossbar"));
    v.number("hop_cycles", hop_cycles, unit::uncore_cycles, between(1, 64),
             "ring, mesh: from router to router, on top of the latencies of the crossbar",
             assumption("a router and a link"));
    v.number("buffer_flits", buffer_flits, unit::none, between(2, 4096),
             "ring, mesh: buffer at the end of each link; at least two packets of the largest size",
             assumption("covers a hop at full rate"));
    v.number("mesh_columns", mesh_columns, unit::none, between(1, 64),
             "mesh: routers in a row; as many rows as sources and partitions need",
             assumption("near to a square of the preset's 20"));
    added.describe(v);
  }
};

// interconnect
struct interconnect_config {
  crossbar_config crossbar;

  void describe(visitor& v) { v.group("crossbar", crossbar, "requests to the partitions, replies to the TPCs"); }
};

}  // namespace gt200::config
