// Conversions between the formats of numbers.
#include "kinds.h"
#include "operands.h"

namespace gt200::nvc0_emitter {
namespace {

using namespace nv50_ir;

// The emitter writes immediates of conversions as integers.
Value* source_of(maker& m, DataType type) {
  const unsigned bytes = typeSizeof(type) == 8 ? 8 : 4;
  if (!isFloatType(type) && m.one_in(4)) return m.short_integer();
  return m.one_in(3) && !(bytes == 8 && !isFloatType(type)) ? static_cast<Value*>(m.constant(bytes)) : m.gpr(bytes);
}

Instruction* started(maker& m, operation op, DataType to, DataType from) {
  Instruction* i = m.plain(op, to);
  i->setType(to, from);
  i->setDef(0, m.gpr(typeSizeof(to) == 8 ? 8 : 4));
  i->setSrc(0, source_of(m, from));
  return i;
}

// The byte or half that a narrow source takes; nouveau counts both in bytes but for f16.
void choose_part(maker& m, Instruction& i) {
  switch (typeSizeof(i.sType)) {
    case 1: i.subOp = static_cast<std::uint16_t>(m.below(4)); break;
    case 2: i.subOp = static_cast<std::uint16_t>(isFloatType(i.sType) ? m.below(2) : 2 * m.below(2)); break;
    default: break;
  }
}

DataType some_float(maker& m) { return m.one_of({TYPE_F16, TYPE_F32, TYPE_F64}); }
DataType some_integer(maker& m) {
  return m.one_of({TYPE_U8, TYPE_S8, TYPE_U16, TYPE_S16, TYPE_U32, TYPE_S32, TYPE_U64, TYPE_S64});
}

Instruction* float_to_float(maker& m) {
  const DataType to = some_float(m);
  DataType from = some_float(m);
  if (typeSizeof(to) + typeSizeof(from) == 10) from = TYPE_F32;  // f16 and f64
  Instruction* i = started(m, OP_CVT, to, from);
  if (to == from)
    i->rnd = m.one_of({ROUND_N, ROUND_NI, ROUND_MI, ROUND_PI, ROUND_ZI});
  else if (typeSizeof(to) < typeSizeof(from))
    i->rnd = float_rounding(m);
  choose_part(m, *i);
  m.may_modify(*i, 0, true, true);
  i->saturate = m.one_in(4);
  i->ftz = m.one_in(3);
  return finished(m, i);
}

Instruction* float_to_integer(maker& m) {
  Instruction* i =
      started(m, OP_CVT, m.one_of({TYPE_U16, TYPE_S16, TYPE_U32, TYPE_S32, TYPE_U64, TYPE_S64}), some_float(m));
  i->rnd = float_rounding(m);
  choose_part(m, *i);
  m.may_modify(*i, 0, true, true);
  i->ftz = m.one_in(3);
  return finished(m, i);
}

Instruction* integer_to_float(maker& m) {
  Instruction* i = started(m, OP_CVT, some_float(m), some_integer(m));
  i->rnd = float_rounding(m);
  choose_part(m, *i);
  m.may_modify(*i, 0, true, true);
  return finished(m, i);
}

// No chip instruction reads 64 bits here.
Instruction* integer_to_integer(maker& m) {
  Instruction* i =
      started(m, OP_CVT, some_integer(m), m.one_of({TYPE_U8, TYPE_S8, TYPE_U16, TYPE_S16, TYPE_U32, TYPE_S32}));
  choose_part(m, *i);
  m.may_modify(*i, 0, true, true);
  i->saturate = m.one_in(4);
  return finished(m, i);
}

Instruction* integral_value(maker& m) {
  const DataType from = m.one_of({TYPE_F32, TYPE_F64});
  const DataType to = m.one_in(2) ? from : m.one_of({TYPE_U32, TYPE_S32, TYPE_U64, TYPE_S64});
  Instruction* i = started(m, m.one_of({OP_CEIL, OP_FLOOR, OP_TRUNC}), to, from);
  m.may_modify(*i, 0, true, true);
  i->ftz = m.one_in(3);
  return finished(m, i);
}

Instruction* sign_or_clamp(maker& m) {
  const operation op = m.one_of({OP_ABS, OP_NEG, OP_SAT});
  const DataType type = op == OP_SAT ? TYPE_F32 : m.one_of({TYPE_F32, TYPE_F64, TYPE_S32, TYPE_U32});
  Instruction* i = started(m, op, type, type);
  if (op == OP_NEG) m.may_modify(*i, 0, false, true);
  i->ftz = isFloatType(type) && m.one_in(3);
  return finished(m, i);
}

}  // namespace

std::vector<kind> convert_kinds() {
  return {float_to_float,   float_to_float,     float_to_integer, integer_to_float,
          integer_to_float, integer_to_integer, integral_value,   sign_or_clamp};
}

}  // namespace gt200::nvc0_emitter
