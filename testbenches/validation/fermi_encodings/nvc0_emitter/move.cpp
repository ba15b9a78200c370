// Moves, special registers, predicates as values, votes.
#include "kinds.h"
#include "operands.h"

namespace gt200::nvc0_emitter {
namespace {

using namespace nv50_ir;

Instruction* value(maker& m) {
  Instruction* i = m.plain(OP_MOV, TYPE_U32);
  i->setDef(0, m.gpr());
  switch (m.below(3)) {
    case 0: i->setSrc(0, m.integer(m.word())); break;
    case 1: i->setSrc(0, m.constant()); break;
    default: i->setSrc(0, m.gpr()); break;
  }
  if (!is_immediate(*i, 0) && m.one_in(3)) i->lanes = m.below(16);
  return finished(m, i);
}

Instruction* to_predicate(maker& m) {
  Instruction* i = m.plain(m.one_of({OP_MOV, OP_CVT}), TYPE_U8);
  i->setDef(0, m.predicate());
  switch (m.below(3)) {
    case 0: i->setSrc(0, m.integer(m.below(2))); break;
    case 1: i->setSrc(0, m.predicate()); break;
    default: i->setSrc(0, m.gpr()); break;
  }
  return finished(m, i);
}

Instruction* from_predicate(maker& m) {
  Instruction* i = m.plain(OP_MOV, TYPE_U32);
  i->setDef(0, m.gpr());
  i->setSrc(0, m.predicate());
  return finished(m, i);
}

Instruction* special_register(maker& m) {
  struct range {
    SVSemantic name;
    unsigned count;
  };
  const range r = m.one_of<range>(
      {{SV_LANEID, 1},      {SV_PHYSID, 1},       {SV_VERTEX_COUNT, 1}, {SV_INVOCATION_ID, 1}, {SV_YDIR, 1},
       {SV_THREAD_KILL, 1}, {SV_COMBINED_TID, 1}, {SV_TID, 3},          {SV_CTAID, 3},         {SV_NTID, 3},
       {SV_GRIDID, 1},      {SV_NCTAID, 3},       {SV_LBASE, 1},        {SV_SBASE, 1},         {SV_LANEMASK_EQ, 1},
       {SV_LANEMASK_LT, 1}, {SV_LANEMASK_LE, 1},  {SV_LANEMASK_GT, 1},  {SV_LANEMASK_GE, 1},   {SV_CLOCK, 2}});
  Instruction* i = m.plain(OP_RDSV, TYPE_U32);
  i->setDef(0, m.gpr());
  i->setSrc(0, m.special(r.name, m.below(r.count)));
  return finished(m, i);
}

Instruction* vote(maker& m) {
  Instruction* i = m.plain(OP_VOTE, TYPE_U32);
  i->subOp = m.one_of<std::uint16_t>({NV50_IR_SUBOP_VOTE_ALL, NV50_IR_SUBOP_VOTE_ANY, NV50_IR_SUBOP_VOTE_UNI});
  switch (m.below(3)) {
    case 0: i->setDef(0, m.gpr()); break;
    case 1: i->setDef(0, m.predicate()); break;
    default:
      i->setDef(0, m.gpr());
      i->setDef(1, m.predicate());
      break;
  }
  if (m.one_in(4)) {
    i->setSrc(0, m.integer(m.below(2)));
  } else {
    i->setSrc(0, m.predicate());
    m.may_invert(*i, 0);
  }
  return finished(m, i);
}

}  // namespace

std::vector<kind> move_kinds() { return {value, value, to_predicate, from_predicate, special_register, vote}; }

}  // namespace gt200::nvc0_emitter
