// Loads, stores, atomic operations, cache control, fences.
#include "kinds.h"
#include "operands.h"

namespace gt200::nvc0_emitter {
namespace {

using namespace nv50_ir;

constexpr std::int32_t window = 1 << 23;  // local and shared: 24 bits with sign
constexpr std::int32_t atomic_reach = 1 << 19;

std::int32_t signed_below(maker& m, std::int32_t limit) {
  return static_cast<std::int32_t>(m.below(2 * static_cast<unsigned>(limit))) - limit;
}

DataType access(maker& m) {
  return m.one_of({TYPE_U8, TYPE_S8, TYPE_U16, TYPE_S16, TYPE_F16, TYPE_U32, TYPE_S32, TYPE_F32, TYPE_U64, TYPE_S64,
                   TYPE_F64, TYPE_B128});
}

unsigned bytes_moved(DataType type) { return typeSizeof(type) < 4 ? 4 : typeSizeof(type); }

std::int32_t some_offset(maker& m, DataFile file) {
  if (m.one_in(4)) return 0;
  switch (file) {
    case FILE_MEMORY_GLOBAL: return static_cast<std::int32_t>(m.word());
    case FILE_MEMORY_CONST: return static_cast<std::int32_t>(m.below(0x8000)) & ~15;
    default: return signed_below(m, window);
  }
}

// Source 0 is a place in memory, with or without a register as its base.
void set_place(maker& m, Instruction& i, DataFile file, std::int32_t offset, unsigned bank = 0) {
  i.setSrc(0, m.memory(file, offset, bank));
}
void may_set_base(maker& m, Instruction& i, DataFile file) {
  if (m.one_in(4)) return;
  i.setIndirect(0, 0, m.gpr(file == FILE_MEMORY_GLOBAL && m.one_in(2) ? 8 : 4));
}

CacheMode cache_of(maker& m, DataFile file) {
  if (file != FILE_MEMORY_GLOBAL && file != FILE_MEMORY_LOCAL) return CACHE_CA;
  return m.one_of({CACHE_CA, CACHE_CG, CACHE_CS, CACHE_CV});
}

Instruction* load(maker& m) {
  const auto file = m.one_of({FILE_MEMORY_GLOBAL, FILE_MEMORY_LOCAL, FILE_MEMORY_SHARED});
  Instruction* i = m.plain(OP_LOAD, access(m));
  i->setDef(0, m.gpr(bytes_moved(i->dType)));
  set_place(m, *i, file, some_offset(m, file));
  may_set_base(m, *i, file);
  i->cache = cache_of(m, file);
  return finished(m, i);
}

Instruction* store(maker& m) {
  const auto file = m.one_of({FILE_MEMORY_GLOBAL, FILE_MEMORY_LOCAL, FILE_MEMORY_SHARED});
  Instruction* i = m.plain(OP_STORE, access(m));
  set_place(m, *i, file, some_offset(m, file));
  i->setSrc(1, m.gpr(bytes_moved(i->dType)));
  may_set_base(m, *i, file);
  i->cache = cache_of(m, file);
  if (file == FILE_MEMORY_SHARED && m.one_in(3)) i->subOp = NV50_IR_SUBOP_STORE_UNLOCKED;
  return finished(m, i);
}

Instruction* locked_load(maker& m) {
  Instruction* i = m.plain(OP_LOAD, access(m));
  i->subOp = NV50_IR_SUBOP_LOAD_LOCKED;
  if (m.one_in(3)) {
    i->setDef(0, m.predicate());
  } else {
    i->setDef(0, m.gpr(bytes_moved(i->dType)));
    i->setDef(1, m.predicate());
  }
  set_place(m, *i, FILE_MEMORY_SHARED, some_offset(m, FILE_MEMORY_SHARED));
  may_set_base(m, *i, FILE_MEMORY_SHARED);
  return finished(m, i);
}

Instruction* load_constant(maker& m) {
  Instruction* i = m.plain(OP_LOAD, access(m));
  i->setDef(0, m.gpr(bytes_moved(i->dType)));
  set_place(m, *i, FILE_MEMORY_CONST, some_offset(m, FILE_MEMORY_CONST), m.below(16));
  may_set_base(m, *i, FILE_MEMORY_CONST);
  if (m.one_in(6) && i->src(0).isIndirect(0))
    i->subOp = m.one_of<std::uint16_t>({NV50_IR_SUBOP_LDC_IL, NV50_IR_SUBOP_LDC_IS, NV50_IR_SUBOP_LDC_ISL});
  return finished(m, i);
}

Instruction* atomic(maker& m, DataType type, std::uint16_t operation) {
  const bool needs_result = operation == NV50_IR_SUBOP_ATOM_EXCH || operation == NV50_IR_SUBOP_ATOM_CAS;
  const bool with_result = needs_result || m.one_in(2);
  Instruction* i = m.plain(OP_ATOM, type);
  i->subOp = operation;
  const unsigned bytes = typeSizeof(type);
  if (with_result) i->setDef(0, m.gpr(bytes));
  const std::int32_t reach = with_result ? signed_below(m, atomic_reach) : static_cast<std::int32_t>(m.word());
  set_place(m, *i, FILE_MEMORY_GLOBAL, m.one_in(4) ? 0 : reach);
  // The new value of a compare-and-swap is behind the one to compare with.
  i->setSrc(1, m.gpr(operation == NV50_IR_SUBOP_ATOM_CAS ? 2 * bytes : bytes));
  may_set_base(m, *i, FILE_MEMORY_GLOBAL);
  return finished(m, i);
}

Instruction* atomic_unsigned(maker& m) { return atomic(m, TYPE_U32, static_cast<std::uint16_t>(m.below(10))); }
Instruction* atomic_signed(maker& m) { return atomic(m, TYPE_S32, static_cast<std::uint16_t>(m.below(3))); }
Instruction* atomic_float(maker& m) { return atomic(m, TYPE_F32, NV50_IR_SUBOP_ATOM_ADD); }
Instruction* atomic_wide(maker& m) {
  return atomic(m, TYPE_U64,
                m.one_of<std::uint16_t>({NV50_IR_SUBOP_ATOM_ADD, NV50_IR_SUBOP_ATOM_EXCH, NV50_IR_SUBOP_ATOM_CAS}));
}

Instruction* cache_control(maker& m) {
  const auto file = m.one_of({FILE_MEMORY_GLOBAL, FILE_MEMORY_LOCAL});
  Instruction* i = m.plain(OP_CCTL, TYPE_U32);
  i->subOp = static_cast<std::uint16_t>(m.below(8));
  set_place(m, *i, file, some_offset(m, file) & ~3);
  if (m.one_in(4)) i->setDef(0, m.gpr());
  may_set_base(m, *i, file);
  return finished(m, i);
}

Instruction* fence(maker& m) {
  Instruction* i = m.plain(OP_MEMBAR, TYPE_NONE);
  i->subOp = static_cast<std::uint16_t>(
      m.one_of({NV50_IR_SUBOP_MEMBAR_CTA, NV50_IR_SUBOP_MEMBAR_GL, NV50_IR_SUBOP_MEMBAR_SYS}) |
      NV50_IR_SUBOP_MEMBAR_M);
  return finished(m, i);
}

}  // namespace

std::vector<kind> memory_kinds() {
  return {load,          load,         store,       store,         locked_load, load_constant, atomic_unsigned,
          atomic_signed, atomic_float, atomic_wide, cache_control, fence};
}

}  // namespace gt200::nvc0_emitter
