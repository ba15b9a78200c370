// Ranges of registers, and sets of them.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace gt200::isa {

// A range of consecutive registers of one register file: general registers, predicates (condition codes) or address
// registers.
enum class register_file_kind : std::uint8_t { gpr, condition, address };
struct register_range {
  register_file_kind file = register_file_kind::gpr;
  std::uint8_t first = 0;
  std::uint8_t count = 0;  // 0 = unused entry
};

// Whether two ranges have a register in common. `b` must not be empty. A range may extend beyond the end of its
// file.
inline bool overlap(const register_range& a, const register_range& b) {
  // The beginning of each, counted from that of the other; wraps to a large number if it lies before.
  const unsigned a_in_b = unsigned{a.first} - b.first;
  const unsigned b_in_a = unsigned{b.first} - a.first;
  return a.file == b.file && ((a_in_b < b.count && a.count != 0) || b_in_a < a.count);
}

// The place of a range among the registers of all files. Each file has room behind it for ranges that extend beyond
// it.
struct register_place {
  static constexpr unsigned file_bits = 256 + 32;

  std::uint16_t first = 0;
  std::uint16_t count = 0;

  register_place() = default;
  explicit register_place(const register_range& range)
      : first(static_cast<std::uint16_t>(static_cast<unsigned>(range.file) * file_bits + range.first)),
        count(range.first + range.count < file_bits ? range.count
                                                    : static_cast<std::uint16_t>(file_bits - range.first)) {}
};

// A bit per register of all files, the first in the lowest bit of its byte.
class register_set {
 public:
  void add(const register_range& range) {
    const register_place place(range);
    for (unsigned bit = place.first; bit < unsigned{place.first} + place.count; ++bit)
      bytes_[bit / 8] = static_cast<std::uint8_t>(bytes_[bit / 8] | 1u << bit % 8);
  }
  // Whether the set has a register of the range; an empty range has none.
  bool meets(register_place range) const {
    if (range.count <= at_once) return (from(range.first) & first_bits(range.count)) != 0;
    return meets_long(range);
  }
  // The same for a place of at most 32 registers, the first one given as bit `shift` of byte `byte`.
  bool meets(unsigned byte, unsigned shift, unsigned count) const {
    std::uint64_t bits;
    std::memcpy(&bits, &bytes_[byte], sizeof bits);
    return (bits >> shift & first_bits(count)) != 0;
  }

 private:
  static constexpr unsigned files = 3;
  static constexpr unsigned at_once = 32;

  static std::uint64_t first_bits(unsigned count) { return (std::uint64_t{1} << count) - 1; }
  // At least `at_once` bits from this register on. The host is little-endian, as on x86.
  std::uint64_t from(unsigned first) const {
    std::uint64_t bits;
    std::memcpy(&bits, &bytes_[first / 8], sizeof bits);
    return bits >> first % 8;
  }
  bool meets_long(register_place range) const {
    unsigned first = range.first, left = range.count;
    for (; left > at_once; first += at_once, left -= at_once)
      if ((from(first) & first_bits(at_once)) != 0) return true;
    return (from(first) & first_bits(left)) != 0;
  }

  std::array<std::uint8_t, files * register_place::file_bits / 8 + sizeof(std::uint64_t)> bytes_{};
};

}  // namespace gt200::isa
