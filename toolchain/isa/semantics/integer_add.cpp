// add, sub, subr, addc in 16 and 32 bits.
#include "toolchain/isa/semantics/groups.h"

#include "toolchain/isa/lane_bundle.h"
#include "toolchain/isa/semantics/integer_bits.h"

namespace gt200::isa::semantics {
namespace {

// Subtraction is addition of the complement with carry in 1, so C of a - b means "no borrow".
template <addend_mode mode, bool is_16bit, bool saturate, bool with_flags>
void add(const instruction&, lane_bundle& b, lane_mask) {
  for (int lane = 0; lane < warp_size; ++lane) {
    std::uint32_t x = b.source[0][0].lane[lane];
    std::uint32_t y = b.source[1][0].lane[lane];
    if (mode == addend_mode::sub) y = ~y;
    if (mode == addend_mode::subr) x = ~x;
    std::uint32_t carry = mode == addend_mode::add ? 0u : 1u;
    if (mode == addend_mode::addc) carry = b.flags_in[lane] >> 2 & 1u;
    const value_and_flags r =
        is_16bit ? add16<saturate>(x & 0xffffu, y & 0xffffu, carry) : add32<saturate>(x, y, carry);
    b.destination[0].lane[lane] = r.value;
    if (with_flags) b.flags_out[lane] = static_cast<std::uint8_t>(r.flags);
  }
}

template <addend_mode mode, bool is_16bit>
lane_function select(const instruction& i) {
  if (i.saturate) return i.writes_condition ? add<mode, is_16bit, true, true> : add<mode, is_16bit, true, false>;
  return i.writes_condition ? add<mode, is_16bit, false, true> : add<mode, is_16bit, false, false>;
}

template <addend_mode mode>
lane_function select(const instruction& i) {
  return i.is_16bit ? select<mode, true>(i) : select<mode, false>(i);
}

}  // namespace

lane_function integer_add_function(const instruction& i) {
  switch (i.op) {
    case opcode::add: return select<addend_mode::add>(i);
    case opcode::sub: return select<addend_mode::sub>(i);
    case opcode::subr: return select<addend_mode::subr>(i);
    case opcode::addc: return select<addend_mode::addc>(i);
    default: return nullptr;
  }
}

}  // namespace gt200::isa::semantics
