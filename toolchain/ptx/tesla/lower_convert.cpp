// cvt between all integer and floating-point types.
#include "toolchain/ptx/tesla/lowering.h"

namespace gt200::ptx::tesla {

using isa::data_type;
using isa::tesla::cvt_kind;
using isa::tesla::opcode;

lowering::wide lowering::convert_to_wide(value v, scalar from) {
  v = extend(v, from);
  return {v, is_signed(from) ? out_.shift_right(v, imm(31), true) : imm(0)};
}

// Clamps an integer of type `from` to the range of `to`.
lowering::wide lowering::clamped(wide v, scalar from, scalar to) {
  const bool sign = is_signed(from);
  const unsigned bits_from = 8 * bytes_of(from);
  const unsigned bits_to = 8 * bytes_of(to);
  const std::uint64_t largest =
      is_signed(to) ? (std::uint64_t{1} << (bits_to - 1)) - 1 : (std::uint64_t{2} << (bits_to - 1)) - 1;
  const auto limit = [](std::uint64_t bits) {
    return wide{imm(static_cast<std::uint32_t>(bits)), imm(static_cast<std::uint32_t>(bits >> 32))};
  };
  const auto choose = [&](unsigned condition, std::uint64_t bound) {
    if (bits_from < 64) {
      v.low = out_.minimum(condition == 4 ? opcode::min : opcode::max, v.low,
                           imm(static_cast<std::uint32_t>(bound)), sign);
      return;
    }
    const wide other = {out_.copy(limit(bound).low), out_.copy(limit(bound).high)};
    const predicate beyond = compare_wide(condition, v, other, sign);
    v = {out_.choose(beyond, other.low, v.low), out_.choose(beyond, other.high, v.high)};
  };
  constexpr unsigned below = 1;
  constexpr unsigned above = 4;
  if (sign && !is_signed(to)) choose(below, 0);
  if (sign && is_signed(to) && bits_to < bits_from) choose(below, ~largest);
  if (bits_to - (is_signed(to) ? 1 : 0) < bits_from - (sign ? 1 : 0)) choose(above, largest);
  return v;
}

// Converts the number of a 16-bit register to .f32, which represents all of them.
value lowering::widened_f16(value v) {
  const word_ref d = out_.word();
  operation& o = out_.emit(opcode::cvt, d, {low_half(v.is_immediate() ? out_.copy(v) : v)});
  o.code.cvt = cvt_kind::f2f;
  o.code.source_type = data_type::u16;
  return reg(d);
}

// Rounds towards zero, and sets the last bit of an inexact result (rounding to odd).
value lowering::narrowed_to_odd(value pair) {
  const auto convert = [&](value v, data_type from, data_type to, isa::tesla::rounding round) {
    const word_ref d = out_.tuple(static_cast<std::uint8_t>(isa::words_of(to)));
    operation& o = out_.emit_wide(opcode::cvt, d, to, {v});
    o.code.cvt = cvt_kind::f2f;
    o.code.source_type = from;
    o.code.destination_type = to;
    o.code.round = round;
    return d;
  };
  const value truncated = reg(convert(pair, data_type::b64, data_type::b32, isa::tesla::rounding::zero));
  const word_ref back = convert(truncated, data_type::b32, data_type::b64, isa::tesla::rounding::nearest);
  const predicate inexact = out_.new_predicate();
  operation& o = out_.emit(opcode::dset, inexact.mask, {pair_of(back), pair});
  o.code.compare = 5;  // less or greater
  o.condition_out = inexact.condition;
  return out_.logic(isa::tesla::logic_op::or_, truncated,
                    out_.logic(isa::tesla::logic_op::and_, reg(inexact.mask), imm(1)));
}

// Clamps to 0..1; a NaN becomes zero.
word_ref lowering::saturated_double(word_ref pair) {
  const auto bounded = [&](opcode op, word_ref v, std::uint32_t bound) {
    const word_ref limit = out_.tuple(2);
    out_.move(limit, imm(0));
    out_.move({limit.reg, 1}, imm(bound));
    const word_ref d = out_.tuple(2);
    out_.emit_wide(op, d, data_type::b64, {pair_of(v), pair_of(limit)});
    return d;
  };
  constexpr std::uint32_t upper_half_of_one = 0x3ff00000;
  return bounded(opcode::dmin, bounded(opcode::dmax, pair, 0), upper_half_of_one);
}

// Clamps a converted number of 32 bits to a shorter type. `pair` is the .f64 number it came from, if any: a NaN
// becomes the integer with only the highest bit set.
value lowering::narrowed(value v, scalar to, const value& pair) {
  const value r = clamped({v, imm(0)}, is_signed(to) ? scalar::s32 : scalar::u32, to).low;
  if (is_signed(to) || pair.reg.reg < 0)
    return r;  // the conversion already gives the most negative number for a NaN
  const predicate unordered = out_.new_predicate();
  operation& o = out_.emit(opcode::dset, unordered.mask, {pair, pair});
  o.code.compare = 8;
  o.condition_out = unordered.condition;
  return out_.choose(unordered, imm(1u << (8 * bytes_of(to) - 1)), r);
}

bool lowering::lower_convert(const statement& s) {
  if (s.name != "cvt") return false;
  operand_count(2, 2);
  scalar from = type();
  const scalar to = type(1);
  isa::tesla::rounding round = isa::tesla::rounding::nearest;
  bool integral = false;
  for (const std::string& m : s.modifiers) {
    if (m == "rz" || m == "rzi") round = isa::tesla::rounding::zero;
    if (m == "rm" || m == "rmi") round = isa::tesla::rounding::minus;
    if (m == "rp" || m == "rpi") round = isa::tesla::rounding::plus;
    if (m.size() == 3 && m[0] == 'r' && m[2] == 'i') integral = true;
  }
  const bool sat = has("sat");
  // Between equal formats only an integral rounding changes anything.
  if (from == to && !integral) round = isa::tesla::rounding::nearest;
  if (!is_float(from) && !is_float(to)) {
    if (sat) {
      const wide v =
          clamped(bytes_of(from) == 8 ? source_wide(at(1), from) : wide{extended(at(1), from), imm(0)}, from, to);
      if (bytes_of(to) < 8)
        assign_number(at(0), v.low, to);
      else
        assign_wide(at(0), bytes_of(from) < 8 ? convert_to_wide(v.low, from) : v);
    } else if (bytes_of(to) == 8) {
      assign_wide(at(0),
                  bytes_of(from) == 8 ? source_wide(at(1), from) : convert_to_wide(source(at(1), from), from));
    } else {
      value v = bytes_of(from) <= bytes_of(to) ? extended(at(1), from) : extend(source(at(1), from), to);
      // A register longer than `to` gets the number of type `to`, which can differ from the number of type `from`.
      const bool another = is_signed(from) != is_signed(to) && (is_signed(from) || bytes_of(from) == bytes_of(to));
      if (another && at(0).name != "_" && bytes_of(register_named(at(0)).type) > bytes_of(to)) v = extend(v, to);
      assign_number(at(0), v, to);
    }
    return true;
  }
  const bool wide_to = bytes_of(to) == 8;
  // The hardware rounds what lies below the smallest .f16 number to zero, whatever the rounding.
  if (to == scalar::f16 && is_float(from) && from != scalar::f16 &&
      (round == isa::tesla::rounding::minus || round == isa::tesla::rounding::plus))
    unsupported("of roundings to .f16 there are .rn and .rz here; .rm and .rp of .f32 needs sm_20");
  value v;
  if (from == scalar::f16) {
    v = widened_f16(source(at(1), from));
    if (to == scalar::f16 && !integral) round = isa::tesla::rounding::nearest;
    from = scalar::f32;
  } else if (to == scalar::f16 && from == scalar::f32) {
    v = source(at(1), from);
  } else if (to == scalar::f16 && from == scalar::f64) {
    // Converts in two steps. The first one keeps what the second one needs to round.
    v = narrowed_to_odd(pair_of(double_pair(at(1))));
    from = scalar::f32;
  } else if (to == scalar::f16) {
    // Converts through .f32, which is exact within these bounds; beyond them there is no .f16 number. The direct
    // conversion of this hardware has flaws (isa/semantics/convert_to_float.cpp).
    constexpr std::uint32_t beyond_f16 = 1u << 17;
    const bool sign = is_signed(from);
    if (bytes_of(from) == 8)
      v = clamped(source_wide(at(1), from), from, sign ? scalar::s32 : scalar::u32).low;
    else
      v = extended(at(1), from);
    v = out_.minimum(opcode::min, v, imm(beyond_f16), sign);
    if (sign) v = out_.minimum(opcode::max, v, imm(0u - beyond_f16), true);
    const word_ref exact = out_.word();
    operation& o = out_.emit(opcode::cvt, exact, {v});
    o.code.cvt = cvt_kind::i2f;
    o.code.source_signed[0] = sign;
    v = reg(exact);
    from = scalar::f32;
  } else {
    v = bytes_of(from) == 8 ? pair_of(double_pair(at(1), from)) : extended(at(1), from);
    // Conversions of this hardware keep denormals of .f32 where the other side has 64 bits.
    if (has("ftz") && from == scalar::f32 && bytes_of(to) == 8) v = flushed(v);
    // The saturating conversion of .f32 would lose denormals.
    if (sat && from == scalar::f64 && to == scalar::f32) v = pair_of(saturated_double(v.reg));
  }
  const bool wide_from = bytes_of(from) == 8;
  if (v.is_immediate()) v = out_.copy(v);
  const word_ref d = out_.tuple(wide_to ? 2 : 1);
  operation& o = out_.emit_wide(opcode::cvt, d, wide_to ? data_type::b64 : data_type::b32, {v});
  o.code.cvt = is_float(from) ? (is_float(to) ? cvt_kind::f2f : cvt_kind::f2i) : cvt_kind::i2f;
  o.code.source_type = wide_from ? data_type::b64 : data_type::b32;
  o.code.destination_type = wide_to ? data_type::b64 : data_type::b32;
  if (to == scalar::f16) {
    o.code.destination_type = o.code.destination.type = data_type::u16;
    o.code.destination.part = isa::tesla::half::low;
  }
  o.code.round = round;
  o.code.source_signed[0] = is_signed(from);
  o.code.is_signed = is_signed(to);
  o.code.integral_round = integral && is_float(to);
  // The hardware ignores saturation when either side has 64 bits.
  const bool saturates = sat && is_float(to);
  o.code.saturate = saturates && !wide_from && !wide_to;
  if (wide_to && saturates)
    assign_wide(at(0), words_of(saturated_double(d)));
  else if (wide_to)
    assign_wide(at(0), words_of(d));
  else if (!is_float(to) && bytes_of(to) < 4)
    assign_number(at(0), narrowed(reg(d), to, wide_from ? v : value{}), to);
  else if (saturates && wide_from && !is_float(from))
    assign_number(at(0), saturated(reg(d)), to);
  else if (has("ftz") && wide_from && to == scalar::f32)
    assign_number(at(0), flushed(reg(d)), to);
  else
    assign_number(at(0), reg(d), to);
  return true;
}

}  // namespace gt200::ptx::tesla
