// Loads and stores of the lanes of a warp, on flat storage (s[], c[], l[]) and on device memory (g[]).
//
// All lanes are checked before the first one acts, so a faulting access has no effect. Lanes act in ascending
// order: if several lanes store to one address, the highest lane wins, and half-warp 0 acts before half-warp 1.
#pragma once

#include <cstdint>

#include "toolchain/arch_state/fault.h"
#include "toolchain/arch_state/memory.h"
#include "toolchain/isa/common/instruction.h"
#include "toolchain/isa/common/lane_bundle.h"

namespace gt200::arch_state {

struct access_fault {
  fault_kind kind = fault_kind::none;
  isa::lane_mask lanes = 0;
  std::uint64_t address = 0;  // of the lowest faulting lane

  explicit operator bool() const { return kind != fault_kind::none; }
};

// The bytes 0 .. size - 1 that each lane can address. With a lane stride each lane has bytes of its own, that far
// apart (local memory).
struct flat_view {
  const std::uint8_t* bytes = nullptr;
  std::uint32_t size = 0;         // addressable bytes per lane
  std::uint32_t lane_stride = 0;  // 0: all lanes see the same bytes
};
struct flat_storage {
  std::uint8_t* bytes = nullptr;
  std::uint32_t size = 0;
  std::uint32_t lane_stride = 0;

  operator flat_view() const { return {bytes, size, lane_stride}; }
};

// True if the bytes [offset, offset + bytes) lie among the bytes 0 .. size - 1. `offset` may be any number.
constexpr bool lies_within(std::uint32_t offset, std::uint32_t bytes, std::uint32_t size) {
  return size >= bytes && offset <= size - bytes;
}

// The fault of a constant operand, if it has one. Constants are read word by word, so wide ones need the alignment
// of a word.
access_fault find_constant_fault(const isa::lane_words& offsets, isa::lane_mask lanes, isa::data_type type,
                                 std::uint32_t space_bytes);

// Loads widen narrow types to 32 bits; wider types fill out[0], out[1] ... Lanes of `out` that are not in `lanes`
// keep their values. `same_address`: all lanes use the address of lane 0 (direct operands).
access_fault load_lanes(const flat_view& from, const isa::lane_words& address, isa::lane_mask lanes,
                        isa::data_type type, isa::lane_words* out, bool same_address = false);
access_fault store_lanes(const flat_storage& to, const isa::lane_words& address, isa::lane_mask lanes,
                         isa::data_type type, const isa::lane_words* values);

access_fault load_lanes(const memory& from, const isa::lane_words& address, isa::lane_mask lanes,
                        isa::data_type type, isa::lane_words* out);
access_fault store_lanes(memory& to, const isa::lane_words& address, isa::lane_mask lanes, isa::data_type type,
                         const isa::lane_words* values);

// atom and red: read, combine and write, one lane after the other. `old` receives the previous content of memory.
access_fault atomic_lanes(memory& target, const isa::memory_access& access, const isa::lane_words& address,
                          isa::lane_mask lanes, const isa::lane_words* values, const isa::lane_words* swaps,
                          isa::lane_words* old);
access_fault atomic_lanes(const flat_storage& target, const isa::memory_access& access,
                          const isa::lane_words& address, isa::lane_mask lanes, const isa::lane_words* values,
                          const isa::lane_words* swaps, isa::lane_words* old);

}  // namespace gt200::arch_state
