// The words of 16 lanes as one vector, for tests of all of them at once.
//
// It is a vector type of GCC and Clang. Loops over 16 lanes are unrolled before these compilers look for vectors in
// them; lanes of which they know more are then apart from the others.
#pragma once

#include <cstdint>
#include <cstring>

namespace gt200::arch_state {

using half_row [[gnu::vector_size(64)]] = std::uint32_t;

inline constexpr half_row half_row_numbers = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

inline void load_half_row(half_row& row, const std::uint32_t* lanes) { std::memcpy(&row, lanes, sizeof row); }

inline bool is_zero(const half_row& row) {
  std::uint64_t pairs[8];
  std::memcpy(pairs, &row, sizeof pairs);
  std::uint64_t bits = 0;
  for (const std::uint64_t p : pairs) bits |= p;
  return bits == 0;
}

}  // namespace gt200::arch_state
