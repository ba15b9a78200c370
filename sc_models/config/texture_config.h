// Parameters of the texture unit of a TPC: tpc.texture.*
#pragma once

#include <cstdint>

#include "sc_models/config/cache_config.h"
#include "sc_models/config/parameter.h"

namespace gt200::config {

// tpc.texture.address
struct texture_address_config {
  std::uint32_t lanes{};
  std::uint32_t latency_cycles{};
  std::uint32_t queue_entries{};

  void describe(visitor& v) {
    v.number("lanes", lanes, unit::none, power_of_two(1, 32),
             "coordinates per uncore cycle, with up to 4 texels each; those with 8 take two",
             documented("reviews: 8 address units per TPC (G80: 4)"));
    v.number("latency_cycles", latency_cycles, unit::uncore_cycles, between(1, 1000),
             "coordinates to texel addresses",
             assumption("part of the 261 shader cycles of an L1 hit (Wong 2010)"));
    v.number("queue_entries", queue_entries, unit::none, between(1, 256), "texture instructions waiting",
             assumption("covers full rate across the clock boundary"));
  }
};

// tpc.texture.l1
struct texture_l1_config : cache_config {
  std::uint32_t instances{};
  std::uint32_t lookups_per_cycle{};

  void describe(visitor& v) {
    v.number("instances", instances, unit::none, between(1, 8), "caches per TPC; SMs take them in turn",
             assumption("Kanter: 24 KB per TPC as 3 x 8 KB; each SM sees one"));
    // A line comes in one transaction between TPC and partition.
    cache_config::describe(v, unit::uncore_cycles, measured("Wong 2010: 5 KB effective, 20-way, 32 B lines"),
                           assumption("part of the 261 shader cycles of an L1 hit (Wong 2010)"), {32, 128});
    v.number("lookups_per_cycle", lookups_per_cycle, unit::none, between(1, 32),
             "different lines looked up per uncore cycle",
             assumption("four banks, one for each texel of a bilinear filter"));
  }
};

// tpc.texture.filter
struct texture_filter_config {
  std::uint32_t lanes{};
  std::uint32_t latency_cycles{};
  std::uint32_t full_rate_bytes{};

  void describe(visitor& v) {
    v.number("lanes", lanes, unit::none, power_of_two(1, 32),
             "results per uncore cycle, of up to 4 texels each; those of 8 take two",
             documented("reviews: 8 filter units per TPC"));
    v.number(
        "full_rate_bytes", full_rate_bytes, unit::bytes, power_of_two(1, 16),
        "texels up to this size pass at full rate, larger ones in proportion",
        assumption("reviews: four 8-bit components at full rate, 16-bit ones at half, 32-bit ones at a quarter"));
    v.number("latency_cycles", latency_cycles, unit::uncore_cycles, between(1, 1000), "texels to result",
             assumption("part of the 261 shader cycles of an L1 hit (Wong 2010)"));
  }
};

// tpc.texture
struct texture_config {
  texture_address_config address;
  texture_l1_config l1;
  texture_filter_config filter;

  void describe(visitor& v) {
    v.group("address", address, "texture coordinates to addresses");
    v.group("l1", l1, "L1 texture cache, in order");
    v.group("filter", filter, "weights texels");
  }
};

}  // namespace gt200::config
