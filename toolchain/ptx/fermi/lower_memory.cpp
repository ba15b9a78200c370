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
                 : has("cs") || has("lu")                     ? cache_operator::streaming
                                                              : cache_operator::all;
}

// The instruction counts its offset in words, which lie in one line.
void lowering::prefetch(const operand& address, state_space space, bool far) {
  if (space != state_space::global && space != state_space::local && space != state_space::none) return;
  value place = memory_operand(address, space, 0);
  place.code.value &= ~3;
  constexpr std::uint8_t into_l1 = 1, into_l2 = 3;
  operation& o = out_.emit_effect(space == state_space::local ? opcode::cctll : opcode::cctl, {place});
  o.code.destination.kind = isa::fermi::operand_kind::gpr;  // the zero register: only a query has a result
  o.code.cache_control = far ? into_l2 : into_l1;
  under_own_guard(o);
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
