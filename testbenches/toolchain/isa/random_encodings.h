// Random instructions of every row of the opcode table, to test the codec and compare other decoders.
#pragma once

#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include "toolchain/isa/tesla/codec.h"
#include "toolchain/isa/tesla/opcode_table.h"

namespace gt200::isa::tesla {

struct encoded {
  std::uint64_t words;
  const row* from;
};

inline std::uint64_t joined(const std::uint32_t words[2]) { return words[0] | std::uint64_t{words[1]} << 32; }

inline std::optional<instruction> decoded(std::uint64_t words) {
  decode_error error;
  return decode(static_cast<std::uint32_t>(words), static_cast<std::uint32_t>(words >> 32), error);
}

// The value that compilers put into a field that must not be zero.
inline std::uint64_t needed_fields(const row& r) {
  constexpr std::uint64_t all_warps = std::uint64_t{0xfff} << 9;
  for (const element& e : r.elements)
    if (e.kind == element_kind::barrier_mask) return all_warps;
  return 0;
}

// The row's fixed bits with format bits and predicate "always".
inline std::uint64_t plain_words(const row& r) {
  constexpr std::uint64_t always = std::uint64_t{0x780} << 32;
  const std::uint64_t value = joined(r.value) | needed_fields(r);
  switch (r.format) {
    case encoding_format::short_: return value;
    case encoding_format::short_control: return value | 2;
    case encoding_format::long_: return value | 1 | always;
    case encoding_format::immediate: return value | 1 | std::uint64_t{3} << 32;
    case encoding_format::control: return value | 3 | always;
    case encoding_format::control_plain: return value | 3;
  }
  return value;
}

// A random walk through the legal encodings of a row: flips a few bits, keeps what decodes.
class encoding_walk {
 public:
  explicit encoding_walk(const row& r)
      : words_(plain_words(r)), fixed_(joined(r.mask) | 3), bits_(is_short(r.format) ? 32 : 64) {}

  std::uint64_t words() const { return words_; }
  // One attempt; the instruction if it leads to other words that decode.
  std::optional<instruction> step(std::mt19937_64& random) {
    std::uint64_t flipped = 0;
    for (std::uint64_t flips = 1 + random() % 3; flips != 0; --flips)
      flipped ^= std::uint64_t{1} << (random() % bits_);
    return go(flipped);
  }
  // The same, with two bits side by side: some fields of two bits have no values between 0 and 3.
  std::optional<instruction> step_by_two(std::mt19937_64& random) {
    return go(std::uint64_t{3} << (random() % (bits_ - 1)));
  }

 private:
  std::optional<instruction> go(std::uint64_t flipped) {
    const std::uint64_t next = words_ ^ (flipped & ~fixed_);
    if (next == words_) return std::nullopt;
    std::optional<instruction> found = decoded(next);
    if (found) words_ = next;
    return found;
  }

  std::uint64_t words_;
  std::uint64_t fixed_;
  unsigned bits_;
};

inline std::vector<encoded> random_instructions(int per_row) {
  std::mt19937_64 random(200);
  std::vector<encoded> result;
  for (const row& r : opcode_table()) {
    encoding_walk walk(r);
    result.push_back({walk.words(), &r});
    for (int found = 0, attempt = 0; found < per_row && attempt < 40 * per_row; ++attempt) {
      if (!walk.step(random)) continue;
      result.push_back({walk.words(), &r});
      ++found;
    }
  }
  return result;
}

}  // namespace gt200::isa::tesla
