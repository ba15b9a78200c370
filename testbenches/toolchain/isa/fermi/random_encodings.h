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

// A value of the row's fields that decodes: random bits, without those that have no meaning.
inline std::optional<std::uint64_t> random_words(const row& r, std::mt19937_64& random) {
  for (int attempt = 0; attempt < 200; ++attempt) {
    const std::uint64_t sparse = attempt % 2 == 0 ? ~std::uint64_t{0} : random();
    std::uint64_t words = (random() & sparse & ~r.mask) | r.value;
    words &= ~std::uint64_t{8};  // 8 bytes
    // Clears one bit after the other until the words decode.
    for (unsigned bit = 64; bit-- > 0;) {
      if (decoded(words)) return words;
      if ((r.mask >> bit & 1) == 0) words &= ~(std::uint64_t{1} << bit);
    }
  }
  return std::nullopt;
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
