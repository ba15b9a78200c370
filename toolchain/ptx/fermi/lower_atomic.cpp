// Atomic operations.
#include <map>

#include "toolchain/ptx/fermi/lowering.h"

namespace gt200::ptx::fermi {

using isa::atomic_op;
using isa::data_type;
using isa::fermi::logic_op;
using isa::fermi::opcode;

struct lowering::atomic_parts {
  atomic_op op = atomic_op::add;
  scalar type = scalar::none;
  bool has_result = false;
  bool is_wide = false;
  operand to;
  operand address;
  wide operand_value;
  wide swap;  // cas: what is stored
  data_type access() const { return is_wide ? data_type::b64 : data_type::b32; }
};

bool lowering::lower_atomic(const statement& s) {
  if (s.name != "atom" && s.name != "red") return false;
  static const std::map<std::string, atomic_op> names = {
      {"add", atomic_op::add}, {"exch", atomic_op::exch}, {"cas", atomic_op::cas}, {"inc", atomic_op::inc},
      {"dec", atomic_op::dec}, {"max", atomic_op::max},   {"min", atomic_op::min}, {"and", atomic_op::and_},
      {"or", atomic_op::or_},  {"xor", atomic_op::xor_}};
  const atomic_op* op = nullptr;
  for (const std::string& m : s.modifiers)
    if (names.count(m) != 0) op = &names.at(m);
  if (op == nullptr) unsupported("the operation is missing");
  atomic_parts a;
  a.op = *op;
  a.has_result = s.name == "atom";
  const bool swaps = a.op == atomic_op::cas;
  const std::size_t count = (a.has_result ? 3u : 2u) + (swaps ? 1u : 0u);
  operand_count(count, count);
  a.type = type();
  a.is_wide = bytes_of(a.type) == 8;
  if (bytes_of(a.type) < 4 || (is_float(a.type) && (a.type != scalar::f32 || a.op != atomic_op::add)))
    unsupported("atomic operations are on integers of 32 and 64 bits, and add.f32");
  if (a.is_wide && a.op != atomic_op::add && a.op != atomic_op::exch && !swaps)
    unsupported("of 64 bits there are add, exch and cas");
  const std::size_t address_at = a.has_result ? 1 : 0;
  if (a.has_result) a.to = at(0);
  a.address = at(address_at);
  const state_space space = space_of(a.address);
  if (space != state_space::global && space != state_space::shared && space != state_space::none)
    unsupported("only global and shared memory are supported");
  const auto operand_at = [&](std::size_t k) {
    const wide v = source_wide(at(k), a.type);
    if (!a.is_wide) return wide{out_.in_register(v.low), {}};
    const value both = in_pair(out_.pair(v.low, v.high));
    return wide{reg(both.reg), reg({both.reg.reg, static_cast<std::uint8_t>(both.reg.word + 1)})};
  };
  a.operand_value = operand_at(address_at + 1);
  if (swaps) a.swap = operand_at(address_at + 2);
  if (space == state_space::global) {
    global_atomic(a, memory_operand(a.address, space));
  } else if (space == state_space::shared) {
    under_guard([&] { shared_atomic(a, memory_operand(a.address, space)); });
  } else {
    under_guard([&] { generic_atomic(a); });
  }
  return true;
}

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

lowering::wide lowering::combined(const atomic_parts& a, wide old) {
  const wide& v = a.operand_value;
  const value x = old.low;
  const value y = v.low;
  const bool sign = is_signed(a.type);
  const auto one_word = [](value result) { return wide{result, {}}; };
  switch (a.op) {
    case atomic_op::exch: return v;
    case atomic_op::cas: {
      if (!a.is_wide) return one_word(out_.choose(out_.compare(equal, x, y, false), a.swap.low, x));
      const predicate same = out_.new_predicate();
      compare_wide(equal, old, v, false, same);
      return choose_wide(same, a.swap, old);
    }
    case atomic_op::add: {
      if (a.is_wide) return add_wide(old, v);
      if (a.type != scalar::f32) return one_word(out_.add(x, y));
      const word_ref d = out_.word();
      out_.emit(opcode::fadd, d, {x, y});
      return one_word(reg(d));
    }
    case atomic_op::inc:
      return one_word(out_.choose(out_.compare(not_less, x, y, false), zero(), out_.add(x, imm(1))));
    case atomic_op::dec: {
      const value less_one = out_.add(x, imm(0xffffffff));  // 0 - 1 exceeds every limit too
      return one_word(out_.choose(out_.compare(not_less, less_one, y, false), y, less_one));
    }
    case atomic_op::max: return one_word(out_.extreme(true, x, y, sign));
    case atomic_op::min: return one_word(out_.extreme(false, x, y, sign));
    case atomic_op::and_: return one_word(out_.logic(logic_op::and_, x, y));
    case atomic_op::or_: return one_word(out_.logic(logic_op::or_, x, y));
    case atomic_op::xor_: return one_word(out_.logic(logic_op::xor_, x, y));
  }
  return old;
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
  in_window.code.kind = isa::fermi::operand_kind::memory;
  in_window.reg = offset.reg;
  shared_atomic(a, in_window);
  out_.jump(after);
  out_.continue_in(after);
}

}  // namespace gt200::ptx::fermi
