// Loads and stores of the lanes of a warp, on flat storage (s[], c[], l[]) and on device memory (g[]).
//
// All lanes are checked before the first one acts, so an access with a fault has no effect. Lanes act in ascending
// order: where several store to one address the highest one wins, and half-warp 0 comes before half-warp 1.
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
  std::uint32_t address = 0;  // of the lowest of them

  explicit operator bool() const { return kind != fault_kind::none; }
};

// Bytes 0 .. size - 1 of each lane; with a lane stride the bytes of the lanes lie that far apart (local memory).
struct flat_view {
  const std::uint8_t* bytes = nullptr;
  std::uint32_t size = 0;         // that a lane may address
  std::uint32_t lane_stride = 0;  // 0: all lanes see the same bytes
};
struct flat_storage {
  std::uint8_t* bytes = nullptr;
  std::uint32_t size = 0;
  std::uint32_t lane_stride = 0;

  operator flat_view() const { return {bytes, size, lane_stride}; }
};

// Loads widen narrow types to 32 bits; words of wider types go to out[0], out[1] ... Lanes outside `lanes` of `out`
// keep what they had. `same_address`: all lanes have the address of lane 0 (direct operands).
access_fault load_lanes(const flat_view& from, const isa::lane_words& address, isa::lane_mask lanes,
                        isa::data_type type, isa::lane_words* out, bool same_address = false);
access_fault store_lanes(const flat_storage& to, const isa::lane_words& address, isa::lane_mask lanes,
                         isa::data_type type, const isa::lane_words* values);

access_fault load_lanes(const memory& from, const isa::lane_words& address, isa::lane_mask lanes,
                        isa::data_type type, isa::lane_words* out);
access_fault store_lanes(memory& to, const isa::lane_words& address, isa::lane_mask lanes, isa::data_type type,
                         const isa::lane_words* values);

// atom and red: read, combine, write, lane after lane. `old` gets what memory held before.
access_fault atomic_lanes(memory& target, const isa::memory_access& access, const isa::lane_words& address,
                          isa::lane_mask lanes, const isa::lane_words* values, const isa::lane_words* swaps,
                          isa::lane_words* old);

}  // namespace gt200::arch_state
