// Integer results and $c nibbles against a reference that works bit by bit.
#include <gtest/gtest.h>

#include <functional>
#include <sstream>

#include "testbenches/toolchain/isa/semantics_operation.h"

namespace gt200::isa::tesla {
namespace {

constexpr unsigned z = 1, s = 2, c = 4, o = 8;

unsigned zero_sign(std::uint64_t value, int bits) {
  return (value == 0 ? z : 0u) | ((value >> (bits - 1) & 1) != 0 ? s : 0u);
}

bool bit(std::uint64_t value, int n) { return (value >> n & 1) != 0; }

std::uint64_t extended(std::uint64_t value, int bits, bool is_signed) {
  std::uint64_t r = 0;
  for (int n = 0; n < 64; ++n) {
    const bool one = n < bits ? bit(value, n) : is_signed && bit(value, bits - 1);
    r |= std::uint64_t{one} << n;
  }
  return r;
}
std::int64_t number(std::uint64_t value, int bits, bool is_signed) {
  return static_cast<std::int64_t>(extended(value, bits, is_signed));
}

// A ripple-carry adder.
outcome ripple_add(std::uint64_t x, std::uint64_t y, bool carry, int bits, bool saturate) {
  std::uint64_t sum = 0;
  bool carry_into_sign = false;
  for (int n = 0; n < bits; ++n) {
    if (n == bits - 1) carry_into_sign = carry;
    const int ones = int{bit(x, n)} + int{bit(y, n)} + int{carry};
    sum |= std::uint64_t{(ones & 1) != 0} << n;
    carry = ones >= 2;
  }
  const bool overflow = carry != carry_into_sign;
  if (saturate && overflow) {
    sum = bit(x, bits - 1) ? std::uint64_t{1} << (bits - 1) : (std::uint64_t{1} << (bits - 1)) - 1;
  }
  return {sum, zero_sign(sum, bits) | (carry ? c : 0u) | (overflow ? o : 0u)};
}

outcome combine(const std::string& mode, std::uint64_t x, std::uint64_t y, unsigned flags, int bits,
                bool saturate) {
  if (mode == "sub") return ripple_add(x, ~y, true, bits, saturate);
  if (mode == "subr") return ripple_add(~x, y, true, bits, saturate);
  if (mode == "addc") return ripple_add(x, y, (flags & c) != 0, bits, saturate);
  return ripple_add(x, y, false, bits, saturate);
}

using reference = std::function<outcome(std::uint32_t x, std::uint32_t y, std::uint32_t z, unsigned flags)>;

// Edge values, small numbers, halves and full words, of one kind for all lanes of a warp.
std::uint32_t operand_value(random_words& random, unsigned kind) {
  static constexpr std::uint32_t edges[] = {0,          1,          2,          0x7fff,     0x8000,
                                            0xffff,     0x10000,    0x17fff,    0x7fffff,   0x800000,
                                            0xffffff,   0x1000000,  0x7fffffff, 0x80000000, 0x80000001,
                                            0xffff8000, 0xff800000, 0xfffffffe, 0xffffffff};
  switch (kind % 5) {
    case 0: return edges[random.below(std::size(edges))];
    case 1: return random.below(70);
    case 2: return random.word() & 0xffffu;
    case 3: return 1u << random.below(32);
    default: return random.word();
  }
}

void expect_equal(const std::string& text, const reference& expected) {
  operation op(text);
  random_words random(0x9e3779b97f4a7c15u);
  const bool immediate = op.decoded().source[1].kind == operand_kind::immediate;
  for (unsigned round = 0; round < 150; ++round) {
    for (int lane = 0; lane < warp_size; ++lane) {
      op.set_source(0, lane, operand_value(random, round));
      if (!immediate) op.set_source(1, lane, operand_value(random, round / 5));
      op.set_source(2, lane, operand_value(random, round / 25));
      op.bundle.flags_in[lane] = static_cast<std::uint8_t>(random.below(16));
    }
    op.run();
    for (int lane = 0; lane < warp_size; ++lane) {
      const std::uint32_t x = op.bundle.source[0][0].lane[lane];
      const std::uint32_t y = op.bundle.source[1][0].lane[lane];
      const std::uint32_t w = op.bundle.source[2][0].lane[lane];
      ASSERT_EQ(op.result(lane), expected(x, y, w, op.bundle.flags_in[lane]))
          << text << ": " << std::hex << x << " " << y << " " << w;
    }
  }
}

TEST(semantics_integer, sums_and_differences_in_32_and_16_bits) {
  for (const std::string mode : {"add", "sub", "subr", "addc"}) {
    const std::string carry = mode == "addc" ? " $c1" : "";
    for (const std::string saturate : {"", " sat"}) {
      expect_equal(
          mode + " b32" + saturate + " $c0 $r0 $r1 $r2" + carry,
          [=](auto x, auto y, auto, unsigned flags) { return combine(mode, x, y, flags, 32, !saturate.empty()); });
      expect_equal(
          mode + " b16" + saturate + " $c0 $r0l $r1l $r2l" + carry,
          [=](auto x, auto y, auto, unsigned flags) { return combine(mode, x, y, flags, 16, !saturate.empty()); });
    }
  }
}

TEST(semantics_integer, carry_means_no_borrow) {
  operation sub("sub b32 $c0 $r0 $r1 $r2");
  EXPECT_EQ(sub(5, 3), (outcome{2, c}));
  EXPECT_EQ(sub(3, 3), (outcome{0, c | z}));
  EXPECT_EQ(sub(3, 5), (outcome{0xfffffffe, s}));
  EXPECT_EQ(sub(0x80000000, 1), (outcome{0x7fffffff, c | o}));
}

TEST(semantics_integer, wide_sums_chain_through_the_carry) {
  operation low("add b32 $c0 $r0 $r1 $r2");
  operation high("addc b32 $c0 $r0 $r1 $r2 $c0");
  const outcome l = low(0xffffffff, 1);
  EXPECT_EQ(l, (outcome{0, c | z}));
  EXPECT_EQ(high(7, 8, 0, l.flags).value, 16u);
}

TEST(semantics_integer, products_of_16_bits_have_a_sign_per_factor) {
  for (const bool first : {false, true}) {
    for (const bool second : {false, true}) {
      expect_equal(
          std::string("mul $c0 $r0 ") + (first ? "s16" : "u16") + " $r1l " + (second ? "s16" : "u16") + " $r2l",
          [=](auto x, auto y, auto, unsigned) {
            const auto r = static_cast<std::uint32_t>(number(x, 16, first) * number(y, 16, second));
            return outcome{r, zero_sign(r, 32)};
          });
    }
  }
}

std::uint32_t product24(std::uint32_t x, std::uint32_t y, bool is_signed, bool high) {
  const std::int64_t product = number(x, 24, is_signed) * number(y, 24, is_signed);
  return static_cast<std::uint32_t>(product >> (high ? 16 : 0));
}

TEST(semantics_integer, products_of_24_bits_keep_the_lower_or_upper_32_of_48) {
  for (const bool is_signed : {false, true}) {
    for (const bool high : {false, true}) {
      const std::string type = std::string(high ? "high " : "") + (is_signed ? "s24" : "u24");
      expect_equal("mul $c0 $r0 " + type + " $r1 $r2", [=](auto x, auto y, auto, unsigned) {
        const std::uint32_t r = product24(x, y, is_signed, high);
        return outcome{r, zero_sign(r, 32)};
      });
    }
  }
}

TEST(semantics_integer, multiply_add_combines_product_and_addend_in_four_ways) {
  for (const std::string mode : {"add", "sub", "subr", "addc"}) {
    const std::string carry = mode == "addc" ? " $c1" : "";
    for (const bool is_signed : {false, true}) {
      const std::string type16 = is_signed ? "s16" : "u16";
      expect_equal(mode + " $c0 $r0 (mul " + type16 + " $r1l $r2l) $r3" + carry,
                   [=](auto x, auto y, auto w, unsigned flags) {
                     const auto p = static_cast<std::uint32_t>(number(x, 16, is_signed) * number(y, 16, is_signed));
                     return combine(mode, p, w, flags, 32, false);
                   });
      for (const bool high : {false, true}) {
        const std::string type24 = std::string(high ? "high " : "") + (is_signed ? "s24" : "u24");
        expect_equal(mode + " $c0 $r0 (mul " + type24 + " $r1 $r2) $r3" + carry,
                     [=](auto x, auto y, auto w, unsigned flags) {
                       return combine(mode, product24(x, y, is_signed, high), w, flags, 32, false);
                     });
        if (!is_signed) continue;
        expect_equal(mode + " sat $c0 $r0 (mul " + type24 + " $r1 $r2) $r3" + carry,
                     [=](auto x, auto y, auto w, unsigned flags) {
                       return combine(mode, product24(x, y, true, high), w, flags, 32, true);
                     });
      }
    }
  }
}

TEST(semantics_integer, full_product_from_three_16_bit_multiplications) {
  operation mul("mul $r0 u16 $r1l u16 $r2l");
  operation mad("add $r0 (mul u16 $r1l $r2l) $r3");
  operation shl("shl b32 $r0 $r1 0x10");
  const std::uint32_t x = 0x89abcdef;
  const std::uint32_t y = 0x76543210;
  const auto cross = mad(x >> 16, y & 0xffff, mul(x & 0xffff, y >> 16).value).value;
  EXPECT_EQ(mad(x & 0xffff, y & 0xffff, shl(cross).value).value, std::uint64_t{x * y});
}

TEST(semantics_integer, sad_adds_the_distance) {
  for (const int bits : {16, 32}) {
    for (const bool is_signed : {false, true}) {
      const std::string half = bits == 16 ? "l" : "";
      expect_equal("sad $c0 $r0 " + std::string(is_signed ? "s" : "u") + std::to_string(bits) + " $r1" + half +
                       " $r2" + half + " $r3",
                   [=](auto x, auto y, auto w, unsigned) {
                     const std::int64_t d = number(x, bits, is_signed) - number(y, bits, is_signed);
                     return ripple_add(static_cast<std::uint32_t>(d < 0 ? -d : d), w, false, 32, false);
                   });
    }
  }
}

TEST(semantics_integer, min_max_and_set_compare_in_four_types) {
  const std::string conditions[8] = {"never", "l", "e", "le", "g", "lg", "ge", "always"};
  for (const int bits : {16, 32}) {
    for (const bool is_signed : {false, true}) {
      const std::string type = std::string(is_signed ? "s" : "u") + std::to_string(bits);
      const std::string half = bits == 16 ? "l" : "";
      const std::string operands = " $r1" + half + " $r2" + half;
      for (const bool greater : {false, true}) {
        expect_equal(std::string(greater ? "max " : "min ") + type + " $c0 $r0" + half + operands,
                     [=](auto x, auto y, auto, unsigned) {
                       const std::int64_t a = number(x, bits, is_signed);
                       const std::int64_t b = number(y, bits, is_signed);
                       const auto r = extended(static_cast<std::uint64_t>((a > b) == greater ? a : b), bits, false);
                       return outcome{r, zero_sign(r, bits)};
                     });
      }
      for (unsigned condition = 0; condition < 8; ++condition) {
        expect_equal("set $c0 $r0" + half + " " + conditions[condition] + " " + type + operands,
                     [=](auto x, auto y, auto, unsigned) {
                       const std::int64_t a = number(x, bits, is_signed);
                       const std::int64_t b = number(y, bits, is_signed);
                       const unsigned relation = a < b ? 1 : (a == b ? 2 : 4);
                       const bool holds = (condition & relation) != 0;
                       return outcome{holds ? extended(~0u, bits, false) : 0, holds ? s : z};
                     });
      }
    }
  }
}

// Shifts one position at a time. Counts above the width lose everything, including C.
outcome shifted(std::uint64_t x, std::uint64_t count, int bits, bool left, bool arithmetic) {
  const std::uint64_t all = (std::uint64_t{1} << bits) - 1;
  const bool old_sign = bit(x, bits - 1);
  std::uint64_t r = x & all;
  bool last_out = false;
  for (std::uint64_t n = 0; n < count && n < 70; ++n) {
    last_out = bit(r, left ? bits - 1 : 0);
    r = left ? r << 1 & all : r >> 1 | (arithmetic && old_sign ? std::uint64_t{1} << (bits - 1) : 0);
  }
  const bool carry = last_out && count < static_cast<std::uint64_t>(bits);
  const bool overflow = count == 1 && bit(r, bits - 1) != old_sign;
  return {r, zero_sign(r, bits) | (carry ? c : 0u) | (overflow ? o : 0u)};
}

TEST(semantics_integer, shifts_by_registers_and_immediates) {
  for (const int bits : {16, 32}) {
    const std::string half = bits == 16 ? "l" : "";
    const std::string width = std::to_string(bits);
    for (const std::string name : {"shl b", "shr u", "shr s"}) {
      const bool left = name == "shl b";
      const bool arithmetic = name == "shr s";
      const std::string start = name + width + " $c0 $r0" + half + " $r1" + half + " ";
      expect_equal(start + "$r2" + half, [=](auto x, auto y, auto, unsigned) {
        return shifted(x, extended(y, bits, false), bits, left, arithmetic);
      });
      for (const unsigned count : {0u, 1u, 5u, 15u, 16u, 17u, 31u, 32u, 33u, 64u, 127u}) {
        std::ostringstream immediate;
        immediate << std::hex << "0x" << count;
        expect_equal(start + immediate.str(),
                     [=](auto x, auto, auto, unsigned) { return shifted(x, count, bits, left, arithmetic); });
      }
    }
  }
}

TEST(semantics_integer, logic_inverts_either_source_first) {
  for (const int bits : {16, 32}) {
    const std::string half = bits == 16 ? "l" : "";
    for (const std::string name : {"and", "or", "xor", "mov2"}) {
      for (unsigned inversions = 0; inversions < 4; ++inversions) {
        const bool not_x = (inversions & 1) != 0;
        const bool not_y = (inversions & 2) != 0;
        expect_equal(name + " b" + std::to_string(bits) + " $c0 $r0" + half + (not_x ? " not" : "") + " $r1" +
                         half + (not_y ? " not" : "") + " $r2" + half,
                     [=](auto x, auto y, auto, unsigned) {
                       std::uint64_t r = 0;
                       for (int n = 0; n < bits; ++n) {
                         const bool a = bit(x, n) != not_x;
                         const bool b = bit(y, n) != not_y;
                         bool one = b;
                         if (name == "and") one = a && b;
                         if (name == "or") one = a || b;
                         if (name == "xor") one = a != b;
                         r |= std::uint64_t{one} << n;
                       }
                       return outcome{r, zero_sign(r, bits)};
                     });
      }
    }
  }
}

}  // namespace
}  // namespace gt200::isa::tesla
