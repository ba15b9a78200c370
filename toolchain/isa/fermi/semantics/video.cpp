// Video instructions, as PTX describes them: parts of the sources, extended by their sign; an operation without
// overflow; saturation to the type of the result; then a merge into, or a second operation with, source 2.
#include <algorithm>

#include "toolchain/isa/fermi/semantics/lanes.h"

namespace gt200::isa::fermi::semantics {
namespace {

struct part_of_word {
  part_of_word(std::uint8_t selector, bool extends_sign) : is_signed(extends_sign) {
    bits = selector < 4 ? 8 : selector < 6 ? 16 : 32;
    low = selector < 4 ? 8u * selector : selector < 6 ? 16u * (selector - 4u) : 0u;
  }
  std::int64_t operator()(std::uint32_t x) const {
    const std::uint32_t aligned = x >> low << (32 - bits);
    return is_signed ? static_cast<std::int32_t>(aligned) >> (32 - bits) : std::int64_t{aligned >> (32 - bits)};
  }
  unsigned bits, low;
  bool is_signed;
};

std::int64_t clamped(std::int64_t value, unsigned bits, bool is_signed) {
  const std::int64_t top = std::int64_t{1} << (is_signed ? bits - 1 : bits);
  return std::clamp(value, is_signed ? -top : std::int64_t{0}, top - 1);
}

// The common last step of all video instructions.
struct merger {
  explicit merger(const instruction& i) : mode(i.merge), is_signed(i.is_signed), saturate(i.saturate) {
    switch (mode) {
      case video_merge::h1: bits = 16, low = 16; break;
      case video_merge::h0: bits = 16; break;
      case video_merge::b0: bits = 8; break;
      case video_merge::b2: bits = 8, low = 16; break;
      default: break;
    }
  }
  word_result operator()(std::int64_t value, std::uint32_t z) const {
    if (saturate) value = clamped(value, bits, is_signed);
    auto word = static_cast<std::uint32_t>(value);
    if (bits < 32) {
      const std::uint32_t mask = ((1u << bits) - 1) << low;
      word = (word << low & mask) | (z & ~mask);
    } else if (mode == video_merge::add) {
      word += z;
    } else if (mode != video_merge::none) {
      const bool less = integer_relation(word, z, is_signed) == 1;
      if (less != (mode == video_merge::min)) word = z;
    }
    return {word, zero_sign_flags(word)};
  }
  video_merge mode;
  bool is_signed, saturate;
  unsigned bits = 32, low = 0;
};

struct sources {
  explicit sources(const instruction& i)
      : x(i.selector[0], i.source_signed[0]), y(i.selector[1], i.source_signed[1]) {}
  part_of_word x, y;
};

struct sum {
  explicit sum(const instruction& i) : op(i.addend) {}
  std::int64_t operator()(std::int64_t x, std::int64_t y) const {
    switch (op) {
      case addend_mode::add: return x + y;
      case addend_mode::sub: return x - y;
      case addend_mode::subr: return y - x;
      case addend_mode::add_plus_one: break;
    }
    return x + y + 1;
  }
  addend_mode op;
};
struct extreme {
  explicit extreme(const instruction& i) : maximum(i.maximum) {}
  std::int64_t operator()(std::int64_t x, std::int64_t y) const { return (x > y) == maximum ? x : y; }
  bool maximum;
};
struct absolute_difference {
  explicit absolute_difference(const instruction&) {}
  std::int64_t operator()(std::int64_t x, std::int64_t y) const { return x > y ? x - y : y - x; }
};
struct comparison {
  explicit comparison(const instruction& i) : wanted(i.compare) {}
  std::int64_t operator()(std::int64_t x, std::int64_t y) const {
    return (wanted & (x == y ? 2u : x < y ? 1u : 4u)) != 0 ? 1 : 0;
  }
  std::uint32_t wanted;
};
// The count is unsigned: up to 32, or its lower five bits.
template <bool to_left>
struct shift {
  explicit shift(const instruction& i) : wrap(i.wrap) {}
  std::int64_t operator()(std::int64_t x, std::int64_t y) const {
    const auto given = static_cast<std::uint32_t>(y);
    const std::uint32_t count = wrap ? given & 31 : std::min<std::uint32_t>(given, 32);
    if (!to_left) return x >> count;
    // 33 bits to the left by 32: any number beyond 30 bits is as good, with lower bits of zero.
    constexpr std::int64_t enough = std::int64_t{1} << 30;
    if (count == 32) x = std::clamp(x, -enough, enough);
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(x) << count);
  }
  bool wrap;
};

template <class operation>
struct merged {
  explicit merged(const instruction& i) : compute(i), from(i), merge(i) {}
  word_result operator()(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t) const {
    return merge(compute(from.x(x), from.y(y)), z);
  }
  operation compute;
  sources from;
  merger merge;
};

struct multiply_add {
  explicit multiply_add(const instruction& i)
      : from(i),
        op(i.addend),
        is_signed(i.source_signed[0] || i.source_signed[1] || i.addend == addend_mode::subr),
        is_result_signed(is_signed || i.addend == addend_mode::sub),
        saturate(i.saturate) {
    shift = i.shift == 1 ? 7 : i.shift == 2 ? 15 : 0;
  }
  word_result operator()(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t) const {
    __extension__ using int128 = __int128;
    const int128 product = int128{from.x(x)} * from.y(y);
    const int128 addend = is_signed ? int128{static_cast<std::int32_t>(z)} : int128{z};
    int128 value = product;
    switch (op) {
      case addend_mode::add: value += addend; break;
      case addend_mode::sub: value -= addend; break;
      case addend_mode::subr: value = addend - value; break;
      case addend_mode::add_plus_one: value += addend + 1; break;
    }
    value >>= shift;
    if (saturate) {
      const int128 top = int128{1} << (is_result_signed ? 31 : 32);
      value = std::clamp(value, is_result_signed ? -top : int128{0}, top - 1);
    }
    const auto word = static_cast<std::uint32_t>(value);
    return {word, zero_sign_flags(word)};
  }
  sources from;
  addend_mode op;
  bool is_signed;  // the addend and the sum: those of PTX, whose product with a minus sign is signed
  bool is_result_signed, saturate;
  unsigned shift;
};

struct truth {
  explicit truth(const instruction& i) : compute(i), from(i) {}
  bool operator()(const lane_bundle& b, unsigned lane) const {
    return compute(from.x(b.source[0][0].lane[lane]), from.y(b.source[1][0].lane[lane])) != 0;
  }
  comparison compute;
  sources from;
};

}  // namespace

lane_function video_function(const instruction& i) {
  switch (i.op) {
    case opcode::vadd: return map_words<merged<sum>>;
    case opcode::vmnmx: return map_words<merged<extreme>>;
    case opcode::vabsdiff: return map_words<merged<absolute_difference>>;
    case opcode::vset: return map_words<merged<comparison>>;
    case opcode::vshl: return map_words<merged<shift<true>>>;
    case opcode::vshr: return map_words<merged<shift<false>>>;
    case opcode::vmad: return map_words<multiply_add>;
    case opcode::vsetp: return map_truth<truth>;
    default: return nullptr;
  }
}

}  // namespace gt200::isa::fermi::semantics
