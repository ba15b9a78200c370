// Sums, products, products with a sum.
#include "kinds.h"
#include "operands.h"

namespace gt200::nvc0_emitter {
namespace {

using namespace nv50_ir;

Instruction* two_sources(maker& m, operation op, DataType type, number n, Value* second_source) {
  Instruction* i = m.plain(op, type);
  i->setDef(0, m.gpr(bytes_of(n)));
  i->setSrc(0, m.gpr(bytes_of(n)));
  i->setSrc(1, second_source);
  return i;
}

Instruction* float_sum(maker& m) {
  const bool is_long = m.one_in(4);
  Value* right = is_long ? static_cast<Value*>(m.long_float()) : second(m, number::float32);
  Instruction* i = two_sources(m, m.one_of({OP_ADD, OP_SUB}), TYPE_F32, number::float32, right);
  for (const int s : {0, 1}) m.may_modify(*i, s, true, true);
  i->ftz = m.one_in(3);
  if (!is_long) {
    i->rnd = float_rounding(m);
    i->saturate = m.one_in(4);
  }
  return finished(m, i);
}

Instruction* double_sum(maker& m) {
  Instruction* i =
      two_sources(m, m.one_of({OP_ADD, OP_SUB}), TYPE_F64, number::float64, second(m, number::float64));
  for (const int s : {0, 1}) m.may_modify(*i, s, true, true);
  i->rnd = float_rounding(m);
  return finished(m, i);
}

// Both sources negated has no encoding: the bits would mean a sum plus one.
Instruction* integer_sum(maker& m) {
  Value* right = m.one_in(4) ? static_cast<Value*>(m.long_integer()) : second(m, number::integer);
  Instruction* i = two_sources(m, m.one_of({OP_ADD, OP_SUB}), TYPE_U32, number::integer, right);
  const Modifier negative(NV50_IR_MOD_NEG);
  switch (m.below(3)) {
    case 0: i->src(1).mod = negative; break;
    case 1:
      i->src(0).mod = negative;
      if (i->op == OP_SUB) i->src(1).mod = negative;
      break;
    default: break;
  }
  i->saturate = m.one_in(5);
  if (m.one_in(4)) i->setFlagsDef(1, m.flags());
  if (m.one_in(4)) i->setFlagsSrc(2, m.flags());
  return finished(m, i);
}

Instruction* float_product(maker& m) {
  const bool is_long = m.one_in(4);
  Value* right = is_long ? static_cast<Value*>(m.long_float()) : second(m, number::float32);
  Instruction* i = two_sources(m, OP_MUL, TYPE_F32, number::float32, right);
  for (const int s : {0, 1}) m.may_modify(*i, s, true, false);
  i->saturate = m.one_in(4);
  i->dnz = m.one_in(4);
  i->ftz = !i->dnz && m.one_in(3);
  if (!is_long) {
    i->rnd = float_rounding(m);
    i->postFactor = static_cast<std::int8_t>(static_cast<int>(m.below(7)) - 3);
  }
  return finished(m, i);
}

Instruction* double_product(maker& m) {
  Instruction* i = two_sources(m, OP_MUL, TYPE_F64, number::float64, second(m, number::float64));
  for (const int s : {0, 1}) m.may_modify(*i, s, true, false);
  i->rnd = float_rounding(m);
  return finished(m, i);
}

Instruction* integer_product(maker& m) {
  Value* right = m.one_in(4) ? static_cast<Value*>(m.long_integer()) : second(m, number::integer);
  Instruction* i = two_sources(m, OP_MUL, TYPE_U32, number::integer, right);
  i->setType(m.one_of({TYPE_U32, TYPE_S32}), m.one_of({TYPE_U32, TYPE_S32}));
  i->subOp = m.one_in(3) ? NV50_IR_SUBOP_MUL_HIGH : 0;
  return finished(m, i);
}

Instruction* three_sources(maker& m, operation op, DataType type, number n) {
  Instruction* i = m.plain(op, type);
  i->setDef(0, m.gpr(bytes_of(n)));
  i->setSrc(0, m.gpr(bytes_of(n)));
  set_second_and_third(m, *i, n);
  return i;
}

Instruction* float_multiply_add(maker& m) {
  Instruction* i = three_sources(m, m.one_of({OP_MAD, OP_FMA}), TYPE_F32, number::float32);
  for (const int s : {0, 1, 2}) m.may_modify(*i, s, true, false);
  i->rnd = float_rounding(m);
  i->saturate = m.one_in(4);
  i->dnz = m.one_in(4);
  i->ftz = !i->dnz && m.one_in(3);
  return finished(m, i);
}

// With an immediate of 32 bits the third source is the destination.
Instruction* long_multiply_add(maker& m) {
  Instruction* i = m.plain(OP_MAD, TYPE_F32);
  LValue* both = m.gpr();
  i->setDef(0, both);
  i->setSrc(0, m.gpr());
  i->setSrc(1, m.long_float());
  i->setSrc(2, m.gpr_number(both->reg.data.id));
  for (const int s : {0, 1}) m.may_modify(*i, s, true, false);
  i->saturate = m.one_in(4);
  i->dnz = m.one_in(4);
  i->ftz = !i->dnz && m.one_in(3);
  return finished(m, i);
}

Instruction* double_multiply_add(maker& m) {
  Instruction* i = three_sources(m, OP_FMA, TYPE_F64, number::float64);
  for (const int s : {0, 1, 2}) m.may_modify(*i, s, true, false);
  i->rnd = float_rounding(m);
  return finished(m, i);
}

Instruction* integer_multiply_add(maker& m) {
  Instruction* i = three_sources(m, OP_MAD, TYPE_U32, number::integer);
  i->setType(m.one_of({TYPE_U32, TYPE_S32}), m.one_of({TYPE_U32, TYPE_S32}));
  i->subOp = m.one_in(3) ? NV50_IR_SUBOP_MUL_HIGH : 0;
  const Modifier negative(NV50_IR_MOD_NEG);
  if (m.one_in(3))
    i->src(2).mod = negative;
  else if (m.one_in(2))
    i->src(static_cast<int>(m.below(2))).mod = negative;
  i->saturate = m.one_in(5);
  if (m.one_in(4)) i->setFlagsDef(1, m.flags());
  if (m.one_in(4)) i->setFlagsSrc(3, m.flags());
  return finished(m, i);
}

Instruction* shift_and_add(maker& m) {
  Instruction* i = m.plain(OP_SHLADD, TYPE_U32);
  i->setDef(0, m.gpr());
  i->setSrc(0, m.gpr());
  i->setSrc(1, m.integer(m.below(32)));
  i->setSrc(2, second(m, number::integer));
  if (m.one_in(2)) i->src(m.one_of({0, 2})).mod = Modifier(NV50_IR_MOD_NEG);
  if (m.one_in(4)) i->setFlagsDef(1, m.flags());
  return finished(m, i);
}

Instruction* sum_of_differences(maker& m) {
  return finished(m, three_sources(m, OP_SAD, m.one_of({TYPE_U32, TYPE_S32}), number::integer));
}

Instruction* function_of_float(maker& m) {
  Instruction* i = m.plain(m.one_of({OP_COS, OP_SIN, OP_EX2, OP_LG2, OP_RCP, OP_RSQ}), TYPE_F32);
  i->setDef(0, m.gpr());
  i->setSrc(0, m.gpr());
  m.may_modify(*i, 0, true, true);
  i->saturate = m.one_in(4);
  if ((i->op == OP_RCP || i->op == OP_RSQ) && m.one_in(3)) i->subOp = NV50_IR_SUBOP_RCPRSQ_64H;
  return finished(m, i);
}

Instruction* range_reduction(maker& m) {
  Instruction* i = m.plain(m.one_of({OP_PRESIN, OP_PREEX2}), TYPE_F32);
  i->setDef(0, m.gpr());
  i->setSrc(0, second(m, number::float32));
  m.may_modify(*i, 0, true, true);
  return finished(m, i);
}

}  // namespace

std::vector<kind> arithmetic_kinds() {
  return {float_sum,       double_sum,         integer_sum,       float_product,       double_product,
          integer_product, float_multiply_add, long_multiply_add, double_multiply_add, integer_multiply_add,
          shift_and_add,   sum_of_differences, function_of_float, range_reduction};
}

}  // namespace gt200::nvc0_emitter
