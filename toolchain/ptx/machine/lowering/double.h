// Double precision.
#pragma once

#include <set>

#include "toolchain/ptx/machine/lowering/lowering.h"

namespace gt200::ptx {

template <class machine>
bool word_lowering<machine>::lower_double(const statement& s) {
  const std::string& n = s.name;
  static const std::set<std::string> names = {"add", "sub", "mul", "mad",  "fma", "div",   "min",
                                              "max", "neg", "abs", "sqrt", "rcp", "rsqrt", "copysign"};
  if (names.count(n) == 0 || type() != scalar::f64) return false;
  const bool two =
      n == "add" || n == "sub" || n == "mul" || n == "div" || n == "min" || n == "max" || n == "copysign";
  const std::size_t count = n == "mad" || n == "fma" ? 4 : two ? 3 : 2;
  operand_count(count, count);
  const scalar t = scalar::f64;
  if (n == "div" || n == "sqrt" || n == "rcp" || n == "rsqrt") {
    if (has("approx") && has("ftz") && (n == "rcp" || n == "rsqrt")) {
      // The upper word of an estimate.
      const wide a = source_wide(at(1), t);
      const value high = function_of(n == "rcp" ? machine::functions::rcp64h : machine::functions::rsqrt64h,
                                     out_.in_register(a.high));
      assign_wide(at(0), {imm(0), high});
      return true;
    }
    if (n == "rsqrt" && !directed_rounding().empty()) unsupported("rsqrt has no rounding");
    call_library(n + directed_rounding() + "_f64");
    return true;
  }
  if (n == "neg" || n == "abs" || n == "copysign") {
    constexpr std::uint32_t sign = 0x80000000;
    const wide a = source_wide(at(1), t);
    if (n == "copysign") {
      const wide b = source_wide(at(2), t);
      const value high = out_.logic_of(logic_op::or_, out_.logic_of(logic_op::and_, a.high, imm(sign)),
                                       out_.logic_of(logic_op::and_, b.high, imm(~sign)));
      assign_wide(at(0), {b.low, high});
      return true;
    }
    assign_wide(at(0), {a.low, n == "neg" ? out_.logic_of(logic_op::xor_, a.high, imm(sign))
                                          : out_.logic_of(logic_op::and_, a.high, imm(~sign))});
    return true;
  }
  const word_ref d = out_.tuple(2);
  const value a = pair_source(at(1), t);
  value b = pair_source(at(2), t);
  if (n == "add" || n == "sub") {
    if (n == "sub" && b.is_immediate())
      b.code.value = static_cast<std::int32_t>(b.immediate() ^ 0x80000000u);
    else if (n == "sub")
      b.code.negate = true;
    round_float(out_.emit(opcode::dadd, d, {a, b}, 2));
  } else if (n == "mul") {
    round_float(out_.emit(opcode::dmul, d, {a, b}, 2));
  } else if (n == "mad" || n == "fma") {
    const value c = pair_source(at(3), t);
    round_float(out_.emit(opcode::dfma, d, {a, b, c}, 2));
  } else {
    assign_pair(at(0), extreme_double(n == "max", a, b));
    return true;
  }
  operation& made = out_.here().code.back();
  made.code.ftz = false;
  made.code.saturate = false;
  assign_pair(at(0), d);
  return true;
}

}  // namespace gt200::ptx
