// Random instructions of every row of the opcode table of Volta.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "toolchain/isa/volta/codec.h"
#include "toolchain/isa/volta/opcode_table.h"

namespace gt200::isa::volta {

struct encoded {
  uint128 words;
  const row* from;
};

inline std::optional<instruction> decoded(uint128 words) {
  decode_error error;
  return decode(words, error);
}

inline uint128 random_bits(std::mt19937_64& random) { return uint128{random()} << 64 | random(); }

// Words of the row with random values of those fields that have few.
inline uint128 random_start(const row& r, std::mt19937_64& random) {
  uint128 words = r.value;
  const auto put = [&words](unsigned low, unsigned width, std::uint64_t value) {
    words |= (uint128{value} & ((uint128{1} << width) - 1)) << low;
  };
  for (const element& e : r.elements) {
    if (e.choices.empty() || e.field.width == 0) continue;
    const std::uint8_t code = e.choices[random() % e.choices.size()].code;
    put(e.field.low, e.field.width, code);
    put(e.field.high_low, e.field.high_width, code >> e.field.width);
  }
  // A fetch writes components, and names no register that it does not use.
  if (r.unit == unit_class::texture) {
    put(72, 4, random() % 15 + 1);
    for (const unsigned low : {32u, 64u}) put(low, 8, random() % 2 == 0 ? zero_register : 0);
  }
  if ((r.mask >> 9 & 7) == 0) put(9, 3, random() % 5 + 1);
  return words;
}

// Words of the row that decode: from some that do, sets random bits one after the other and keeps what decodes.
inline std::optional<uint128> random_words(const row& r, std::mt19937_64& random) {
  const uint128 open = ~r.mask;
  const auto is_of_row = [&r](uint128 words) { return find_row(words) == &r && decoded(words); };
  uint128 words = r.value;
  for (int attempt = 0; attempt < 1000 && !is_of_row(words); ++attempt) words = random_start(r, random);
  if (!is_of_row(words)) return std::nullopt;
  const uint128 wanted = random_bits(random) & open;
  for (unsigned n = 0, bit = static_cast<unsigned>(random() % 128); n < 128; ++n, bit = (bit + 1) % 128) {
    const uint128 next = words | (wanted & uint128{1} << bit);
    if (next != words && is_of_row(next)) words = next;
  }
  return words;
}

inline std::vector<encoded> random_instructions(int per_row) {
  std::mt19937_64 random(70);
  std::vector<encoded> result;
  for (const row& r : opcode_table())
    for (int k = 0; k < per_row; ++k)
      if (const auto words = random_words(r, random)) result.push_back({*words, &r});
  return result;
}

}  // namespace gt200::isa::volta
