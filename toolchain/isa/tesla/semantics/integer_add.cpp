// add, sub, subr, addc in 16 and 32 bits.
#include "toolchain/isa/tesla/semantics/groups.h"
#include "toolchain/isa/tesla/semantics/lane_map.h"

namespace gt200::isa::tesla::semantics {
namespace {

// Subtraction is addition of the complement with carry in 1, so C of a - b means "no borrow".
template <addend_mode mode, bool is_16bit, bool saturate>
struct add {
  explicit add(const instruction&) {}
  value_and_flags operator()(std::uint32_t x, std::uint32_t y, std::uint32_t, std::uint8_t flags) const {
    if (mode == addend_mode::sub) y = ~y;
    if (mode == addend_mode::subr) x = ~x;
    std::uint32_t carry = mode == addend_mode::add ? 0u : 1u;
    if (mode == addend_mode::addc) carry = flags >> 2 & 1u;
    return is_16bit ? add16<saturate>(x & 0xffffu, y & 0xffffu, carry) : add32<saturate>(x, y, carry);
  }
};

template <addend_mode mode>
lane_function select(const instruction& i) {
  if (i.is_16bit) return i.saturate ? lane_map<add<mode, true, true>>(i) : lane_map<add<mode, true, false>>(i);
  return i.saturate ? lane_map<add<mode, false, true>>(i) : lane_map<add<mode, false, false>>(i);
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

}  // namespace gt200::isa::tesla::semantics
