// The bits of a dependency vector.
//
// With Coon's scoreboard a bit stands for an entry in the table of its warp. Other mechanisms give the bits a
// meaning of their own; who waits for one asks scoreboard_issue_if::cause_of().
#pragma once

#include <cstdint>

#include "toolchain/bits.h"
#include "toolchain/strong_index.h"

namespace gt200::model {

using scoreboard_entry = strong_index<struct scoreboard_entry_tag, std::uint8_t>;

constexpr std::uint64_t entry_bit(scoreboard_entry entry) { return std::uint64_t{1} << entry.index(); }
// The entries of a vector, ascending: for (const scoreboard_entry entry : entries_in(vector)).
constexpr set_bits<std::uint64_t, scoreboard_entry> entries_in(std::uint64_t vector) {
  return set_bits<std::uint64_t, scoreboard_entry>(vector);
}
// `vector` is not 0.
constexpr scoreboard_entry lowest_entry(std::uint64_t vector) { return scoreboard_entry(__builtin_ctzll(vector)); }

}  // namespace gt200::model
