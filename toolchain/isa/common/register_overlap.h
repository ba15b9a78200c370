// Whether ranges of registers have a register in common.
#pragma once

#include "toolchain/isa/common/instruction.h"

namespace gt200::isa {

// `b` must not be empty. A range may extend beyond the end of its file.
inline bool overlap(const register_range& a, const register_range& b) {
  // The beginning of one, counted from the beginning of the other; wraps to a large number if it begins before.
  const unsigned a_in_b = unsigned{a.first} - b.first;
  const unsigned b_in_a = unsigned{b.first} - a.first;
  return a.file == b.file && ((a_in_b < b.count && a.count != 0) || b_in_a < a.count);
}

// A bit for each register of a range. Ranges with a register in common have a bit in common; the reverse does not
// hold, because several registers share a bit. An empty range counts as one register.
constexpr std::uint32_t footprint_of(const register_range& range) {
  const std::uint32_t bits = range.count < 2    ? 1
                             : range.count < 32 ? (std::uint32_t{1} << range.count) - 1
                                                : ~std::uint32_t{0};
  const unsigned first = (range.first + 12u * static_cast<unsigned>(range.file)) % 32;
  return bits << first | bits >> (32 - first) % 32;
}

// Footprint of all registers that the instruction reads or writes.
inline std::uint32_t footprint_of(const instruction& i) {
  std::uint32_t footprint = 0;
  for (unsigned k = 0; k < i.read_count; ++k) footprint |= footprint_of(i.reads[k]);
  for (unsigned k = 0; k < i.write_count; ++k) footprint |= footprint_of(i.writes[k]);
  return footprint;
}

}  // namespace gt200::isa
