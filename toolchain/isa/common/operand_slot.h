// To which source of an instruction a register goes, and which sources have values: what a reuse cache at the
// operand slots goes by, and what waves show.
#pragma once

#include <cstddef>
#include <cstdint>

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

constexpr std::uint8_t source_bit(std::size_t slot) { return static_cast<std::uint8_t>(1u << slot); }

// instruction::sources, for the decoder of any generation once it has set what is read: operands, constants,
// access. `collected` are the sources that generation::collect() fills, because the value is in the instruction
// itself (a number, a register that reads as zero) or in no register file (a special register).
inline std::uint8_t sources_of(const instruction& i, std::uint8_t collected) {
  std::uint8_t sources = collected;
  for (unsigned k = 0; k < i.operand_count; ++k)
    if (const unsigned slot = operand_slot(i.operands[k]); slot != no_slot) sources |= source_bit(slot);
  for (unsigned k = 0; k < i.constant_count; ++k) sources |= source_bit(i.constants[k].slot);
  if (i.access.kind == access_kind::operand) sources |= source_bit(i.access.slot);
  if (i.reads_predicate_file) sources |= source_bit(2);
  return sources;
}

}  // namespace gt200::isa
