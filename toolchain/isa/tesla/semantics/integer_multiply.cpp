// mul (16 x 16 -> 32), mul24, their multiply-adds, and sad. There is no 32-bit multiplier.
#include "toolchain/isa/tesla/semantics/groups.h"
#include "toolchain/isa/tesla/semantics/lane_map.h"

namespace gt200::isa::tesla::semantics {
namespace {

template <bool x_signed, bool y_signed>
struct product16 {
  static std::uint32_t of(std::uint32_t x, std::uint32_t y) {
    return (x_signed ? sign_extend16(x) : x & 0xffffu) * (y_signed ? sign_extend16(y) : y & 0xffffu);
  }
};

// Bits 31:0 of the 48-bit product.
template <bool is_signed>
struct product24_low {
  static std::uint32_t of(std::uint32_t x, std::uint32_t y) {
    return is_signed ? sign_extend24(x) * sign_extend24(y) : (x & 0xffffffu) * (y & 0xffffffu);
  }
};

// Bits 47:16 of the 48-bit product: the upper word of the product of the operands shifted left by 8.
template <bool is_signed>
struct product24_high {
  static std::uint32_t of(std::uint32_t x, std::uint32_t y) {
    const std::uint32_t a = x << 8;
    const std::uint32_t b = y << 8;
    std::uint32_t upper = static_cast<std::uint32_t>((static_cast<std::uint64_t>(a) * b) >> 32);
    if (is_signed) {  // a negative factor counts 2^32 less than its unsigned reading
      upper -= (0u - (a >> 31)) & b;
      upper -= (0u - (b >> 31)) & a;
    }
    return upper;
  }
};

template <class product>
struct multiply {
  explicit multiply(const instruction&) {}
  value_and_flags operator()(std::uint32_t x, std::uint32_t y, std::uint32_t, std::uint8_t) const {
    const std::uint32_t value = product::of(x, y);
    return {value, zero_sign_flags(value)};
  }
};

// product + source[2], the common case
template <class product>
struct multiply_add {
  explicit multiply_add(const instruction&) {}
  value_and_flags operator()(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint8_t) const {
    return add32<false>(product::of(x, y), z, 0);
  }
};

// product - source[2], source[2] - product, and with carry in: see integer_add.cpp
template <class product, bool saturate>
struct multiply_combine {
  explicit multiply_combine(const instruction& i)
      : product_inversion(i.addend == addend_mode::subr ? ~0u : 0u),
        addend_inversion(i.addend == addend_mode::sub ? ~0u : 0u),
        fixed_carry(i.addend == addend_mode::sub || i.addend == addend_mode::subr ? 1u : 0u),
        carry_from_flags(i.addend == addend_mode::addc ? 1u : 0u) {}
  value_and_flags operator()(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint8_t flags) const {
    const std::uint32_t carry = fixed_carry | (flags >> 2 & carry_from_flags);
    return add32<saturate>(product::of(x, y) ^ product_inversion, z ^ addend_inversion, carry);
  }
  std::uint32_t product_inversion, addend_inversion, fixed_carry, carry_from_flags;
};

// abs(x - y) + z. 16-bit operands are extended first; their difference fits in 16 unsigned bits.
template <bool is_16bit, bool is_signed>
struct sad {
  explicit sad(const instruction&) {}
  value_and_flags operator()(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint8_t) const {
    if (is_16bit) {
      x = is_signed ? sign_extend16(x) : x & 0xffffu;
      y = is_signed ? sign_extend16(y) : y & 0xffffu;
    }
    const std::uint32_t bias = is_signed ? 0x80000000u : 0u;
    const std::uint32_t distance = (x ^ bias) > (y ^ bias) ? x - y : y - x;
    return add32<false>(distance, z, 0);
  }
};

template <class product>
lane_function select_mad(const instruction& i) {
  if (i.saturate) return lane_map<multiply_combine<product, true>>(i);
  if (i.addend == addend_mode::add) return lane_map<multiply_add<product>>(i);
  return lane_map<multiply_combine<product, false>>(i);
}

lane_function select_mul16(const instruction& i) {
  if (i.source_signed[0]) {
    return i.source_signed[1] ? lane_map<multiply<product16<true, true>>>(i)
                              : lane_map<multiply<product16<true, false>>>(i);
  }
  return i.source_signed[1] ? lane_map<multiply<product16<false, true>>>(i)
                            : lane_map<multiply<product16<false, false>>>(i);
}

lane_function select_mul24(const instruction& i) {
  if (i.high) {
    return i.source_signed[0] ? lane_map<multiply<product24_high<true>>>(i)
                              : lane_map<multiply<product24_high<false>>>(i);
  }
  return i.source_signed[0] ? lane_map<multiply<product24_low<true>>>(i)
                            : lane_map<multiply<product24_low<false>>>(i);
}

lane_function select_mad24(const instruction& i) {
  if (i.high) return i.is_signed ? select_mad<product24_high<true>>(i) : select_mad<product24_high<false>>(i);
  return i.is_signed ? select_mad<product24_low<true>>(i) : select_mad<product24_low<false>>(i);
}

lane_function select_sad(const instruction& i) {
  if (i.is_16bit) return i.is_signed ? lane_map<sad<true, true>>(i) : lane_map<sad<true, false>>(i);
  return i.is_signed ? lane_map<sad<false, true>>(i) : lane_map<sad<false, false>>(i);
}

}  // namespace

lane_function integer_multiply_function(const instruction& i) {
  switch (i.op) {
    case opcode::mul: return select_mul16(i);
    case opcode::mul24: return select_mul24(i);
    case opcode::mad:
      return i.is_signed ? select_mad<product16<true, true>>(i) : select_mad<product16<false, false>>(i);
    case opcode::mad24: return select_mad24(i);
    case opcode::sad: return select_sad(i);
    default: return nullptr;
  }
}

}  // namespace gt200::isa::tesla::semantics
