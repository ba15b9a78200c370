// Integers of 64 bits.
#pragma once

#include "toolchain/ptx/machine/lowering/lowering.h"

namespace gt200::ptx {

template <class machine>
auto word_lowering<machine>::choose_wide(const predicate& p, wide a, wide b) -> wide {
  return {out_.choose(p, a.low, b.low), out_.choose(p, a.high, b.high)};
}

template <class machine>
bool word_lowering<machine>::lower_wide(const statement& s) {
  const std::string& n = s.name;
  const scalar t = type();
  if (bytes_of(t) != 8) return false;
  const bool sign = is_signed(t);
  const bool unary = n == "neg" || n == "not" || n == "abs" || n == "cnot";
  const std::size_t count = unary ? 2 : n == "sad" || n == "mad" ? 4 : 3;
  operand_count(count, count);
  const auto finish = [&](wide v) {
    assign_wide(at(0), v);
    return true;
  };
  if (n == "div" || n == "rem" || ((n == "mul" || n == "mad") && has("hi"))) {
    call_library(n + (n[0] == 'm' ? "_hi" : "") + (sign ? "_s64" : "_u64"));
    return true;
  }
  const wide a = source_wide(at(1), t);
  const wide none = {imm(0), imm(0)};
  if (n == "neg") return finish(subtract_wide(none, a));
  if (n == "not") {
    const auto flip = [&](value v) { return out_.logic_of(logic_op::xor_, v, imm(0xffffffff)); };
    return finish({flip(a.low), flip(a.high)});
  }
  if (n == "abs") {
    const wide minus = subtract_wide(none, a);
    return finish(choose_wide(out_.compare(less, out_.in_register(a.high), imm(0), true), minus, a));
  }
  if (n == "cnot") {
    const predicate p = out_.compare(equal, out_.logic_of(logic_op::or_, a.low, a.high), imm(0), false);
    return finish({out_.choose(p, imm(1), imm(0)), imm(0)});
  }
  if (n == "shl" || n == "shr") return finish(shift_wide(n, a, source(at(2), scalar::u32), sign));
  const wide b = source_wide(at(2), t);
  if (n == "add") return finish(add_wide(a, b));
  if (n == "sub") {
    if (b.low.is_immediate() && b.high.is_immediate()) {
      const std::uint64_t minus = 0 - (std::uint64_t{b.high.immediate()} << 32 | b.low.immediate());
      return finish(
          add_wide(a, {imm(static_cast<std::uint32_t>(minus)), imm(static_cast<std::uint32_t>(minus >> 32))}));
    }
    return finish(subtract_wide(a, b));
  }
  if (n == "and" || n == "or" || n == "xor") {
    const logic_op op = n == "and" ? logic_op::and_ : n == "or" ? logic_op::or_ : logic_op::xor_;
    return finish({out_.logic_of(op, a.low, b.low), out_.logic_of(op, a.high, b.high)});
  }
  if (n == "mul" || n == "mad") {
    std::optional<wide> addend;
    if (n == "mad") addend = source_wide(at(3), t);
    wide result = multiply_add_wide(a.low, b.low, false, addend);
    result.high = out_.add(result.high, out_.multiply(a.low, b.high));
    result.high = out_.add(result.high, out_.multiply(a.high, b.low));
    return finish(result);
  }
  const auto extreme = [&](unsigned condition) {
    const predicate p = out_.new_predicate();
    compare_wide(condition, a, b, sign, p);
    return choose_wide(p, a, b);
  };
  if (n == "min" || n == "max") return finish(extreme(n == "min" ? less : greater));
  if (n == "sad") {
    const wide larger = extreme(greater);
    return finish(add_wide(subtract_wide(larger, extreme(less)), source_wide(at(3), t)));
  }
  unsupported("this instruction is not supported for 64 bits");
}

}  // namespace gt200::ptx
