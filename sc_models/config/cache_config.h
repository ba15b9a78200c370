// Geometry and timing that every cache of the chip has.
#pragma once

#include <cstdint>

#include "sc_models/config/parameter.h"

namespace gt200::config {

// Lines that a cache may have, in bytes.
struct cache_line_range {
  std::uint32_t least = 32;
  std::uint32_t most = 256;
};

struct cache_config {
  std::uint32_t bytes{};
  std::uint32_t ways{};
  std::uint32_t line_bytes{};
  std::uint32_t hit_latency_cycles{};  // look-up until data, in the cycles of the cache's own clock domain
  std::uint32_t mshrs{};

  std::uint32_t lines() const { return bytes / line_bytes; }
  std::uint32_t sets() const { return lines() / ways; }

  // `cycles` is the unit of the latency, the sources are those of geometry, latency and MSHRs.
  void describe(visitor& v, unit cycles, source geometry, source latency, cache_line_range line = {},
                source outstanding = assumption("enough to keep one miss per requester in flight")) {
    v.number("bytes", bytes, unit::bytes, multiple_of(32, 32, 16u << 20), "capacity", geometry);
    v.number("ways", ways, unit::none, between(1, 1024), "associativity", geometry);
    v.number("line_bytes", line_bytes, unit::bytes, power_of_two(line.least, line.most), "bytes per line",
             geometry);
    v.number("hit_latency_cycles", hit_latency_cycles, cycles, between(1, 1000), "look-up until data on a hit",
             latency);
    v.number("mshrs", mshrs, unit::none, between(1, 256), "misses outstanding to different lines", outstanding);
  }
};

}  // namespace gt200::config
