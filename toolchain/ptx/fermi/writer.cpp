#include "toolchain/ptx/fermi/writer.h"

#include <utility>

namespace gt200::ptx::fermi {

using isa::fermi::logic_op;
using isa::fermi::opcode;
using isa::fermi::operand_kind;

value reg(word_ref r, std::uint8_t words) {
  value v;
  v.code.kind = operand_kind::gpr;
  v.code.words = words;
  v.reg = r;
  return v;
}

value imm(std::uint32_t bits) {
  value v;
  v.code.kind = operand_kind::immediate;
  v.code.value = static_cast<std::int32_t>(bits);
  return v;
}

value zero(std::uint8_t words) { return reg({}, words); }

value constant_word(std::uint8_t bank, std::uint32_t offset) {
  value v;
  v.code.kind = operand_kind::constant;
  v.code.bank = bank;
  v.code.value = static_cast<std::int32_t>(offset);
  return v;
}

value negated(value v) {
  if (v.is_immediate()) return imm(v.immediate() ^ 0x80000000u);
  v.code.negate = !v.code.negate;
  return v;
}

value absolute(value v) {
  if (v.is_immediate()) return imm(v.immediate() & 0x7fffffffu);
  v.code.negate = false;
  v.code.absolute = true;
  return v;
}

value inverted(value v) {
  if (v.is_immediate()) return imm(~v.immediate());
  v.code.invert = !v.code.invert;
  return v;
}

int writer::add_block() {
  function_.blocks.emplace_back();
  return static_cast<int>(function_.blocks.size()) - 1;
}

void writer::jump(int to) {
  block& b = here();
  b.end = ending::jump;
  b.next = to;
  b.line = line_;
}

void writer::branch(const predicate& p, bool on_false, int taken, int next, bool uniform) {
  block& b = here();
  b.end = ending::branch;
  b.condition = p.condition;
  b.on_false = on_false != p.inverted;
  b.taken = taken;
  b.next = next;
  b.is_uniform = uniform;
  b.line = line_;
}

operation& writer::emit(opcode op, word_ref destination, std::initializer_list<value> sources, std::uint8_t words) {
  operation o;
  o.code.op = op;
  o.line = line_;
  o.destination = destination;
  o.code.destination.kind = operand_kind::gpr;
  o.code.destination.words = words;
  std::size_t slot = 0;
  for (const value& v : sources) {
    o.code.source[slot] = v.code;
    o.source[slot++] = v.reg;
  }
  here().code.push_back(o);
  return here().code.back();
}

operation& writer::emit_test(opcode op, const predicate& to, std::initializer_list<value> sources,
                             const predicate& second) {
  operation& o = emit(op, {}, sources);
  o.code.destination = {};
  o.predicate_out = {to.condition, second.condition};
  return o;
}

void writer::guard(operation& o, const predicate& p) {
  o.guard = p.condition;
  o.code.guard.negate = p.condition >= 0 && p.inverted;
}

void writer::set_source(operation& o, std::size_t k, const predicate& p) {
  o.predicate_in[k] = p.condition;
  o.code.predicate_source[k].negate = p.inverted;
}

void writer::move(word_ref to, value from) {
  if (from.is_register() && from.reg == to) return;
  emit(opcode::mov, to, {{}, from});
}

void writer::move_where(const predicate& p, word_ref to, value from) {
  if (from.is_register() && from.reg == to) return;
  guard(emit(opcode::mov, to, {{}, from}), p);
}

value writer::copy(value from) {
  const word_ref to = word();
  move(to, from);
  return reg(to);
}

value writer::in_register(value from) {
  return from.code.kind == operand_kind::gpr && !from.code.negate && !from.code.absolute && !from.code.invert
             ? from
             : copy(from);
}

value writer::pair(value low, value high) {
  if (low.is_register() && low.reg.reg == high.reg.reg && high.reg.word == low.reg.word + 1 &&
      low.reg.word % 2 == 0)
    return reg(low.reg, 2);
  if (low.is_immediate() && high.is_immediate() && low.immediate() == 0 && (high.immediate() & 0xfff) == 0) {
    value v = high;
    v.code.form = isa::fermi::immediate_form::high;
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
  return reg(both, 2);
}

value writer::add(value a, value b) {
  if (a.is_immediate() && b.is_immediate()) return imm(a.immediate() + b.immediate());
  if (a.is_immediate()) std::swap(a, b);
  if (b.is_immediate() && b.immediate() == 0) return a;
  const word_ref d = word();
  emit(opcode::iadd, d, {a, b});
  return reg(d);
}

value writer::subtract(value a, value b) {
  if (b.is_immediate()) return add(a, imm(0u - b.immediate()));
  const word_ref d = word();
  if (a.is_immediate() && a.immediate() == 0) a = zero();
  if (a.is_immediate())
    emit(opcode::iadd, d, {b, a}).code.addend = isa::fermi::addend_mode::subr;
  else
    emit(opcode::iadd, d, {a, b}).code.addend = isa::fermi::addend_mode::sub;
  return reg(d);
}

value writer::multiply(value a, value b) {
  if (a.is_immediate() && b.is_immediate()) return imm(a.immediate() * b.immediate());
  if (a.is_immediate()) std::swap(a, b);
  if (b.is_immediate()) {
    const std::uint32_t factor = b.immediate();
    if (factor == 0) return imm(0);
    if ((factor & (factor - 1)) == 0) {
      unsigned shift = 0;
      while (factor >> shift != 1) ++shift;
      return shift_left(a, imm(shift));
    }
  }
  const word_ref d = word();
  emit(opcode::imul, d, {a, b});
  return reg(d);
}

value writer::logic(logic_op op, value a, value b) {
  if (a.is_immediate() && b.is_immediate()) {
    const std::uint32_t x = a.immediate();
    const std::uint32_t y = b.immediate();
    return imm(op == logic_op::and_ ? x & y : op == logic_op::or_ ? x | y : op == logic_op::xor_ ? x ^ y : y);
  }
  if (a.is_immediate()) std::swap(a, b);
  const word_ref d = word();
  emit(opcode::lop, d, {a, b}).code.logic = op;
  return reg(d);
}

value writer::shift_left(value a, value count) {
  if (count.is_immediate()) {
    if (count.immediate() == 0) return a;
    if (count.immediate() > 31) return imm(0);
    if (a.is_immediate()) return imm(a.immediate() << count.immediate());
  }
  const word_ref d = word();
  emit(opcode::shl, d, {a, count});
  return reg(d);
}

value writer::shift_right(value a, value count, bool arithmetic) {
  if (count.is_immediate()) {
    if (count.immediate() == 0) return a;
    if (count.immediate() > 31) {
      if (!arithmetic) return imm(0);
      count = imm(31);
    }
    if (a.is_immediate()) {
      const std::uint32_t n = count.immediate();
      const std::uint32_t sign = arithmetic && a.immediate() >> 31 != 0 ? ~0u << (32 - n) : 0u;
      return imm(a.immediate() >> n | sign);
    }
  }
  const word_ref d = word();
  emit(opcode::shr, d, {a, count}).code.is_signed = arithmetic;
  return reg(d);
}

value writer::extreme(bool maximum, value a, value b, bool is_signed) {
  if (a.is_immediate()) std::swap(a, b);
  const word_ref d = word();
  operation& o = emit(opcode::imnmx, d, {a, b});
  o.code.is_signed = is_signed;
  o.code.predicate_source[2].negate = maximum;
  return reg(d);
}

predicate writer::compare(unsigned condition, value a, value b, bool is_signed) {
  if (a.is_immediate() && !b.is_immediate()) {
    std::swap(a, b);
    condition = (condition & equal) | (condition & less) << 2 | (condition & greater) >> 2;
  }
  const predicate p = new_predicate();
  operation& o = emit_test(opcode::isetp, p, {a, b});
  o.code.compare = static_cast<std::uint8_t>(condition);
  o.code.is_signed = is_signed;
  return p;
}

value writer::choose(const predicate& p, value when_true, value when_false) {
  const word_ref d = word();
  predicate by = p;
  if (!when_true.is_register()) {
    std::swap(when_true, when_false);
    by.inverted = !by.inverted;
  }
  if (when_true.is_immediate() && when_true.immediate() == 0) when_true = zero();
  operation& o = emit(opcode::sel, d, {when_true, when_false});
  set_source(o, 2, by);
  return reg(d);
}

value writer::field(value v, unsigned first, unsigned length, bool is_signed) {
  if (v.is_immediate()) {
    const std::uint32_t up = v.immediate() << (32 - first - length);
    const std::uint32_t down = up >> (32 - length);
    return imm(is_signed && up >> 31 != 0 && length < 32 ? down | ~0u << length : down);
  }
  if (!is_signed && first == 0 && length < 20) return logic(logic_op::and_, v, imm((1u << length) - 1));
  const word_ref d = word();
  emit(opcode::bfe, d, {v, imm(length << 8 | first)}).code.is_signed = is_signed;
  return reg(d);
}

}  // namespace gt200::ptx::fermi
