// cvt between all integer and floating-point types.
#pragma once

#include <algorithm>

#include "toolchain/ptx/machine/lowering/lowering.h"

namespace gt200::ptx {
// Clamps an integer of type `from` to the range of `to`.
template <class machine>
auto word_lowering<machine>::clamped(wide v, scalar from, scalar to) -> wide {
  const bool sign = is_signed(from);
  const unsigned bits_from = 8 * bytes_of(from);
  const unsigned bits_to = 8 * bytes_of(to);
  const std::uint64_t largest =
      is_signed(to) ? (std::uint64_t{1} << (bits_to - 1)) - 1 : (std::uint64_t{2} << (bits_to - 1)) - 1;
  const auto bound = [&](unsigned condition, std::uint64_t limit) {
    const wide other = {imm(static_cast<std::uint32_t>(limit)), imm(static_cast<std::uint32_t>(limit >> 32))};
    if (bits_from < 64) {
      v.low = out_.extreme(condition == less, v.low, other.low, sign);
      return;
    }
    const predicate beyond = out_.new_predicate();
    compare_wide(condition, v, other, sign, beyond);
    v = choose_wide(beyond, other, v);
  };
  if (sign && !is_signed(to)) bound(less, 0);
  if (sign && is_signed(to) && bits_to < bits_from) bound(less, ~largest);
  if (bits_to - (is_signed(to) ? 1 : 0) < bits_from - (sign ? 1 : 0)) bound(greater, largest);
  return v;
}

template <class machine>
void word_lowering<machine>::convert_integers(scalar to, scalar from, bool saturate) {
  const auto widened = [&](value v) {
    return wide{v, is_signed(from) ? out_.shift_right(v, imm(31), true) : imm(0)};
  };
  if (saturate) {
    const wide v =
        clamped(bytes_of(from) == 8 ? source_wide(at(1), from) : wide{extended(at(1), from), imm(0)}, from, to);
    if (bytes_of(to) < 8) return assign_number(at(0), v.low, to);
    return assign_wide(at(0), bytes_of(from) < 8 ? widened(v.low) : v);
  }
  if (bytes_of(to) == 8)
    return assign_wide(at(0), bytes_of(from) == 8 ? source_wide(at(1), from) : widened(extended(at(1), from)));
  value v = bytes_of(from) <= bytes_of(to) ? extended(at(1), from) : extend(source(at(1), from), to);
  // A register longer than `to` gets the number of type `to`, which can differ from the number of type `from`.
  const bool another = is_signed(from) != is_signed(to) && (is_signed(from) || bytes_of(from) == bytes_of(to));
  if (another && at(0).name != "_" && bytes_of(register_named(at(0)).type) > bytes_of(to)) v = extend(v, to);
  assign_number(at(0), v, to);
}

template <class machine>
bool word_lowering<machine>::lower_convert(const statement& s) {
  if (s.name != "cvt") return false;
  operand_count(2, 2);
  const scalar from = type();
  const scalar to = type(1);
  const bool sat = has("sat");
  if (!is_float(from) && !is_float(to)) {
    convert_integers(to, from, sat);
    return true;
  }
  auto round = rounding::nearest;
  bool integral = false;
  for (const std::string& m : s.modifiers) {
    if (m == "rz" || m == "rzi") round = rounding::zero;
    if (m == "rm" || m == "rmi") round = rounding::minus;
    if (m == "rp" || m == "rpi") round = rounding::plus;
    if (m.size() == 3 && m[0] == 'r' && m[2] == 'i') integral = true;
  }
  if (from == scalar::f64 && to == scalar::f16) {
    if (round == rounding::minus || round == rounding::plus) unsupported("only .rn and .rz are supported");
    call_library(std::string(round == rounding::zero ? "cvt_rz" : "cvt_rn") + (sat ? "_sat" : "") + "_f16_f64");
    return true;
  }
  if (from == scalar::f16 && to == scalar::f64) {
    const value half = out_.in_register(source(at(1), from));
    const word_ref single = convert(half, scalar::f32, scalar::f16, rounding::nearest, false, false);
    assign_pair(at(0), convert(reg(single), scalar::f64, scalar::f32, rounding::nearest, false, sat));
    return true;
  }
  const bool wide_from = bytes_of(from) == 8;
  value v = wide_from ? pair_source(at(1), from) : is_float(from) ? source(at(1), from) : extended(at(1), from);
  if (wide_from || from == scalar::f16) v = v.code.words == 2 ? in_pair(v) : out_.in_register(v);
  const bool narrows = !is_float(to) && bytes_of(to) < 4;
  const scalar whole = !narrows ? to : is_signed(to) ? scalar::s32 : scalar::u32;
  const word_ref d = convert(v, whole, from, round, integral, sat);
  if (narrows) {
    value number = clamped({reg(d), imm(0)}, whole, to).low;
    if (from == scalar::f64 && !is_signed(to)) {
      // A NaN becomes the highest bit of the narrow type.
      constexpr std::uint8_t unordered = 8;
      const predicate is_nan = out_.new_predicate();
      out_.emit_test(opcode::dsetp, is_nan, {v, v}).code.compare = unordered;
      number = out_.choose(is_nan, imm(1u << (8 * bytes_of(to) - 1)), number);
    }
    assign_number(at(0), number, to);
  } else {
    assign_pair_or_word(at(0), d, bytes_of(to) == 8);
  }
  return true;
}

}  // namespace gt200::ptx
