// Atomic operations.
#include "toolchain/ptx/fermi/lowering.h"

namespace gt200::ptx::fermi {

using isa::atomic_op;
using isa::data_type;

void lowering::global_atomic(const atomic_parts& a, const value& place) {
  value to = place;
  constexpr std::int32_t reach = 1 << 19;  // offsets of atom have 20 bits
  if (to.code.value >= reach || to.code.value < -reach) {
    const auto offset = static_cast<std::uint32_t>(to.code.value);
    if (to.code.words == 2) {
      const wide sum = add_wide({reg(to.reg), reg({to.reg.reg, static_cast<std::uint8_t>(to.reg.word + 1)})},
                                {imm(offset), imm(to.code.value < 0 ? ~0u : 0u)});
      to.reg = sum.low.reg;
    } else {
      to.reg = out_.add(reg(to.reg), imm(offset)).reg;
    }
    to.code.value = 0;
  }
  const auto words = static_cast<std::uint8_t>(a.is_wide ? 2 : 1);
  const auto data = [&](const wide& v) { return a.is_wide ? out_.pair(v.low, v.high) : v.low; };
  const bool swaps = a.op == atomic_op::cas;
  const bool only_reduces = !a.has_result && !swaps && a.op != atomic_op::exch;
  const word_ref d = only_reduces ? word_ref{} : out_.tuple(words);
  operation& o = swaps
                     ? out_.emit(opcode::atom, d, {to, data(a.operand_value), data(a.swap)}, words)
                     : out_.emit(only_reduces ? opcode::red : opcode::atom, d, {to, data(a.operand_value)}, words);
  if (only_reduces) o.code.destination = {};
  o.code.atomic = a.op;
  o.code.memory_type = a.access();
  o.code.atomic_float = a.type == scalar::f32;
  // A sum is the same with and without sign; there is no signed one of 64 bits.
  o.code.is_signed = is_signed(a.type) && (a.op == atomic_op::min || a.op == atomic_op::max);
  under_own_guard(o);
  if (a.has_result) assign_pair_or_word(a.to, d, a.is_wide);
}

// Locks the word, changes it, unlocks it. Threads that do not get the lock try again. Of 64 bits the lower word is
// locked.
void lowering::shared_atomic(const atomic_parts& a, const value& place) {
  const int again = out_.add_block();
  const int done = out_.add_block();
  out_.jump(again);
  out_.continue_in(again);
  const predicate locked = out_.new_predicate();
  const word_ref low = out_.word();
  operation& load = out_.emit(opcode::ldslk, low, {place});
  load.code.memory_type = data_type::b32;
  load.predicate_out[0] = locked.condition;
  wide old = {reg(low), {}};
  value upper_place = place;
  upper_place.code.value += 4;
  if (a.is_wide) {
    const word_ref high = out_.word();
    operation& more = out_.emit(opcode::lds, high, {upper_place});
    more.code.memory_type = data_type::b32;
    more.is_volatile = true;
    old.high = reg(high);
  }
  const wide changed = combined(a, old);
  const auto store = [&](opcode op, const value& to, const value& v) {
    operation& o = out_.emit(op, {}, {to, out_.in_register(v)});
    o.code.destination = {};
    o.code.memory_type = data_type::b32;
    writer::guard(o, locked);
  };
  if (a.is_wide) store(opcode::sts, upper_place, changed.high);
  store(opcode::stsul, place, changed.low);
  out_.branch(locked, true, again, done, false);
  out_.continue_in(done);
  if (!a.has_result) return;
  if (a.is_wide)
    assign_wide(a.to, old);
  else
    assign(a.to, old.low);
}

// An address in the window of shared memory takes the lock, any other one is global.
void lowering::generic_atomic(const atomic_parts& a) {
  constexpr std::uint32_t window_bytes = 1u << 24;
  const value place = memory_operand(a.address, state_space::global);
  const value base = out_.add(reg(place.reg), imm(static_cast<std::uint32_t>(place.code.value)));
  const value offset = out_.subtract(base, constant_word(0, 0));
  const predicate is_shared = out_.compare(less, offset, imm(window_bytes), false);
  const int on_chip = out_.add_block();
  const int elsewhere = out_.add_block();
  const int after = out_.add_block();
  out_.branch(is_shared, false, on_chip, elsewhere, false);
  out_.continue_in(elsewhere);
  global_atomic(a, place);
  out_.jump(after);
  out_.continue_in(on_chip);
  value in_window;
  in_window.code.kind = kind::memory;
  in_window.reg = offset.reg;
  shared_atomic(a, in_window);
  out_.jump(after);
  out_.continue_in(after);
}

}  // namespace gt200::ptx::fermi
