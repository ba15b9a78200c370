// To which source of an instruction a register goes: what a reuse cache at the operand slots goes by.
#pragma once

#include <cstddef>

#include "toolchain/isa/common/lane_bundle.h"

namespace gt200::isa {

inline constexpr unsigned operand_slots = 3;
inline constexpr unsigned no_slot = operand_slots;

// The source in whose words the first row lies; no_slot: it is no general register of a source.
inline unsigned operand_slot(const register_transfer& t) {
  constexpr std::size_t first = offsetof(lane_bundle, source);
  constexpr std::size_t slot_bytes = sizeof(lane_words[4]);
  if (t.file != register_file_kind::gpr || t.place < first || t.place >= first + operand_slots * slot_bytes)
    return no_slot;
  return static_cast<unsigned>((t.place - first) / slot_bytes);
}

}  // namespace gt200::isa
