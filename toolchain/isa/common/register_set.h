// A set of registers of all three files, with a test whether a range overlaps it.
#pragma once

#include <array>
#include <cstdint>

#include "toolchain/isa/common/instruction.h"

namespace gt200::isa {

class register_set {
 public:
  // Adds a range of fewer than 32 registers. A range may extend beyond the end of its file.
  void add(const register_range& range) {
    const place p = place_of(range);
    words_[p.word] |= p.low;
    words_[p.word + 1] |= p.high;
  }
  bool meets(const register_range& range) const {
    const place p = place_of(range);
    return ((words_[p.word] & p.low) | (words_[p.word + 1] & p.high)) != 0;
  }

 private:
  // Up to 256 general registers plus room for ranges beyond them; then predicates; then address registers.
  static constexpr std::array<std::uint16_t, 3> first_of_file = {0, 288, 336};
  struct place {
    unsigned word;
    std::uint64_t low, high;  // bits in this word and in the next one
  };
  static place place_of(const register_range& range) {
    const unsigned number = first_of_file[static_cast<unsigned>(range.file)] + range.first;
    const unsigned shift = number % 64;
    const std::uint64_t bits = (std::uint64_t{1} << range.count) - 1;
    return {number / 64, bits << shift, bits >> 1 >> (63 - shift)};
  }

  std::array<std::uint64_t, 7> words_{};
};

}  // namespace gt200::isa
