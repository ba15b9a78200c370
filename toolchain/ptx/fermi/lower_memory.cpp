// Loads, stores and fences.
#include "toolchain/ptx/fermi/lowering.h"

namespace gt200::ptx::fermi {

lowering::opcode lowering::load_of(state_space space) {
  switch (space) {
    case state_space::shared: return opcode::lds;
    case state_space::local: return opcode::ldl;
    case state_space::constant: return opcode::ldc;
    default: return opcode::ld;
  }
}

lowering::opcode lowering::store_of(state_space space) {
  switch (space) {
    case state_space::shared: return opcode::sts;
    case state_space::local: return opcode::stl;
    default: return opcode::st;
  }
}

void lowering::describe_access(operation& o, isa::data_type width, state_space space) {
  using isa::fermi::cache_operator;
  o.code.memory_type = width;
  if (space == state_space::shared || space == state_space::constant) return;
  const bool stores = o.destination.reg < 0;
  o.code.cache = has("volatile") || has(stores ? "wt" : "cv") ? cache_operator::last
                 : has("cg")                                  ? cache_operator::global
                 : has("cs")                                  ? cache_operator::streaming
                                                              : cache_operator::all;
}

void lowering::fence(fence_scope reach) {
  using isa::fermi::membar_level;
  operation& o = out_.emit_effect(opcode::membar, {});
  o.code.level = reach == fence_scope::block    ? membar_level::cta
                 : reach == fence_scope::system ? membar_level::sys
                                                : membar_level::gl;
  under_own_guard(o);
}

}  // namespace gt200::ptx::fermi
