// Random instructions of every row of the opcode table of Fermi, to test the codec and compare other decoders.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "toolchain/isa/fermi/codec.h"
#include "toolchain/isa/fermi/opcode_table.h"

namespace gt200::isa::fermi {

struct encoded {
  std::uint64_t words;
  const row* from;
};

inline std::optional<instruction> decoded(std::uint64_t words) {
  decode_error error;
  return decode(words, error);
}

// Words of the row that decode: from some that do, sets random bits one after the other and keeps what decodes.
inline std::optional<std::uint64_t> random_words(const row& r, std::mt19937_64& random) {
  constexpr std::uint64_t length_bit = 8;
  const std::uint64_t open = ~r.mask & ~length_bit;
  std::uint64_t words = r.value;
  for (int attempt = 0; attempt < 100 && !decoded(words); ++attempt) words = r.value | (random() & random() & open);
  if (!decoded(words)) return std::nullopt;
  const std::uint64_t wanted = random() & open;
  for (unsigned n = 0, bit = static_cast<unsigned>(random() % 64); n < 64; ++n, bit = (bit + 1) % 64) {
    const std::uint64_t next = words | (wanted & std::uint64_t{1} << bit);
    if (next != words && decoded(next)) words = next;
  }
  return words;
}

inline std::vector<encoded> random_instructions(int per_row) {
  std::mt19937_64 random(480);
  std::vector<encoded> result;
  for (const row& r : opcode_table())
    for (int k = 0; k < per_row; ++k)
      if (const auto words = random_words(r, random)) result.push_back({*words, &r});
  return result;
}

}  // namespace gt200::isa::fermi
