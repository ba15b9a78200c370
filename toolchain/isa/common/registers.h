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
  // Where one of them begins, counted from the beginning of the other; wraps to a large number if it begins before.
  const unsigned a_in_b = unsigned{a.first} - b.first;
  const unsigned b_in_a = unsigned{b.first} - a.first;
  return a.file == b.file && ((a_in_b < b.count && a.count != 0) || b_in_a < a.count);
}

// Where a range lies among the registers of all files, with room behind each file for ranges that extend beyond it.
struct register_place {
  static constexpr unsigned max_count = 32;
  static constexpr unsigned file_bits = 256 + max_count;

  std::uint16_t first = 0;
  std::uint16_t count = 0;  // at most max_count

  register_place() = default;
  explicit register_place(const register_range& range)
      : first(static_cast<std::uint16_t>(static_cast<unsigned>(range.file) * file_bits + range.first)),
        count(range.count < max_count ? range.count : max_count) {}
};

// A bit per register of all files.
class register_set {
 public:
  void add(const register_range& range) {
    const register_place place(range);
    for (unsigned bit = place.first; bit < unsigned{place.first} + place.count; ++bit)
      bytes_[bit / 8] = static_cast<std::uint8_t>(bytes_[bit / 8] | 1u << bit % 8);
  }
  // Whether the set has a register of the range; an empty range has none.
  bool meets(register_place range) const {
    std::uint64_t bits;  // those from the byte of the first register on
    std::memcpy(&bits, &bytes_[range.first / 8], sizeof bits);
    return (bits >> range.first % 8 & ((std::uint64_t{1} << range.count) - 1)) != 0;
  }

 private:
  static constexpr unsigned files = 3;
  std::array<std::uint8_t, files * register_place::file_bits / 8 + sizeof(std::uint64_t)> bytes_{};
};

}  // namespace gt200::isa
