// Special functions, minima of doubles, and conversions.
#include "toolchain/ptx/volta/lowering.h"

namespace gt200::ptx::volta {
namespace {

using isa::volta::number_type;

number_type number_of(scalar t) {
  switch (t) {
    case scalar::f16: return number_type::f16;
    case scalar::f32: return number_type::f32;
    case scalar::f64: return number_type::f64;
    default: break;
  }
  if (bytes_of(t) == 8) return is_signed(t) ? number_type::s64 : number_type::u64;
  return is_signed(t) ? number_type::s32 : number_type::u32;
}

constexpr std::uint32_t minus_zero = 0x80000000;
constexpr std::uint32_t minus_zeros = 0x80008000;  // of a pair of .f16

}  // namespace

value lowering::function_of(mufu_function which, value v) {
  const word_ref d = out_.word();
  out_.emit(opcode::mufu, d, {{}, out_.in_register(v)}).code.function = which;
  return reg(d);
}

// Sine and cosine take turns.
value lowering::special_function(mufu_function which, value v, bool saturate) {
  if (which == mufu_function::sin || which == mufu_function::cos) {
    constexpr std::uint32_t turn_per_radian = 0x3e22f983;  // 1 / (2 pi)
    const word_ref turns = out_.word();
    out_.emit(opcode::fmul, turns, {out_.in_register(v), imm(turn_per_radian)});
    v = reg(turns);
  }
  const value result = function_of(which, v);
  return saturate ? saturated_single(result, false) : result;
}

// x + -0 is x. A NaN becomes 0.
value lowering::saturated_single(value v, bool flush) {
  const word_ref d = out_.word();
  operation& o = out_.emit(opcode::fadd, d, {out_.in_register(v), imm(minus_zero)});
  o.code.saturate = true;
  o.code.ftz = flush;
  return reg(d);
}

word_ref lowering::saturated_double(word_ref v) {
  constexpr std::uint32_t one_high = 0x3ff00000;
  const auto bounded = [&](unsigned condition, std::uint32_t bound, wide x) {
    const predicate inside = out_.new_predicate();
    const value both = out_.pair(x.low, x.high);
    out_.emit_test(opcode::dsetp, inside, {both, out_.pair(imm(0), imm(bound))}).code.compare =
        static_cast<std::uint8_t>(condition);
    return wide{out_.choose(inside, x.low, imm(0)), out_.choose(inside, x.high, imm(bound))};
  };
  const wide positive = bounded(greater, 0, {reg(v), reg({v.reg, 1})});
  const wide limited = bounded(less, one_high, positive);
  return in_pair(out_.pair(limited.low, limited.high)).reg;
}

// A number wins against a NaN, and -0 is less than +0: where neither is less, the signs decide, and the bits of
// equal numbers are the same but for theirs.
word_ref lowering::extreme_double(bool maximum, value a, value b) {
  a = in_pair(a);
  b = in_pair(b);
  const auto word = [&](const value& v, std::uint8_t k) {
    return reg({v.reg.reg, static_cast<std::uint8_t>(v.reg.word + k)});
  };
  const predicate other_is_nan = out_.new_predicate();
  constexpr std::uint8_t unordered = 8;
  out_.emit_test(opcode::dsetp, other_is_nan, {b, b}).code.compare = unordered;
  const predicate first = out_.new_predicate();
  operation& o = out_.emit_test(opcode::dsetp, first, {a, b});
  o.code.compare = maximum ? greater : less;
  o.code.combine = logic_op::or_;
  writer::set_source(o, predicate_slot, other_is_nan);
  const predicate same = out_.new_predicate();
  out_.emit_test(opcode::dsetp, same, {a, b}).code.compare = equal;
  const value merged = out_.logic_of(maximum ? logic_op::and_ : logic_op::or_, word(a, 1), word(b, 1));
  const value high = out_.choose(same, merged, out_.choose(first, word(a, 1), word(b, 1)));
  const value low = out_.choose(first, word(a, 0), word(b, 0));
  const word_ref d = out_.tuple(2);
  out_.move(d, low);
  out_.move({d.reg, 1}, high);
  return d;
}

word_ref lowering::convert(value v, scalar to, scalar from, rounding round, bool integral, bool saturate) {
  const auto words = static_cast<std::uint8_t>(bytes_of(to) == 8 ? 2 : 1);
  const bool flush = (from == scalar::f32 || to == scalar::f32) && flushes();
  const bool is_same = from == to;
  const bool to_half = to == scalar::f16 && is_float(from);
  if (saturate && to_half && is_same) unsupported(".sat between numbers of 16 bits is not supported");
  if (saturate && to_half) v = saturated_single(v, flush);
  word_ref d = out_.tuple(words);
  if (is_same && !integral) {
    // Nothing is rounded.
    if (to == scalar::f32) {
      operation& o = out_.emit(opcode::fadd, d, {out_.in_register(v), imm(minus_zero)});
      o.code.ftz = flush;
      o.code.saturate = saturate;
      return d;
    }
    if (words == 1) {
      out_.move(d, v);
      return d;
    }
    const word_ref both = in_pair(v).reg;
    out_.move(d, reg(both));
    out_.move({d.reg, 1}, reg({both.reg, static_cast<std::uint8_t>(both.word + 1)}));
    return saturate ? saturated_double(d) : d;
  }
  const opcode op = !is_float(from) ? opcode::i2f
                    : !is_float(to) ? opcode::f2i
                    : is_same       ? opcode::frnd
                                    : opcode::f2f;
  operation& o = out_.emit(op, d, {{}, v}, words);
  o.code.source_type = number_of(from);
  o.code.destination_type = number_of(to);
  o.code.ftz = op != opcode::i2f && flush;
  // A NaN gives 0, or the number with only the highest bit set if either side has 64 bits.
  o.code.ntz = op == opcode::f2i && from != scalar::f64 && bytes_of(to) < 8;
  const bool rounds = op != opcode::f2f || bytes_of(to) < bytes_of(from);
  o.code.round = rounds ? round : rounding::nearest;
  if (!saturate || !is_float(to) || to_half) return d;
  if (to == scalar::f64) return saturated_double(d);
  if (to == scalar::f16) {
    const word_ref bounded = out_.word();
    out_.emit(opcode::hadd2, bounded, {reg(d), imm(minus_zeros)}).code.saturate = true;
    return bounded;
  }
  return saturated_single(reg(d), flush).reg;
}

}  // namespace gt200::ptx::volta
