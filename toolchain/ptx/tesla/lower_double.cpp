// Double precision: operations on register pairs.
#include "toolchain/ptx/tesla/lowering.h"

namespace gt200::ptx::tesla {

using isa::data_type;
using isa::tesla::opcode;

word_ref lowering::double_pair(const operand& o, scalar type) {
  const wide v = source_wide(o, type);
  const word_ref pair = out_.tuple(2);
  out_.move(pair, v.low);
  out_.move({pair.reg, 1}, v.high);
  return pair;
}

lowering::wide lowering::words_of(word_ref pair) const { return {reg(pair), reg({pair.reg, 1})}; }

bool lowering::lower_double(const statement& s) {
  const std::string& n = s.name;
  static const std::set<std::string> names = {"add", "sub", "mul", "mad",  "fma", "min",  "max",
                                              "neg", "abs", "div", "sqrt", "rcp", "rsqrt"};
  if (names.count(n) == 0 || type() != scalar::f64) return false;
  const bool one = n == "neg" || n == "abs" || n == "sqrt" || n == "rcp" || n == "rsqrt";
  const std::size_t count = one ? 2 : n == "mad" || n == "fma" ? 4 : 3;
  operand_count(count, count);
  if (n == "div" || n == "sqrt" || n == "rcp" || n == "rsqrt") {
    if (has("rz") || has("rm") || has("rp")) unsupported("rounding other than to nearest needs sm_20");
    call_library(n + "_f64");
    return true;
  }
  if (one) {
    const wide a = source_wide(at(1), scalar::f64);
    assign_wide(at(0), {a.low, n == "neg" ? out_.logic(isa::tesla::logic_op::xor_, a.high, imm(0x80000000))
                                          : out_.logic(isa::tesla::logic_op::and_, a.high, imm(0x7fffffff))});
    return true;
  }
  const value a = pair_of(double_pair(at(1)));
  value b = pair_of(double_pair(at(2)));
  const word_ref d = out_.tuple(2);
  isa::tesla::rounding round = isa::tesla::rounding::nearest;
  if (has("rz")) round = isa::tesla::rounding::zero;
  if (has("rm")) round = isa::tesla::rounding::minus;
  if (has("rp")) round = isa::tesla::rounding::plus;
  if (count == 4) {
    const value c = pair_of(double_pair(at(3)));
    out_.emit_wide(opcode::dfma, d, data_type::b64, {a, b, c}).code.round = round;
  } else if (n == "min" || n == "max") {
    out_.emit_wide(n == "min" ? opcode::dmin : opcode::dmax, d, data_type::b64, {a, b});
  } else {
    if (n == "sub") b = negated(b);
    out_.emit_wide(n == "mul" ? opcode::dmul : opcode::dadd, d, data_type::b64, {a, b}).code.round = round;
  }
  assign_wide(at(0), words_of(d));
  return true;
}

}  // namespace gt200::ptx::tesla
