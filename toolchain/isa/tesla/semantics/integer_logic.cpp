// min, max, set, shl, shr and the bitwise operations in 16 and 32 bits.
#include "toolchain/isa/tesla/semantics/groups.h"
#include "toolchain/isa/tesla/semantics/lane_map.h"
#include "toolchain/isa/tesla/semantics/semantics.h"

namespace gt200::isa::tesla::semantics {
namespace {

// 16-bit operands are compared in the upper half of a word, and signed operands with the sign bit inverted. So one
// unsigned 32-bit comparison serves all four types.
template <bool is_16bit>
constexpr std::uint32_t aligned(std::uint32_t x) {
  return is_16bit ? x << 16 : x;
}

template <bool is_16bit>
constexpr value_and_flags unaligned(std::uint32_t x) {
  return {is_16bit ? x >> 16 : x, zero_sign_flags(x)};
}

template <bool is_16bit, bool take_greater>
struct min_max {
  explicit min_max(const instruction& i) : bias(i.is_signed ? 0x80000000u : 0u) {}
  value_and_flags operator()(std::uint32_t x, std::uint32_t y, std::uint32_t, std::uint8_t) const {
    x = aligned<is_16bit>(x) ^ bias;
    y = aligned<is_16bit>(y) ^ bias;
    return unaligned<is_16bit>(((x > y) == take_greater ? x : y) ^ bias);
  }
  std::uint32_t bias;
};

// -1 if the relation is one of those that `compare` selects (l = 1, e = 2, g = 4), else 0.
template <bool is_16bit>
struct set {
  explicit set(const instruction& i)
      : bias(i.is_signed ? 0x80000000u : 0u),
        less((i.compare & 1u) != 0 ? ~0u : 0u),
        equal((i.compare & 2u) != 0 ? ~0u : 0u),
        greater((i.compare & 4u) != 0 ? ~0u : 0u) {}
  value_and_flags operator()(std::uint32_t x, std::uint32_t y, std::uint32_t, std::uint8_t) const {
    x = aligned<is_16bit>(x) ^ bias;
    y = aligned<is_16bit>(y) ^ bias;
    const std::uint32_t is_less = mask_if(x < y);
    const std::uint32_t is_equal = mask_if(x == y);
    const std::uint32_t holds = (is_less & less) | (is_equal & equal) | (~(is_less | is_equal) & greater);
    return {is_16bit ? holds & 0xffffu : holds, flags_false + (holds & (flags_true - flags_false))};
  }
  std::uint32_t bias, less, equal, greater;
};

// The count is a register or an immediate. An immediate is taken from the instruction, because shifting all lanes
// by the same count vectorises on any host. Counts do not wrap: from 32 on only the sign is left. C is the last bit
// shifted out (0 for a count of 0, or of the width or more). O means that a shift by one changed the sign.
template <bool is_16bit, bool immediate_count>
struct shift {
  explicit shift(const instruction& i) : fixed_count(static_cast<std::uint32_t>(i.source[1].value)) {}

 protected:
  static constexpr std::uint32_t bits = is_16bit ? 16 : 32;
  static constexpr std::uint32_t width_mask = is_16bit ? 0xffffu : 0xffffffffu;

  std::uint32_t count_of(std::uint32_t y) const { return (immediate_count ? fixed_count : y) & width_mask; }
  static value_and_flags with_flags(std::uint32_t x, std::uint32_t value, std::uint32_t count,
                                    std::uint32_t last_bit_out) {
    const std::uint32_t carry = count - 1 < bits - 1 ? last_bit_out & 1u : 0u;
    const std::uint32_t overflow = count == 1 ? (x ^ value) >> (bits - 1) : 0u;
    return {value, zero_sign_flags(aligned<is_16bit>(value)) | carry << 2 | overflow << 3};
  }

 private:
  std::uint32_t fixed_count;
};

template <bool is_16bit, bool immediate_count>
struct shift_left : shift<is_16bit, immediate_count> {
  using base = shift<is_16bit, immediate_count>;
  using base::base;
  value_and_flags operator()(std::uint32_t x, std::uint32_t y, std::uint32_t, std::uint8_t) const {
    x &= base::width_mask;
    const std::uint32_t count = base::count_of(y);
    const std::uint32_t shifted = x << (count & 31u);
    const std::uint32_t value = (count < 32 ? shifted : 0u) & base::width_mask;
    return base::with_flags(x, value, count, x >> ((base::bits - count) & 31u));
  }
};

template <bool is_16bit, bool immediate_count, bool arithmetic>
struct shift_right : shift<is_16bit, immediate_count> {
  using base = shift<is_16bit, immediate_count>;
  using base::base;
  value_and_flags operator()(std::uint32_t x, std::uint32_t y, std::uint32_t, std::uint8_t) const {
    x &= base::width_mask;
    const std::uint32_t count = base::count_of(y);
    std::uint32_t value;
    if (arithmetic) {
      const std::int32_t extended = static_cast<std::int32_t>(is_16bit ? sign_extend16(x) : x);
      value = static_cast<std::uint32_t>(extended >> (count < 32 ? count : 31u)) & base::width_mask;
    } else {
      const std::uint32_t shifted = x >> (count & 31u);
      value = count < 32 ? shifted : 0u;
    }
    return base::with_flags(x, value, count, x >> ((count - 1) & 31u));
  }
};

template <logic_op op, bool is_16bit>
struct logic {
  explicit logic(const instruction& i)
      : x_inversion(i.source[0].invert ? ~0u : 0u), y_inversion(i.source[1].invert ? ~0u : 0u) {}
  value_and_flags operator()(std::uint32_t x, std::uint32_t y, std::uint32_t, std::uint8_t) const {
    x ^= x_inversion;
    y ^= y_inversion;
    std::uint32_t value = y;  // mov2
    if (op == logic_op::and_) value = x & y;
    if (op == logic_op::or_) value = x | y;
    if (op == logic_op::xor_) value = x ^ y;
    if (is_16bit) value &= 0xffffu;
    return {value, zero_sign_flags(aligned<is_16bit>(value))};
  }
  std::uint32_t x_inversion, y_inversion;
};

template <bool is_16bit, bool immediate_count>
lane_function select_shift(const instruction& i) {
  if (i.op == opcode::shl) return lane_map<shift_left<is_16bit, immediate_count>>(i);
  return i.arithmetic_shift ? lane_map<shift_right<is_16bit, immediate_count, true>>(i)
                            : lane_map<shift_right<is_16bit, immediate_count, false>>(i);
}

template <bool is_16bit>
lane_function select_logic(const instruction& i) {
  switch (i.logic) {
    case logic_op::and_: return lane_map<logic<logic_op::and_, is_16bit>>(i);
    case logic_op::or_: return lane_map<logic<logic_op::or_, is_16bit>>(i);
    case logic_op::xor_: return lane_map<logic<logic_op::xor_, is_16bit>>(i);
    case logic_op::mov2: return lane_map<logic<logic_op::mov2, is_16bit>>(i);
  }
  return nullptr;
}

template <bool is_16bit>
lane_function select(const instruction& i) {
  switch (i.op) {
    case opcode::min: return lane_map<min_max<is_16bit, false>>(i);
    case opcode::max: return lane_map<min_max<is_16bit, true>>(i);
    case opcode::set: return lane_map<set<is_16bit>>(i);
    case opcode::shl:
    case opcode::shr:
      return i.source[1].kind == operand_kind::immediate ? select_shift<is_16bit, true>(i)
                                                         : select_shift<is_16bit, false>(i);
    case opcode::logic: return select_logic<is_16bit>(i);
    default: return nullptr;
  }
}

}  // namespace

lane_function integer_logic_function(const instruction& i) {
  return i.is_16bit ? select<true>(i) : select<false>(i);
}

}  // namespace gt200::isa::tesla::semantics
