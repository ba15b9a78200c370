// Atomic operations on global memory, and texture fetches.
#include "toolchain/ptx/tesla/lowering.h"

namespace gt200::ptx::tesla {

using isa::data_type;
using isa::tesla::opcode;

bool lowering::lower_atomic(const statement& s) {
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
  const bool result = s.name == "atom";
  const bool swap = *op == isa::atomic_op::cas;
  operand_count((result ? 3u : 2u) + (swap ? 1u : 0u), (result ? 3u : 2u) + (swap ? 1u : 0u));
  const scalar t = type();
  if (is_float(t) || bytes_of(t) < 4) unsupported("only integers of 32 and 64 bits are supported");
  const std::size_t address_at = result ? 1 : 0;
  const state_space space = space_of(at(address_at));
  const bool is_wide = bytes_of(t) == 8;
  if (is_wide && (space != state_space::global || is_signed(t) ||
                  (*op != isa::atomic_op::add && *op != isa::atomic_op::exch && !swap)))
    unsupported("of 64 bits there are add.u64, exch.b64 and cas.b64 on global memory");
  if (space == state_space::shared) {
    lower_shared_atomic(s, *op, t);
    return true;
  }
  if (space != state_space::global) unsupported("only global and shared memory are supported");
  bool is_parameter = false;
  const auto operand_at = [&](std::size_t k) {
    return is_wide ? pair_of(double_pair(at(k), scalar::b64)) : out_.copy(source(at(k), t));
  };
  const value v = operand_at(address_at + 1);
  const value other = swap ? operand_at(address_at + 2) : value{};
  const data_type width = is_wide ? data_type::b64 : data_type::b32;
  const value to = memory_operand(at(address_at), state_space::global, 0, width, is_parameter);
  const word_ref d = out_.tuple(is_wide ? 2 : 1);
  operation& o = out_.emit_wide(opcode::atom_global, d, width, {to, v, other});
  o.code.atomic = *op;
  o.code.is_signed = is_signed(t) && *op != isa::atomic_op::exch && !swap;
  if (guard_.condition >= 0) {
    o.code.condition = condition_true;
    o.condition_in = guard_.condition;
  }
  if (fence_.reg >= 0) {  // an atomic operation has been performed when its result arrives
    operation& seen = out_.emit(opcode::mov, fence_, {reg(d)});
    seen.is_volatile = true;
    if (guard_.condition >= 0) {
      seen.code.condition = condition_true;
      seen.condition_in = guard_.condition;
    }
  }
  if (result && is_wide)
    assign_wide(at(0), words_of(d));
  else if (result)
    assign(at(0), reg(d));
  return true;
}

value lowering::combined(isa::atomic_op op, value old, value v, value other, bool is_signed) {
  const auto choose = [&](const predicate& p, value a, value b) { return out_.choose(p, a, b); };
  switch (op) {
    case isa::atomic_op::add: return out_.add(old, v);
    case isa::atomic_op::exch: return v;
    case isa::atomic_op::cas: return choose(out_.compare(2, old, v, false), other, old);
    case isa::atomic_op::inc: return choose(out_.compare(6, old, v, false), imm(0), out_.add(old, imm(1)));
    case isa::atomic_op::dec: {
      // 0 - 1 exceeds every limit too.
      const value less = out_.add(old, imm(0xffffffff));
      return choose(out_.compare(6, less, v, false), v, less);
    }
    case isa::atomic_op::max: return out_.minimum(opcode::max, old, v, is_signed);
    case isa::atomic_op::min: return out_.minimum(opcode::min, old, v, is_signed);
    case isa::atomic_op::and_: return out_.logic(isa::tesla::logic_op::and_, old, v);
    case isa::atomic_op::or_: return out_.logic(isa::tesla::logic_op::or_, old, v);
    case isa::atomic_op::xor_: return out_.logic(isa::tesla::logic_op::xor_, old, v);
  }
  return old;
}

// Locks the word, changes it, unlocks it. Threads that do not get the lock try again.
void lowering::lower_shared_atomic(const statement& s, isa::atomic_op op, scalar t) {
  const bool result = s.name == "atom";
  const std::size_t address_at = result ? 1 : 0;
  const predicate outer = guard_;
  const int after = out_.add_block();
  const int again = out_.add_block();
  if (outer.condition >= 0) {
    const int inside = out_.add_block();
    out_.branch(outer, true, after, inside, false);
    out_.continue_in(inside);
    guard_ = {};
  }
  const value v = out_.copy(source(at(address_at + 1), t));
  const value other = op == isa::atomic_op::cas ? out_.copy(source(at(address_at + 2), t)) : value{};
  bool is_parameter = false;
  const value word = memory_operand(at(address_at), state_space::shared, 0, data_type::b32, is_parameter);
  out_.jump(again);
  out_.continue_in(again);
  predicate locked;
  locked.condition = out_.condition();
  const word_ref old = out_.word();
  operation& load = out_.emit(opcode::ld_shared, old, {word});
  load.code.lock = true;
  load.condition_out = locked.condition;
  const value changed = combined(op, reg(old), v, other, is_signed(t));
  const value stored = changed.is_immediate() ? out_.copy(changed) : changed;
  operation& store = out_.emit(opcode::st_shared, {}, {word, stored});
  store.code.lock = true;
  store.code.condition = condition_true;
  store.condition_in = locked.condition;
  const int done = out_.add_block();
  out_.branch(locked, true, again, done, false);
  out_.continue_in(done);
  if (result) assign(at(0), reg(old));
  out_.jump(after);
  out_.continue_in(after);
}

bool lowering::lower_texture(const statement& s) {
  if (s.name != "tex") return false;
  const texture_parts t = texture_operands();
  const word_ref quad = out_.tuple(4);
  for (std::size_t k = 0; k < t.coordinates.size(); ++k)
    out_.move({quad.reg, static_cast<std::uint8_t>(k)}, source(t.coordinates[k], scalar::b32));
  operation& o = out_.emit(is_float(type()) ? opcode::tex : opcode::texfetch, quad, {});
  o.code.texture_unit = static_cast<std::uint8_t>(t.texture->offset);
  o.code.texture_arguments = static_cast<std::uint8_t>(t.coordinates.size());
  o.code.texture_write_mask = 0xf;
  for (std::size_t k = 0; k < 4; ++k) assign(t.results[k], reg({quad.reg, static_cast<std::uint8_t>(k)}));
  return true;
}

}  // namespace gt200::ptx::tesla
