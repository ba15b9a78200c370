// Random stalls for robustness tests: a receiver ignores a visible token for one more cycle.
//
// Whether a pipe stalls in a cycle is a pure function of (seed, pipe name, cycle). So it does not depend on the
// order of modules, the kind of clocking, or the number of reads.
#pragma once

#include <cstdint>
#include <string_view>

#include "tlm_bus/time.h"

namespace gt200::tlm_bus {

// 64 bits that depend on both numbers only (the finalizer of SplitMix64, Steele, Lea and Flood 2014).
inline std::uint64_t mixed(std::uint64_t seed, cycle_t cycle) {
  std::uint64_t x = seed ^ (cycle * 0x9e3779b97f4a7c15u);
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

struct stall_injection {
  std::uint64_t seed = 0;
  std::uint32_t per_1024 = 0;  // probability of a stall per cycle, in 1/1024; 0 = off, below 1024

  bool stalls(std::uint64_t name_hash, cycle_t cycle) const {
    return per_1024 != 0 && (mixed(seed ^ name_hash, cycle) & 1023u) < per_1024;
  }
};

// FNV-1a.
inline std::uint64_t name_hash_of(std::string_view name) {
  std::uint64_t h = 0xcbf29ce484222325u;
  for (const char c : name) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return h;
}

}  // namespace gt200::tlm_bus
