#include "toolchain/ptx/tesla/writer.h"

namespace gt200::ptx::tesla {

using isa::data_type;
using isa::tesla::opcode;

value reg(word_ref r) {
  value v;
  v.code.kind = isa::tesla::operand_kind::gpr;
  v.reg = r;
  return v;
}

value imm(std::uint32_t bits) {
  value v;
  v.code.kind = isa::tesla::operand_kind::immediate;
  v.code.value = static_cast<std::int32_t>(bits);
  return v;
}

value shared_word(std::uint32_t offset, data_type type) {
  value v;
  v.code.kind = isa::tesla::operand_kind::shared;
  v.code.type = type;
  v.code.value = static_cast<std::int32_t>(offset);
  return v;
}

value constant_word(std::uint8_t space, std::uint32_t offset) {
  value v;
  v.code.kind = isa::tesla::operand_kind::constant;
  v.code.index = space;
  v.code.value = static_cast<std::int32_t>(offset);
  return v;
}

value low_half(value v, bool is_signed) {
  if (v.is_immediate()) {
    v.code.value &= 0xffff;
    return v;
  }
  v.code.part = isa::tesla::half::low;
  v.code.type = is_signed ? data_type::s16 : data_type::u16;
  return v;
}

value high_half(value v, bool is_signed) {
  if (v.is_immediate()) return imm(v.immediate() >> 16);
  v.code.part = isa::tesla::half::high;
  v.code.type = is_signed ? data_type::s16 : data_type::u16;
  return v;
}

value negated(value v) {
  if (v.is_immediate()) return imm(v.immediate() ^ 0x80000000u);
  v.code.negate = !v.code.negate;
  return v;
}

value inverted(value v) {
  if (v.is_immediate()) return imm(~v.immediate());
  v.code.invert = !v.code.invert;
  return v;
}

value pair_of(word_ref first) {
  value v = reg(first);
  v.code.type = data_type::b64;
  return v;
}

value quad_of(word_ref first) {
  value v = reg(first);
  v.code.type = data_type::b128;
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
  b.on_false = on_false;
  b.taken = taken;
  b.next = next;
  b.is_uniform = uniform;
  b.line = line_;
}

void writer::place(operation& o, std::size_t slot, const value& v) {
  o.code.source[slot] = v.code;
  o.source[slot] = v.reg;
}

operation& writer::emit(opcode op, word_ref destination, std::initializer_list<value> sources) {
  operation o;
  o.code.op = op;
  o.line = line_;
  o.destination = destination;
  if (destination.reg >= 0) o.code.destination.kind = isa::tesla::operand_kind::gpr;
  std::size_t slot = 0;
  for (const value& v : sources) place(o, slot++, v);
  here().code.push_back(o);
  return here().code.back();
}

operation& writer::emit_wide(opcode op, word_ref destination, data_type type,
                             std::initializer_list<value> sources) {
  operation& o = emit(op, destination, sources);
  o.code.destination.type = type;
  return o;
}

operation& writer::emit_guarded(opcode op, word_ref destination, std::initializer_list<value> sources,
                                const predicate& p, bool when) {
  operation& o = emit(op, destination, sources);
  o.code.condition = when ? condition_true : condition_false;
  o.condition_in = p.condition;
  return o;
}

void writer::move(word_ref to, value from) {
  if (from.code.kind == isa::tesla::operand_kind::gpr && from.reg == to &&
      from.code.part == isa::tesla::half::whole)
    return;
  if (from.code.kind == isa::tesla::operand_kind::constant) {
    emit(opcode::ld_const, to, {from});
    return;
  }
  emit(opcode::mov, to, {from});
}

void writer::move_where(const predicate& p, bool when, word_ref to, value from) {
  if (from.code.kind == isa::tesla::operand_kind::constant || from.code.part != isa::tesla::half::whole)
    from = copy(from);
  emit_guarded(opcode::mov, to, {from}, p, when);
}

value writer::copy(value from) {
  const word_ref to = word();
  move(to, from);
  return reg(to);
}

value writer::add(value a, value b) {
  if (a.is_immediate() && b.is_immediate()) return imm(a.immediate() + b.immediate());
  if (b.is_immediate() && b.immediate() == 0) return a;
  if (a.is_immediate()) std::swap(a, b);
  const word_ref d = word();
  emit(opcode::add, d, {a, b});
  return reg(d);
}

value writer::subtract(value a, value b) {
  if (b.is_immediate()) return add(a, imm(0u - b.immediate()));
  const word_ref d = word();
  emit(opcode::sub, d, {a, b});
  return reg(d);
}

value writer::multiply(value a, value b) {
  if (a.is_immediate() && b.is_immediate()) return imm(a.immediate() * b.immediate());
  const word_ref d = word();
  emit(opcode::mul, d, {a, b}).expansion = pseudo::multiply;
  return reg(d);
}

value writer::multiply16(value a, value b) {
  const word_ref d = word();
  operation& o = emit(opcode::mul, d, {a, b});
  o.code.source_signed = {a.code.type == data_type::s16, b.code.type == data_type::s16};
  return reg(d);
}

value writer::multiply_add16(value a, value b, value c) {
  const word_ref d = word();
  emit(opcode::mad, d, {a, b, c});
  return reg(d);
}

value writer::logic(isa::tesla::logic_op op, value a, value b) {
  if (a.is_immediate() && b.is_immediate()) return imm(computed(op, a.immediate(), b.immediate()));
  const word_ref d = word();
  emit(opcode::logic, d, {a, b}).code.logic = op;
  return reg(d);
}

value writer::shift_left(value a, value count) {
  if (count.is_immediate()) {
    if (count.immediate() == 0) return a;
    if (count.immediate() >= 32) return imm(0);
    if (a.is_immediate()) return imm(a.immediate() << count.immediate());
  }
  const word_ref d = word();
  emit(opcode::shl, d, {a, count});
  return reg(d);
}

value writer::shift_right(value a, value count, bool arithmetic) {
  if (count.is_immediate()) {
    if (count.immediate() == 0) return a;
    if (count.immediate() >= 32) {
      if (!arithmetic) return imm(0);
      count = imm(31);
    }
  }
  const word_ref d = word();
  operation& o = emit(opcode::shr, d, {a, count});
  o.code.arithmetic_shift = o.code.is_signed = arithmetic;
  return reg(d);
}

value writer::minimum(opcode op, value a, value b, bool is_signed) {
  const word_ref d = word();
  emit(op, d, {a, b}).code.is_signed = is_signed;
  return reg(d);
}

predicate writer::compare(unsigned condition, value a, value b, bool is_signed) {
  const predicate p = new_predicate();
  operation& o = emit(opcode::set, p.mask, {a, b});
  o.condition_out = p.condition;
  o.code.compare = static_cast<std::uint8_t>(condition);
  o.code.is_signed = is_signed;
  return p;
}

predicate writer::predicate_of(value mask) {
  const predicate p = new_predicate();
  operation& o = emit(opcode::logic, p.mask, {mask, mask});
  o.code.logic = isa::tesla::logic_op::mov2;
  o.condition_out = p.condition;
  return p;
}

value writer::choose(const predicate& p, value when_true, value when_false) {
  const word_ref d = word();
  move(d, when_false);
  move_where(p, true, d, when_true);
  return reg(d);
}

}  // namespace gt200::ptx::tesla
