// Geometries of caches for tests.
#pragma once

#include "sc_models/config/cache_config.h"

namespace gt200::model::testing {

inline config::cache_config geometry(std::uint32_t bytes, std::uint32_t ways, std::uint32_t line_bytes) {
  config::cache_config c;
  c.bytes = bytes;
  c.ways = ways;
  c.line_bytes = line_bytes;
  c.hit_latency_cycles = 1;
  c.mshrs = 1;
  return c;
}

}  // namespace gt200::model::testing
