// Comparisons, selections, minimum and maximum.
#include "kinds.h"
#include "operands.h"

namespace gt200::nvc0_emitter {
namespace {

using namespace nv50_ir;

CondCode float_condition(maker& m) {
  return m.one_of(
      {CC_FL, CC_LT, CC_EQ, CC_LE, CC_GT, CC_NE, CC_GE, CC_LTU, CC_EQU, CC_LEU, CC_GTU, CC_NEU, CC_GEU, CC_TR});
}
CondCode integer_condition(maker& m) { return m.one_of({CC_FL, CC_LT, CC_EQ, CC_LE, CC_GT, CC_NE, CC_GE}); }

number number_of(DataType type) {
  if (type == TYPE_F64) return number::float64;
  return type == TYPE_F32 ? number::float32 : number::integer;
}

Instruction* comparison(maker& m) {
  const DataType of = m.one_of({TYPE_F32, TYPE_F64, TYPE_U32, TYPE_S32});
  const number n = number_of(of);
  const operation op = m.one_of({OP_SET, OP_SET, OP_SET_AND, OP_SET_OR, OP_SET_XOR});
  const bool to_predicate = m.one_in(2);
  CmpInstruction* i = m.comparison(op, to_predicate ? TYPE_U8 : m.one_of({TYPE_U32, TYPE_F32}), of);
  i->setCondition(n == number::integer ? integer_condition(m) : float_condition(m));
  i->setDef(0, to_predicate ? m.predicate() : m.gpr());
  if (to_predicate && m.one_in(3)) i->setDef(1, m.predicate());
  i->setSrc(0, m.gpr(bytes_of(n)));
  i->setSrc(1, second(m, n));
  int sources = 2;
  if (op != OP_SET) i->setSrc(sources++, m.predicate());
  if (n == number::integer) {
    if (m.one_in(4)) i->setFlagsSrc(sources, m.flags());
  } else {
    for (const int s : {0, 1}) m.may_modify(*i, s, true, true);
    i->ftz = n == number::float32 && m.one_in(3);
  }
  return finished(m, i);
}

Instruction* selection_by_sign(maker& m) {
  const DataType type = m.one_of({TYPE_F32, TYPE_U32, TYPE_S32});
  const number n = number_of(type);
  CmpInstruction* i = m.comparison(OP_SLCT, type, type);
  i->setCondition(n == number::integer ? integer_condition(m) : float_condition(m));
  i->setDef(0, m.gpr());
  i->setSrc(0, m.gpr());
  set_second_and_third(m, *i, n);
  m.may_modify(*i, 2, true, false);
  i->ftz = n == number::float32 && m.one_in(3);
  return finished(m, i);
}

Instruction* selection_by_predicate(maker& m) {
  Instruction* i = m.plain(OP_SELP, TYPE_U32);
  i->setDef(0, m.gpr());
  i->setSrc(0, m.gpr());
  i->setSrc(1, second(m, number::integer));
  i->setSrc(2, m.predicate());
  m.may_invert(*i, 2);
  return finished(m, i);
}

Instruction* minimum_or_maximum(maker& m) {
  const DataType type = m.one_of({TYPE_F32, TYPE_F64, TYPE_U32, TYPE_S32});
  const number n = number_of(type);
  Instruction* i = m.plain(m.one_of({OP_MIN, OP_MAX}), type);
  i->setDef(0, m.gpr(bytes_of(n)));
  i->setSrc(0, m.gpr(bytes_of(n)));
  i->setSrc(1, second(m, n));
  if (n == number::integer) {
    if (m.one_in(6)) i->subOp = m.one_of<std::uint16_t>({NV50_IR_SUBOP_MINMAX_LOW, NV50_IR_SUBOP_MINMAX_HIGH});
  } else {
    for (const int s : {0, 1}) m.may_modify(*i, s, true, true);
    i->ftz = n == number::float32 && m.one_in(3);
  }
  if (m.one_in(4)) i->setFlagsDef(1, m.flags());
  return finished(m, i);
}

}  // namespace

std::vector<kind> compare_kinds() {
  return {comparison, comparison, comparison, selection_by_sign, selection_by_predicate, minimum_or_maximum};
}

}  // namespace gt200::nvc0_emitter
