// Atomic operations.
#pragma once

#include <map>

#include "toolchain/ptx/machine/lowering/lowering.h"

namespace gt200::ptx {

template <class machine>
bool word_lowering<machine>::lower_atomic(const statement& s) {
  if (s.name != "atom" && s.name != "red") return false;
  static const std::map<std::string, isa::atomic_op> names = {
      {"add", isa::atomic_op::add}, {"exch", isa::atomic_op::exch}, {"cas", isa::atomic_op::cas},
      {"inc", isa::atomic_op::inc}, {"dec", isa::atomic_op::dec},   {"max", isa::atomic_op::max},
      {"min", isa::atomic_op::min}, {"and", isa::atomic_op::and_},  {"or", isa::atomic_op::or_},
      {"xor", isa::atomic_op::xor_}};
  const isa::atomic_op* op = nullptr;
  for (const std::string& m : s.modifiers)
    if (names.count(m) != 0) op = &names.at(m);
  if (op == nullptr) unsupported("the operation is missing");
  atomic_parts a;
  a.op = *op;
  a.has_result = s.name == "atom";
  const bool swaps = a.op == isa::atomic_op::cas;
  const std::size_t count = (a.has_result ? 3u : 2u) + (swaps ? 1u : 0u);
  operand_count(count, count);
  a.type = type();
  a.is_wide = bytes_of(a.type) == 8;
  const bool is_sum = a.op == isa::atomic_op::add;
  const bool adds_floats = is_sum && (a.type == scalar::f32 || (a.type == scalar::f64 && swaps_for_wide_atomics()));
  if (bytes_of(a.type) < 4 || (is_float(a.type) && !adds_floats))
    unsupported("atomic operations are on integers of 32 and 64 bits, and add.f32");
  a.by_swaps = a.is_wide && !swaps && a.op != isa::atomic_op::exch && (!is_sum || a.type == scalar::f64);
  if (a.by_swaps && (!swaps_for_wide_atomics() || a.op == isa::atomic_op::inc || a.op == isa::atomic_op::dec))
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
  order_before();
  if (space == state_space::global && a.by_swaps) {
    under_guard([&] { global_atomic(a, memory_operand(a.address, space)); });
  } else if (space == state_space::global) {
    global_atomic(a, memory_operand(a.address, space));
  } else if (space == state_space::shared) {
    under_guard([&] { shared_atomic(a, memory_operand(a.address, space)); });
  } else {
    under_guard([&] { generic_atomic(a); });
  }
  order_behind();
  return true;
}

template <class machine>
auto word_lowering<machine>::combined(const atomic_parts& a, wide old) -> wide {
  const wide& v = a.operand_value;
  const value x = old.low;
  const value y = v.low;
  const bool sign = is_signed(a.type);
  const auto one_word = [](value result) { return wide{result, {}}; };
  const auto by_words = [&](logic_op op) {
    return wide{out_.logic_of(op, x, y), a.is_wide ? out_.logic_of(op, old.high, v.high) : value{}};
  };
  switch (a.op) {
    case isa::atomic_op::exch: return v;
    case isa::atomic_op::cas: {
      if (!a.is_wide) return one_word(out_.choose(out_.compare(equal, x, y, false), a.swap.low, x));
      const predicate same = out_.new_predicate();
      compare_wide(equal, old, v, false, same);
      return choose_wide(same, a.swap, old);
    }
    case isa::atomic_op::add: {
      if (a.type == scalar::f64) {
        const word_ref sum = out_.tuple(2);
        out_.emit(opcode::dadd, sum, {in_pair(out_.pair(old.low, old.high)), in_pair(out_.pair(v.low, v.high))}, 2);
        return {reg(sum), reg({sum.reg, 1})};
      }
      if (a.is_wide) return add_wide(old, v);
      if (a.type != scalar::f32) return one_word(out_.add(x, y));
      const word_ref d = out_.word();
      out_.emit(opcode::fadd, d, {x, y});
      return one_word(reg(d));
    }
    case isa::atomic_op::inc:
      return one_word(out_.choose(out_.compare(not_less, x, y, false), zero(), out_.add(x, imm(1))));
    case isa::atomic_op::dec: {
      const value less_one = out_.add(x, imm(0xffffffff));  // 0 - 1 exceeds every limit too
      return one_word(out_.choose(out_.compare(not_less, less_one, y, false), y, less_one));
    }
    case isa::atomic_op::max:
    case isa::atomic_op::min:
      if (a.is_wide) {
        const predicate takes = out_.new_predicate();
        compare_wide(a.op == isa::atomic_op::max ? greater : less, v, old, sign, takes);
        return choose_wide(takes, v, old);
      }
      return one_word(out_.extreme(a.op == isa::atomic_op::max, x, y, sign));
    case isa::atomic_op::and_: return by_words(logic_op::and_);
    case isa::atomic_op::or_: return by_words(logic_op::or_);
    case isa::atomic_op::xor_: return by_words(logic_op::xor_);
  }
  return old;
}

}  // namespace gt200::ptx
