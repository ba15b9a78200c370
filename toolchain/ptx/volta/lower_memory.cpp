// Loads, stores, fences and atomic operations.
#include "toolchain/ptx/volta/lowering.h"

namespace gt200::ptx::volta {

using isa::atomic_op;
using isa::volta::memory_order;
using isa::volta::memory_scope;

lowering::opcode lowering::load_of(state_space space) {
  switch (space) {
    case state_space::shared: return opcode::lds;
    case state_space::local: return opcode::ldl;
    case state_space::constant: return opcode::ldc;
    case state_space::global: return opcode::ldg;
    default: return opcode::ld;
  }
}

lowering::opcode lowering::store_of(state_space space) {
  switch (space) {
    case state_space::shared: return opcode::sts;
    case state_space::local: return opcode::stl;
    case state_space::global: return opcode::stg;
    default: return opcode::st;
  }
}

// Accesses that others must see go past the L1.
void lowering::describe_access(operation& o, isa::data_type width, state_space space) {
  o.code.memory_size = size_code(width);
  if (space != state_space::global && space != state_space::none) return;
  o.code.wide_address = o.code.source[0].words == 2;
  o.code.scope = memory_scope::sys;
  const bool is_strong =
      has("volatile") || has("relaxed") || has("acquire") || has("release") || has("cv") || has("wt") || has("cg");
  if (!is_strong) return;
  o.code.order = memory_order::strong;
  if (has("gpu") || has("cg")) o.code.scope = memory_scope::gpu;
  if (has("cta")) o.code.scope = memory_scope::cta;
}

void lowering::fence(fence_scope reach) {
  operation& o = out_.emit_effect(opcode::membar, {});
  o.code.scope = reach == fence_scope::block    ? memory_scope::cta
                 : reach == fence_scope::system ? memory_scope::sys
                                                : memory_scope::gpu;
  under_own_guard(o);
}

// The threads of a block share an L1; others may have changed what it holds. The fence in front has waited for all
// loads whose values decide what may be read.
void lowering::forget_old_lines(fence_scope reach) {
  if (reach != fence_scope::block) under_own_guard(out_.emit_effect(opcode::cctl, {}));
}

void lowering::atomic(opcode op, const atomic_parts& a, const value& place, bool only_reduces) {
  using isa::volta::atomic_type;
  const auto number = [&] {
    switch (a.op) {
      case atomic_op::add: return 0;
      case atomic_op::min: return 1;
      case atomic_op::max: return 2;
      case atomic_op::inc: return 3;
      case atomic_op::dec: return 4;
      case atomic_op::and_: return 5;
      case atomic_op::or_: return 6;
      case atomic_op::xor_: return 7;
      default: return 8;
    }
  };
  const auto words = static_cast<std::uint8_t>(a.is_wide ? 2 : 1);
  const auto data = [&](const wide& v) { return a.is_wide ? out_.pair(v.low, v.high) : v.low; };
  const bool swaps = a.op == atomic_op::cas;
  const word_ref d = only_reduces ? word_ref{} : out_.tuple(words);
  operation& o = swaps ? out_.emit(op, d, {place, data(a.operand_value), data(a.swap)}, words)
                       : out_.emit(op, d, {place, data(a.operand_value)}, words);
  if (op == opcode::red) o.code.destination = {};
  o.code.compare_and_swap = swaps ? 1 : 0;
  o.code.atomic_operation = static_cast<std::uint8_t>(swaps ? 0 : number());
  o.code.memory_size = a.is_wide ? 5 : 4;
  // A sum is the same with and without sign.
  const bool has_sign = is_signed(a.type) && (a.op == atomic_op::min || a.op == atomic_op::max);
  o.code.atomic_kind = a.is_wide               ? atomic_type::u64
                       : a.type == scalar::f32 ? atomic_type::f32
                       : has_sign              ? atomic_type::s32
                                               : atomic_type::u32;
  if (op != opcode::atoms) describe_atomic(o, place);
  under_own_guard(o);
  if (a.has_result) assign_pair_or_word(a.to, d, a.is_wide);
}

// These access global memory or any.
void lowering::describe_atomic(operation& o, const value& place) const {
  o.code.wide_address = place.code.words == 2;
  o.code.order = memory_order::strong;
  o.code.scope = has("sys") ? memory_scope::sys : has("cta") ? memory_scope::cta : memory_scope::gpu;
}

void lowering::global_atomic(const atomic_parts& a, const value& place) {
  if (a.by_swaps) return swap_until_done(a, place, state_space::global);
  const bool only_reduces = !a.has_result && a.op != atomic_op::cas && a.op != atomic_op::exch;
  atomic(only_reduces ? opcode::red : opcode::atomg, a, place, only_reduces);
}

void lowering::generic_atomic(const atomic_parts& a) {
  if (a.by_swaps) return swap_until_done(a, memory_operand(a.address, state_space::global), state_space::none);
  atomic(opcode::atom, a, memory_operand(a.address, state_space::global), false);
}

// Shared memory adds no floats, and of 64 bits it only compares and swaps.
void lowering::shared_atomic(const atomic_parts& a, const value& place) {
  const bool is_native = a.op == atomic_op::cas || (!a.is_wide && a.type != scalar::f32);
  if (is_native || (a.op == atomic_op::exch && !a.is_wide))
    atomic(opcode::atoms, a, place, false);
  else
    swap_until_done(a, place, state_space::shared);
}

void lowering::swap_until_done(const atomic_parts& a, const value& place, state_space space) {
  const auto words = static_cast<std::uint8_t>(a.is_wide ? 2 : 1);
  const auto parts = [&](word_ref r) {
    return wide{reg(r), a.is_wide ? reg({r.reg, static_cast<std::uint8_t>(r.word + 1)}) : value{}};
  };
  const word_ref old = out_.tuple(words);
  const bool is_shared = space == state_space::shared;
  operation& load = out_.emit(load_of(space), old, {place}, words);
  load.code.memory_size = a.is_wide ? 5 : 4;
  if (!is_shared) describe_atomic(load, place);
  load.is_volatile = true;
  const int again = out_.add_block();
  const int retry = out_.add_block();
  const int done = out_.add_block();
  out_.jump(again);
  out_.continue_in(again);
  const wide expected = {out_.copy(parts(old).low), a.is_wide ? out_.copy(parts(old).high) : value{}};
  const wide changed = combined(a, expected);
  const auto data = [&](const wide& v) {
    return a.is_wide ? in_pair(out_.pair(v.low, v.high)) : out_.in_register(v.low);
  };
  const value compared = data(expected);
  const value stored = data(changed);
  const word_ref found = out_.tuple(words);
  const opcode swap = is_shared ? opcode::atoms : space == state_space::global ? opcode::atomg : opcode::atom;
  operation& o = out_.emit(swap, found, {place, compared, stored}, words);
  if (!is_shared) describe_atomic(o, place);
  o.code.compare_and_swap = 1;
  o.code.atomic_kind = a.is_wide ? isa::volta::atomic_type::u64 : isa::volta::atomic_type::u32;
  o.code.memory_size = a.is_wide ? 5 : 4;
  predicate lost = out_.new_predicate();
  if (a.is_wide)
    compare_wide(different, parts(found), expected, false, lost, {});
  else
    lost = out_.compare(different, reg(found), expected.low, false);
  out_.branch(lost, false, retry, done, false);
  out_.continue_in(retry);
  out_.move(old, reg(found));
  if (a.is_wide) out_.move({old.reg, 1}, parts(found).high);
  out_.jump(again);
  out_.continue_in(done);
  if (!a.has_result) return;
  if (a.is_wide)
    assign_wide(a.to, expected);
  else
    assign(a.to, expected.low);
}

}  // namespace gt200::ptx::volta
