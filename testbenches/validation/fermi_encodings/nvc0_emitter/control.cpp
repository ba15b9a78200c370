// Control flow and barriers.
#include "kinds.h"
#include "operands.h"

namespace gt200::nvc0_emitter {
namespace {

using namespace nv50_ir;

std::uint32_t some_target(maker& m) { return m.below(1 << 23) & ~(instruction_bytes - 1); }

Instruction* branch(maker& m) {
  FlowInstruction* i = m.flow(OP_BRA, some_target(m));
  i->allWarp = m.one_in(4);
  i->limit = m.one_in(4);
  m.may_guard(*i);
  return i;
}

// The emitter adds the distance to a block even to an address in a constant; that of the next instruction is zero.
Instruction* branch_by_constant(maker& m) {
  FlowInstruction* i = m.flow(OP_BRA, m.position + instruction_bytes);
  i->indirect = 1;
  i->setSrc(0, m.constant());
  i->setIndirect(0, 0, m.gpr());
  m.may_guard(*i);
  return i;
}

Instruction* call(maker& m) {
  FlowInstruction* i = m.flow(OP_CALL, some_target(m));
  i->limit = m.one_in(4);
  return i;
}

Instruction* push_of_target(maker& m) {
  return m.flow(m.one_of({OP_JOINAT, OP_PREBREAK, OP_PRECONT, OP_PRERET}), some_target(m));
}

Instruction* leaving(maker& m) {
  const operation op = m.one_of({OP_EXIT, OP_RET, OP_BREAK, OP_CONT});
  Instruction* i = op == OP_EXIT ? m.plain(op, TYPE_NONE) : m.flow(op, 0);
  m.may_guard(*i);
  return i;
}

Instruction* breakpoint(maker& m) { return m.flow(OP_BRKPT, 0); }

Instruction* join(maker& m) {
  Instruction* i = m.flow(OP_JOIN, 0);
  i->join = 1;
  m.may_guard(*i);
  return i;
}

Instruction* barrier(maker& m) {
  Instruction* i = m.plain(OP_BAR, TYPE_U32);
  i->subOp = m.one_of<std::uint16_t>({NV50_IR_SUBOP_BAR_SYNC, NV50_IR_SUBOP_BAR_ARRIVE, NV50_IR_SUBOP_BAR_RED_AND,
                                      NV50_IR_SUBOP_BAR_RED_OR, NV50_IR_SUBOP_BAR_RED_POPC});
  const bool reduces = i->subOp >= NV50_IR_SUBOP_BAR_RED_AND;
  if (reduces) i->setDef(0, i->subOp == NV50_IR_SUBOP_BAR_RED_POPC ? m.gpr() : m.predicate());
  if (reduces && m.one_in(3)) i->setDef(1, i->subOp == NV50_IR_SUBOP_BAR_RED_POPC ? m.predicate() : m.gpr());
  i->setSrc(0, m.one_in(3) ? static_cast<Value*>(m.gpr()) : m.integer(m.below(16)));
  i->setSrc(1, m.one_in(3) ? static_cast<Value*>(m.gpr()) : m.integer(m.below(0x1000)));
  if (reduces) {
    i->setSrc(2, m.predicate());
    m.may_invert(*i, 2);
  }
  return finished(m, i);
}

}  // namespace

std::vector<kind> control_kinds() {
  return {branch,  branch_by_constant, call, push_of_target, push_of_target, leaving,
          leaving, breakpoint,         join, barrier,        barrier};
}

}  // namespace gt200::nvc0_emitter
