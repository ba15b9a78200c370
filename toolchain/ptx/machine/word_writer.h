// Appends operations (machine/operation.h) to the current block of a function.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <utility>

#include "toolchain/ptx/machine/operation.h"

namespace gt200::ptx {

// A source as lowering sees it. legalise() decides later whether an operation can take it in this place.
template <class operand>
struct basic_value {
  using kind = decltype(operand::kind);
  operand code;
  word_ref reg;
  bool is_immediate() const { return code.kind == kind::immediate; }
  bool is_register() const { return code.kind == kind::gpr && reg.reg >= 0; }
  bool is_constant() const { return code.kind == kind::constant; }
  bool is_plain() const { return !code.negate && !code.absolute && !code.invert; }
  std::uint32_t immediate() const { return static_cast<std::uint32_t>(code.value); }

  static basic_value of(word_ref r, std::uint8_t words = 1) {
    basic_value v;
    v.code.kind = kind::gpr;
    v.code.words = words;
    v.reg = r;
    return v;
  }
  static basic_value number(std::uint32_t bits) {
    basic_value v;
    v.code.kind = kind::immediate;
    v.code.value = static_cast<std::int32_t>(bits);
    return v;
  }
  static basic_value constant(std::uint8_t bank, std::uint32_t offset) {
    basic_value v;
    v.code.kind = kind::constant;
    v.code.bank = bank;
    v.code.value = static_cast<std::int32_t>(offset);
    return v;
  }
  basic_value negated() const {
    if (is_immediate()) return number(immediate() ^ 0x80000000u);
    basic_value v = *this;
    v.code.negate = !v.code.negate;
    return v;
  }
  basic_value absolute() const {
    if (is_immediate()) return number(immediate() & 0x7fffffffu);
    basic_value v = *this;
    v.code.negate = false;
    v.code.absolute = true;
    return v;
  }
};

// A predicate as a source or destination. condition < 0: always true.
struct predicate_ref {
  int condition = -1;
  bool inverted = false;
};

enum comparison : unsigned { less = 1, equal = 2, less_or_equal = 3, greater = 4, different = 5, not_less = 6 };

// `own` derives from this class and makes the operations of its target:
//
//   make_add, make_subtract, make_multiply, make_logic, make_shift_left, make_shift_right, make_field,
//   make_extreme, make_compare, make_choose
template <class own, class function, class logic>
class word_writer {
 public:
  using operation = typename function::operation;
  using block = typename function::block;
  using operand = typename operation::operand;
  using opcode = typename operation::opcode;
  using kind = typename operation::kind;
  using value = basic_value<operand>;
  using logic_op = logic;

  explicit word_writer(function& f) : function_(f) {}

  int current() const { return current_; }
  block& here() { return function_.blocks[static_cast<std::size_t>(current_)]; }
  int add_block() {
    function_.blocks.emplace_back();
    return static_cast<int>(function_.blocks.size()) - 1;
  }
  void continue_in(int b) { current_ = b; }
  void jump(int to) {
    block& b = here();
    b.end = ending::jump;
    b.next = to;
    b.line = line_;
  }
  void branch(const predicate_ref& p, bool on_false, int taken, int next, bool uniform) {
    block& b = here();
    b.end = ending::branch;
    b.condition = p.condition;
    b.on_false = on_false != p.inverted;
    b.taken = taken;
    b.next = next;
    b.is_uniform = uniform;
    b.line = line_;
  }
  void set_line(unsigned line) { line_ = line; }

  word_ref word() { return {function_.add_register(register_class::general), 0}; }
  word_ref tuple(std::uint8_t words) { return {function_.add_register(register_class::general, words), 0}; }
  predicate_ref new_predicate() { return {function_.add_register(register_class::condition), false}; }
  int carry() { return function_.add_register(register_class::address); }

  // The reference is valid until the next operation is added. `words`: of the destination.
  operation& emit(opcode op, word_ref destination, std::initializer_list<value> sources, std::uint8_t words = 1) {
    operation o;
    o.code.op = op;
    o.line = line_;
    o.destination = destination;
    o.code.destination.kind = kind::gpr;
    o.code.destination.words = words;
    std::size_t slot = 0;
    for (const value& v : sources) {
      o.code.source[slot] = v.code;
      o.source[slot++] = v.reg;
    }
    here().code.push_back(o);
    return here().code.back();
  }
  // One that writes predicates; `second` gets the opposite comparison.
  operation& emit_test(opcode op, const predicate_ref& to, std::initializer_list<value> sources,
                       const predicate_ref& second = {}) {
    operation& o = emit(op, {}, sources);
    o.code.destination = {};
    o.predicate_out = {to.condition, second.condition};
    return o;
  }
  // One without a result.
  operation& emit_effect(opcode op, std::initializer_list<value> sources) { return emit_test(op, {}, sources); }
  static void guard(operation& o, const predicate_ref& p) {
    o.guard = p.condition;
    o.code.guard.negate = p.condition >= 0 && p.inverted;
  }
  static void set_source(operation& o, std::size_t k, const predicate_ref& p) {
    o.predicate_in[k] = p.condition;
    o.code.predicate_source[k].negate = p.inverted;
  }

  void move(word_ref to, value from) {
    if (from.is_register() && from.reg == to) return;
    emit(opcode::mov, to, {{}, from});
  }
  void move_where(const predicate_ref& p, word_ref to, value from) {
    if (from.is_register() && from.reg == to) return;
    guard(emit(opcode::mov, to, {{}, from}), p);
  }
  value copy(value from) {  // in a register
    const word_ref to = word();
    move(to, from);
    return value::of(to);
  }
  value in_register(value from) {  // a copy unless it is in one
    return from.code.kind == kind::gpr && from.is_plain() ? from : copy(from);
  }

  // Both words as one operand of 64 bits.
  value pair(value low, value high) {
    if (low.is_register() && low.reg.reg == high.reg.reg && high.reg.word == low.reg.word + 1 &&
        low.reg.word % 2 == 0)
      return value::of(low.reg, 2);
    if (low.is_immediate() && high.is_immediate() && low.immediate() == 0 &&
        (high.immediate() & own::low_bits_of_wide_immediates) == 0) {
      value v = high;
      v.code.form = decltype(v.code.form)::high;
      v.code.words = 2;
      return v;
    }
    if (low.is_constant() && high.is_constant() && low.code.bank == high.code.bank &&
        high.code.value == low.code.value + 4) {
      value v = low;
      v.code.words = 2;
      return v;
    }
    const word_ref both = tuple(2);
    move(both, low);
    move({both.reg, 1}, high);
    return value::of(both, 2);
  }

  value add(value a, value b) {
    if (a.is_immediate() && b.is_immediate()) return value::number(a.immediate() + b.immediate());
    if (a.is_immediate()) std::swap(a, b);
    if (b.is_immediate() && b.immediate() == 0) return a;
    const word_ref d = word();
    self().make_add(d, a, b);
    return value::of(d);
  }
  value subtract(value a, value b) {
    if (b.is_immediate()) return add(a, value::number(0u - b.immediate()));
    const word_ref d = word();
    if (a.is_immediate() && a.immediate() == 0) a = value::of({});
    self().make_subtract(d, a, b);
    return value::of(d);
  }
  value multiply(value a, value b) {  // low 32 bits
    if (a.is_immediate() && b.is_immediate()) return value::number(a.immediate() * b.immediate());
    if (a.is_immediate()) std::swap(a, b);
    if (b.is_immediate()) {
      const std::uint32_t factor = b.immediate();
      if (factor == 0) return value::number(0);
      if ((factor & (factor - 1)) == 0) {
        unsigned shift = 0;
        while (factor >> shift != 1) ++shift;
        return shift_left(a, value::number(shift));
      }
    }
    const word_ref d = word();
    self().make_multiply(d, a, b);
    return value::of(d);
  }
  value logic_of(logic_op op, value a, value b) {
    if (a.is_immediate() && b.is_immediate()) {
      const std::uint32_t x = a.immediate();
      const std::uint32_t y = b.immediate();
      return value::number(op == logic_op::and_   ? x & y
                           : op == logic_op::or_  ? x | y
                           : op == logic_op::xor_ ? x ^ y
                                                  : y);
    }
    if (a.is_immediate()) std::swap(a, b);
    const word_ref d = word();
    self().make_logic(d, op, a, b);
    return value::of(d);
  }
  value shift_left(value a, value count) {
    if (count.is_immediate()) {
      if (count.immediate() == 0) return a;
      if (count.immediate() > 31) return value::number(0);
      if (a.is_immediate()) return value::number(a.immediate() << count.immediate());
    }
    const word_ref d = word();
    self().make_shift_left(d, a, count);
    return value::of(d);
  }
  value shift_right(value a, value count, bool arithmetic) {
    if (count.is_immediate()) {
      if (count.immediate() == 0) return a;
      if (count.immediate() > 31) {
        if (!arithmetic) return value::number(0);
        count = value::number(31);
      }
      if (a.is_immediate()) {
        const std::uint32_t n = count.immediate();
        const std::uint32_t sign = arithmetic && a.immediate() >> 31 != 0 ? ~0u << (32 - n) : 0u;
        return value::number(a.immediate() >> n | sign);
      }
    }
    const word_ref d = word();
    self().make_shift_right(d, a, count, arithmetic);
    return value::of(d);
  }
  value extreme(bool maximum, value a, value b, bool is_signed) {
    if (a.is_immediate()) std::swap(a, b);
    const word_ref d = word();
    self().make_extreme(d, maximum, a, b, is_signed);
    return value::of(d);
  }
  predicate_ref compare(unsigned condition, value a, value b, bool is_signed) {
    if (a.is_immediate() && !b.is_immediate()) {
      std::swap(a, b);
      condition = (condition & equal) | (condition & less) << 2 | (condition & greater) >> 2;
    }
    const predicate_ref p = new_predicate();
    operation& o = emit_test(opcode::isetp, p, {a, b});
    o.code.compare = static_cast<std::uint8_t>(condition);
    o.code.is_signed = is_signed;
    return p;
  }
  value choose(const predicate_ref& p, value when_true, value when_false) {
    const word_ref d = word();
    predicate_ref by = p;
    if (!when_true.is_register()) {
      std::swap(when_true, when_false);
      by.inverted = !by.inverted;
    }
    if (when_true.is_immediate() && when_true.immediate() == 0) when_true = value::of({});
    operation& o = emit(opcode::sel, d, {when_true, when_false});
    set_source(o, own::predicate_slot, by);
    return value::of(d);
  }
  // Fields of a word; bit 0 is the lowest.
  value field(value v, unsigned first, unsigned length, bool is_signed) {
    if (v.is_immediate()) {
      const std::uint32_t up = v.immediate() << (32 - first - length);
      const std::uint32_t down = up >> (32 - length);
      return value::number(is_signed && up >> 31 != 0 && length < 32 ? down | ~0u << length : down);
    }
    if (!is_signed && first == 0 && length <= own::longest_mask)
      return logic_of(logic_op::and_, v, value::number(length < 32 ? (1u << length) - 1 : ~0u));
    const word_ref d = word();
    self().make_field(d, v, first, length, is_signed);
    return value::of(d);
  }

 private:
  own& self() { return static_cast<own&>(*this); }

  function& function_;
  int current_ = 0;
  unsigned line_ = 0;
};

}  // namespace gt200::ptx
