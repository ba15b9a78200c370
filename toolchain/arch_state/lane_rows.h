// Loops over the 32 lanes of a row that every execution needs: broadcast, narrowing, writing under a mask.
//
// The loops have no branch per lane, so they vectorise.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

#include "toolchain/isa/common/lane_bundle.h"

namespace gt200::arch_state {

inline constexpr isa::lane_mask all_lanes = 0xffffffffu;

namespace detail {
constexpr std::array<std::uint32_t, isa::warp_size> make_lane_bits() {
  std::array<std::uint32_t, isa::warp_size> bits{};
  for (unsigned lane = 0; lane < isa::warp_size; ++lane) bits[lane] = 1u << lane;
  return bits;
}
}  // namespace detail
// Bit of each lane; makes mask tests vectorisable on machines without variable shifts.
inline constexpr std::array<std::uint32_t, isa::warp_size> lane_bit = detail::make_lane_bits();

inline void fill_row(std::uint32_t* row, std::uint32_t value) {
  for (int lane = 0; lane < isa::warp_size; ++lane) row[lane] = value;
}
inline void copy_row(std::uint32_t* to, const std::uint32_t* from) {
  std::memcpy(to, from, sizeof(std::uint32_t) * isa::warp_size);
}

namespace detail {
// Some lanes only: rare, so that the usual case stays small where it is inlined. A group of as many lanes as T has
// bits tests its part of the mask in words of T.
template <class T>
[[gnu::noinline]] void write_lanes(T* __restrict to, const T* __restrict from, isa::lane_mask mask) {
  constexpr int group = 8 * sizeof(T);
  for (int first = 0; first < isa::warp_size; first += group) {
    const T bits = static_cast<T>(mask >> first);
    for (int n = 0; n < group; ++n) {
      const T bit = static_cast<T>(lane_bit[static_cast<std::size_t>(n)]);
      const T taken = static_cast<T>(-static_cast<int>((bits & bit) == bit));
      to[first + n] = static_cast<T>(to[first + n] ^ ((to[first + n] ^ from[first + n]) & taken));
    }
  }
}
}  // namespace detail

// Copies `from` to `to` for the lanes in `mask`; the other lanes keep their values.
template <class T>
void write_row(T* to, const T* from, isa::lane_mask mask) {
  if (mask == all_lanes)
    std::memcpy(to, from, sizeof(T) * isa::warp_size);
  else
    detail::write_lanes(to, from, mask);
}

// Like write_row(), but writes only the high or the low half of each register. The new half is the low half of
// `from`.
inline void write_row_half(std::uint32_t* to, const std::uint32_t* from, bool high, isa::lane_mask mask) {
  const unsigned shift = high ? 16 : 0;
  const std::uint32_t kept = 0xffff0000u >> shift;
  alignas(64) std::uint32_t merged[isa::warp_size];
  for (int lane = 0; lane < isa::warp_size; ++lane)
    merged[lane] = (to[lane] & kept) | ((from[lane] & 0xffffu) << shift);
  write_row(to, merged, mask);
}

// Takes 16 bits of each register, zero- or sign-extended.
inline void narrow_to_half(std::uint32_t* row, bool high, bool is_signed) {
  const unsigned up = high ? 0 : 16;
  if (is_signed) {
    for (int lane = 0; lane < isa::warp_size; ++lane)
      row[lane] = static_cast<std::uint32_t>(static_cast<std::int32_t>(row[lane] << up) >> 16);
  } else {
    for (int lane = 0; lane < isa::warp_size; ++lane) row[lane] = row[lane] << up >> 16;
  }
}

inline unsigned lowest_lane(isa::lane_mask mask) { return static_cast<unsigned>(__builtin_ctz(mask)); }
inline unsigned count_lanes(isa::lane_mask mask) { return static_cast<unsigned>(__builtin_popcount(mask)); }

}  // namespace gt200::arch_state
