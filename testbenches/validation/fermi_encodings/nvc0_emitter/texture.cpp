// Texture fetches, with what our table refuses as well: levels, comparisons, offsets, cubes. And raw surfaces.
#include "kinds.h"
#include "operands.h"

namespace gt200::nvc0_emitter {
namespace {

using namespace nv50_ir;

TexTarget plain_shape(maker& m) {
  return m.one_of({TEX_TARGET_1D, TEX_TARGET_1D_ARRAY, TEX_TARGET_2D, TEX_TARGET_2D_ARRAY, TEX_TARGET_3D});
}
TexTarget other_shape(maker& m) {
  return m.one_of(
      {TEX_TARGET_CUBE, TEX_TARGET_1D_SHADOW, TEX_TARGET_2D_SHADOW, TEX_TARGET_CUBE_ARRAY, TEX_TARGET_2D_MS});
}

// Sources of a fetch are groups of up to four registers; the number names the first.
TexInstruction* started(maker& m, operation op, TexTarget shape) {
  TexInstruction* i = m.texture(op);
  i->setType(TYPE_F32);
  i->setTexture(shape, static_cast<std::uint8_t>(m.below(128)), static_cast<std::uint8_t>(m.below(16)));
  i->tex.mask = static_cast<std::uint8_t>(1 + m.below(15));
  i->tex.liveOnly = m.one_in(2);
  i->setDef(0, m.gpr_number(static_cast<int>(4 * m.below(15)), 16));
  i->setSrc(0, m.gpr_number(static_cast<int>(4 * m.below(15)), 16));
  return i;
}

// A fetch that follows and needs nothing of this one gives the first another mode.
void may_follow(maker& m, TexInstruction& i) {
  if (!m.one_in(2)) return;
  TexInstruction* next = started(m, OP_TEX, TEX_TARGET_1D);
  next->setSrc(0, m.gpr_number(60, 4));
  i.next = next;
}

Instruction* fetch(maker& m) {
  TexInstruction* i = started(m, OP_TEX, plain_shape(m));
  i->tex.levelZero = m.one_in(2);
  i->tex.derivAll = m.one_in(2);
  may_follow(m, *i);
  return finished(m, i);
}

Instruction* texel(maker& m) {
  TexInstruction* i = started(m, OP_TXF, plain_shape(m));
  i->tex.levelZero = true;
  may_follow(m, *i);
  return finished(m, i);
}

Instruction* other_fetch(maker& m) {
  const operation op = m.one_of({OP_TEX, OP_TXB, OP_TXL, OP_TXF, OP_TXG});
  TexInstruction* i = started(m, op, m.one_in(2) ? other_shape(m) : plain_shape(m));
  if (op == OP_TXB || op == OP_TXL || op == OP_TXF || m.one_in(2)) i->setSrc(1, m.gpr());
  if (op == OP_TEX || m.one_in(3)) i->tex.useOffsets = 1;
  return finished(m, i);
}

Instruction* surface(maker& m) {
  const operation op = m.one_of({OP_SULDB, OP_SUSTB, OP_SULEA});
  TexInstruction* i = m.texture(op);
  i->setType(TYPE_U32);
  i->setTexture(m.one_of({TEX_TARGET_1D, TEX_TARGET_2D}), static_cast<std::uint8_t>(m.below(8)), 0);
  if (op != OP_SUSTB) i->setDef(0, m.gpr());
  i->setSrc(0, m.gpr());
  if (op == OP_SUSTB) i->setSrc(1, m.gpr());
  return finished(m, i);
}

}  // namespace

std::vector<kind> texture_kinds() { return {fetch, fetch, texel, other_fetch, surface}; }

}  // namespace gt200::nvc0_emitter
