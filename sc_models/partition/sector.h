// The unit of ordering: accesses that touch the same 32 bytes keep their order in a partition.
#pragma once

#include <cstdint>

namespace gt200::model {

inline constexpr unsigned sector_bytes = 32;

// The sectors that `bytes` (not 0) at `offset` of a partition touch; first and last are included.
struct sector_range {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
};
constexpr sector_range sectors_of(std::uint64_t offset, unsigned bytes) {
  return {offset / sector_bytes, (offset + bytes - 1) / sector_bytes};
}
constexpr bool overlap(const sector_range& a, const sector_range& b) {
  return a.first <= b.last && b.first <= a.last;
}

}  // namespace gt200::model
