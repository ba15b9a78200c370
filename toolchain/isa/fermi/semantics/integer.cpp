// Sums, products, minimum and maximum.
#include "toolchain/isa/fermi/semantics/lanes.h"

namespace gt200::isa::fermi::semantics {
namespace {

constexpr std::uint32_t largest_signed = 0x7fffffff;

// x + y + carry, with all flags.
constexpr word_result sum(std::uint32_t x, std::uint32_t y, std::uint32_t carry, bool saturate = false) {
  const std::uint64_t wide = std::uint64_t{x} + y + carry;
  auto value = static_cast<std::uint32_t>(wide);
  const bool overflow = ((~(x ^ y) & (x ^ value)) >> 31) != 0;
  if (saturate && overflow) value = largest_signed + (x >> 31);  // both terms have the sign of x
  return {value, zero_sign_flags(value) | (wide >> 32 != 0 ? flag_carry : 0u) | (overflow ? flag_overflow : 0u)};
}

// The two terms of a sum whose mode may negate one of them.
struct signed_sum {
  explicit signed_sum(const instruction& i)
      : invert_x(i.addend == addend_mode::subr ? ~0u : 0u),
        invert_y(i.addend == addend_mode::sub ? ~0u : 0u),
        constant(i.addend == addend_mode::add ? 0u : 1u),
        use_carry(i.carry_in),
        saturate(i.saturate) {}
  word_result operator()(std::uint32_t x, std::uint32_t y, std::uint32_t flags) const {
    const std::uint32_t carry = use_carry ? (flags & flag_carry) / flag_carry : constant;
    return sum(x ^ invert_x, y ^ invert_y, carry, saturate);
  }
  std::uint32_t invert_x, invert_y, constant;
  bool use_carry, saturate;
};

struct add {
  explicit add(const instruction& i) : total(i) {}
  word_result operator()(std::uint32_t x, std::uint32_t y, std::uint32_t, std::uint32_t flags) const {
    return total(x, y, flags);
  }
  signed_sum total;
};

struct shifted_add {
  explicit shifted_add(const instruction& i) : total(i), shift(i.shift) {}
  word_result operator()(std::uint32_t x, std::uint32_t y, std::uint32_t, std::uint32_t flags) const {
    return total(x << shift, y, flags);
  }
  signed_sum total;
  unsigned shift;
};

struct product {
  explicit product(const instruction& i)
      : signed_x(i.source_signed[0]), signed_y(i.source_signed[1]), shift(i.high ? 32 : 0) {}
  std::uint32_t value(std::uint32_t x, std::uint32_t y) const {
    const std::uint64_t low = std::uint64_t{x} * y;
    const std::uint64_t correction = (signed_x && x >> 31 != 0 ? std::uint64_t{y} << 32 : 0) +
                                     (signed_y && y >> 31 != 0 ? std::uint64_t{x} << 32 : 0);
    return static_cast<std::uint32_t>((low - correction) >> shift);
  }
  word_result operator()(std::uint32_t x, std::uint32_t y, std::uint32_t, std::uint32_t) const {
    const std::uint32_t v = value(x, y);
    return {v, zero_sign_flags(v)};
  }
  bool signed_x, signed_y;
  unsigned shift;
};

struct multiply_add {
  explicit multiply_add(const instruction& i) : factor(i), total(i) {}
  word_result operator()(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t flags) const {
    return total(factor.value(x, y), z, flags);
  }
  product factor;
  signed_sum total;
};

struct absolute_difference {
  explicit absolute_difference(const instruction& i) : is_signed(i.is_signed) {}
  word_result operator()(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t) const {
    return sum(integer_relation(x, y, is_signed) == 1 ? y - x : x - y, z, 0);
  }
  bool is_signed;
};

struct extreme {
  explicit extreme(const instruction& i) : is_signed(i.is_signed) {}
  word_result operator()(std::uint32_t x, std::uint32_t y, bool minimum) const {
    const std::uint32_t v = (integer_relation(x, y, is_signed) == 1) == minimum ? x : y;
    return {v, zero_sign_flags(v)};
  }
  bool is_signed;
};

}  // namespace

lane_function integer_function(const instruction& i) {
  switch (i.op) {
    case opcode::iadd: return map_words<add>;
    case opcode::iscadd: return map_words<shifted_add>;
    case opcode::imul: return map_words<product>;
    case opcode::imad: return map_words<multiply_add>;
    case opcode::isad: return map_words<absolute_difference>;
    case opcode::imnmx: return map_words_with_predicate<extreme>;
    default: return nullptr;
  }
}

}  // namespace gt200::isa::fermi::semantics
