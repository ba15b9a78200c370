// Logic, shifts, fields of bits, permutations of bytes.
#include "kinds.h"
#include "operands.h"

namespace gt200::nvc0_emitter {
namespace {

using namespace nv50_ir;

Instruction* logic(maker& m) {
  Instruction* i = m.plain(m.one_of({OP_AND, OP_OR, OP_XOR}), TYPE_U32);
  i->setDef(0, m.gpr());
  i->setSrc(0, m.gpr());
  i->setSrc(1, m.one_in(4) ? static_cast<Value*>(m.long_integer()) : second(m, number::integer));
  for (const int s : {0, 1}) m.may_invert(*i, s);
  if (m.one_in(4)) i->setFlagsDef(1, m.flags());
  if (m.one_in(4)) i->setFlagsSrc(2, m.flags());
  return finished(m, i);
}

Instruction* logic_of_predicates(maker& m) {
  Instruction* i = m.plain(m.one_of({OP_AND, OP_OR, OP_XOR}), TYPE_U8);
  i->setDef(0, m.predicate());
  if (m.one_in(3)) i->setDef(1, m.predicate());
  const int sources = m.one_in(3) ? 3 : 2;
  for (int s = 0; s < sources; ++s) {
    i->setSrc(s, m.predicate());
    m.may_invert(*i, s);
  }
  return finished(m, i);
}

Instruction* inversion(maker& m) {
  Instruction* i = m.plain(OP_NOT, TYPE_U32);
  i->setDef(0, m.gpr());
  i->setSrc(0, m.gpr());
  return finished(m, i);
}

Instruction* shift(maker& m) {
  Instruction* i = m.plain(m.one_of({OP_SHL, OP_SHR}), m.one_of({TYPE_U32, TYPE_S32}));
  i->setDef(0, m.gpr());
  i->setSrc(0, m.gpr());
  i->setSrc(1, second(m, number::integer));
  i->subOp = m.one_in(3) ? NV50_IR_SUBOP_SHIFT_WRAP : 0;
  return finished(m, i);
}

Instruction* count_of_bits(maker& m) {
  Instruction* i = m.plain(OP_POPCNT, TYPE_U32);
  i->setDef(0, m.gpr());
  i->setSrc(0, m.gpr());
  i->setSrc(1, second(m, number::integer));
  for (const int s : {0, 1}) m.may_invert(*i, s);
  return finished(m, i);
}

Instruction* field_to_insert(maker& m) {
  Instruction* i = m.plain(OP_INSBF, TYPE_U32);
  i->setDef(0, m.gpr());
  i->setSrc(0, m.gpr());
  set_second_and_third(m, *i, number::integer);
  return finished(m, i);
}

Instruction* field_to_extract(maker& m) {
  Instruction* i = m.plain(OP_EXTBF, m.one_of({TYPE_U32, TYPE_S32}));
  i->setDef(0, m.gpr());
  i->setSrc(0, m.gpr());
  i->setSrc(1, second(m, number::integer));
  i->subOp = m.one_in(3) ? NV50_IR_SUBOP_EXTBF_REV : 0;
  return finished(m, i);
}

Instruction* highest_bit(maker& m) {
  Instruction* i = m.plain(OP_BFIND, m.one_of({TYPE_U32, TYPE_S32}));
  i->setDef(0, m.gpr());
  i->setSrc(0, second(m, number::integer));
  m.may_invert(*i, 0);
  i->subOp = m.one_in(3) ? NV50_IR_SUBOP_BFIND_SAMT : 0;
  return finished(m, i);
}

Instruction* permutation(maker& m) {
  Instruction* i = m.plain(OP_PERMT, TYPE_U32);
  i->setDef(0, m.gpr());
  i->setSrc(0, m.gpr());
  set_second_and_third(m, *i, number::integer);
  i->subOp = static_cast<std::uint16_t>(m.below(7));
  return finished(m, i);
}

// Bytes and halves of the sources, and how the result is merged.
Instruction* video_shift(maker& m) {
  Instruction* i = m.plain(OP_VSHL, m.one_of({TYPE_U32, TYPE_S32}));
  i->sType = m.one_of({TYPE_U32, TYPE_S32});
  i->setDef(0, m.gpr());
  for (const int s : {0, 1, 2}) i->setSrc(s, m.gpr());
  constexpr unsigned from_register = 8;
  const unsigned merge = m.below(8);
  const unsigned left = m.below(7);
  const unsigned right = m.below(7) | from_register;
  i->subOp = static_cast<std::uint16_t>(NV50_IR_SUBOP_V1(merge, left, right));
  i->saturate = m.one_in(4);
  if (m.one_in(4)) i->setFlagsDef(1, m.flags());
  return finished(m, i);
}

}  // namespace

std::vector<kind> bit_kinds() {
  return {logic,           logic_of_predicates, inversion,   shift,       count_of_bits,
          field_to_insert, field_to_extract,    highest_bit, permutation, video_shift};
}

}  // namespace gt200::nvc0_emitter
