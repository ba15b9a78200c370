// Makes every operation one that the hardware has: other orders of operands, immediates in the constant space of
// the kernel or in registers.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "toolchain/ptx/machine/literals.h"
#include "toolchain/ptx/machine/operation.h"
#include "toolchain/ptx/machine/word_writer.h"

namespace gt200::ptx {

// `literal_space`: of the kernel's literals. The namespace of a target has takes_literals(operation): a constant
// there costs no more than an immediate.
template <class function>
class legaliser {
 public:
  using operation = typename function::operation;
  using opcode = typename operation::opcode;
  using operand = typename operation::operand;
  using kind = typename operation::kind;
  using value = basic_value<operand>;

  legaliser(function& f, std::uint8_t literal_space) : f_(f), literal_space_(literal_space) {}

  void run() {
    for (auto& b : f_.blocks) {
      made_.clear();
      for (operation& o : b.code) {
        fit(o);
        made_.push_back(std::move(o));
      }
      b.code = std::move(made_);
    }
  }

 private:
  void fit(operation& o) {
    if (encodes_in_some_order(o)) return;
    for (const std::size_t k : {1u, 2u, 0u})
      if (o.code.source[k].kind == kind::immediate && to_literal(o, k)) return;
    for (const std::size_t k : {0u, 2u, 1u}) {
      if (!to_register(o, k)) continue;
      if (encodes_in_some_order(o)) return;
    }
    auto code = o.code;
    std::string reason;
    encode_operation(o, code, reason);
    throw std::logic_error("what was made of line " + std::to_string(o.line) + " has no encoding: " + reason);
  }

  bool to_literal(operation& o, std::size_t k) {
    const operand before = o.code.source[k];
    if (before.words != 1 || !takes_literals(o)) return false;
    const std::size_t count = f_.literals.size();
    const int offset = literal_offset(f_, static_cast<std::uint32_t>(before.value));
    if (offset < 0) return false;
    o.code.source[k] = value::constant(literal_space_, static_cast<std::uint32_t>(offset)).code;
    if (encodes_in_some_order(o)) return true;
    f_.literals.resize(count);
    o.code.source[k] = before;
    return false;
  }

  void move_word(word_ref to, value from, unsigned line) {
    operation move;
    move.line = line;
    move.code.op = opcode::mov;
    move.code.destination.kind = kind::gpr;
    move.destination = to;
    move.code.source[1] = from.code;
    move.source[1] = from.reg;
    made_.push_back(move);
  }

  // Puts an immediate or a constant into a register.
  bool to_register(operation& o, std::size_t k) {
    const operand s = o.code.source[k];
    if (s.kind != kind::immediate && (s.kind != kind::constant || o.source[k].reg >= 0)) return false;
    const word_ref t = {f_.add_register(register_class::general, s.words), 0};
    const auto bits = static_cast<std::uint32_t>(s.value);
    for (std::uint8_t w = 0; w < s.words; ++w) {
      value from = value::number(bits);
      if (s.kind == kind::constant)
        from = value::constant(s.bank, bits + 4u * w);
      else if (s.words == 2)
        from = s.form == decltype(s.form)::high ? value::number(w == 0 ? 0 : bits)
                                                : value::number(w == 0        ? bits
                                                                : s.value < 0 ? ~0u
                                                                              : 0u);
      move_word({t.reg, w}, from, o.line);
    }
    value v = value::of(t, s.words);
    v.code.negate = s.negate;
    v.code.absolute = s.absolute;
    v.code.invert = s.invert;
    o.code.source[k] = v.code;
    o.source[k] = t;
    return true;
  }

  function& f_;
  std::uint8_t literal_space_;
  std::vector<operation> made_;
};

}  // namespace gt200::ptx
