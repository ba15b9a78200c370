#include <algorithm>
#include <cmath>
#include <cstring>

#include "toolchain/ptx/machine/unused.h"
#include "toolchain/ptx/tesla/passes.h"
#include "toolchain/ptx/tesla/writer.h"

namespace gt200::ptx::tesla {
namespace {

using isa::tesla::opcode;

// The operation computes a whole register, and nothing but that.
bool computes_word(const operation& o) {
  return o.code.destination.kind == isa::tesla::operand_kind::gpr && !o.code.is_16bit && o.condition_out < 0 &&
         o.expansion == pseudo::none;
}

bool takes_immediate(const operation& o, std::size_t slot) {
  switch (o.code.op) {
    case opcode::mov:
    case opcode::add:
    case opcode::sub:
    case opcode::mul:
    case opcode::mul24:
    case opcode::mad:
    case opcode::set:
    case opcode::min:
    case opcode::max:
    case opcode::logic:
    case opcode::fadd:
    case opcode::fmul:
    case opcode::fmad:
    case opcode::fset:
    case opcode::fmin:
    case opcode::fmax: return true;
    case opcode::addc: return slot == 1;
    case opcode::shl:
    case opcode::shr:  // a constant is shifted by a constant only until fold() has computed the result
      return slot == 1 || (o.code.source[1].kind == isa::tesla::operand_kind::immediate && computes_word(o));
    default: return false;
  }
}

void forward_source(const machine_function& f, const definitions& d, operation& o, std::size_t slot) {
  isa::tesla::operand& s = o.code.source[slot];
  for (int steps = 0; steps < 16; ++steps) {
    word_ref& r = o.source[slot];
    if (r.reg < 0 || f.registers[static_cast<std::size_t>(r.reg)].kind != register_class::general) return;
    const bool plain = s.kind == isa::tesla::operand_kind::gpr && isa::words_of(s.type) == 1;
    if (!plain && s.kind != isa::tesla::operand_kind::global) return;
    const operation* source = d.only(f, r);
    if (source == nullptr || source->code.op != opcode::mov || source->guarded() || source->code.is_16bit) return;
    const isa::tesla::operand& from = source->code.source[0];
    if (from.kind == isa::tesla::operand_kind::immediate && plain && takes_immediate(o, slot) && !s.negate &&
        !s.absolute && !s.invert) {
      std::uint32_t bits = static_cast<std::uint32_t>(from.value);
      if (s.part == isa::tesla::half::low) bits &= 0xffff;
      if (s.part == isa::tesla::half::high) bits >>= 16;
      const value constant = imm(bits);
      s = constant.code;
      r = {};
      return;
    }
    if (!is_copy(*source) || !d.never_changes(f, source->source[0])) return;
    r = source->source[0];
  }
}

// Turns `o` into a move of a constant to its destination, under its guard.
void become_move(operation& o, std::uint32_t bits) {
  const isa::tesla::instruction before = o.code;
  o.code = {};
  o.code.op = opcode::mov;
  o.code.destination = before.destination;
  o.code.condition = before.condition;
  o.code.source[0] = imm(bits).code;
  o.source = {};
}

// Turns `o` into a copy of its first source, if that is a register as it is.
void become_copy(operation& o) {
  const isa::tesla::operand from = o.code.source[0];
  if (from.kind != isa::tesla::operand_kind::gpr || from.invert || from.negate || isa::words_of(from.type) != 1 ||
      from.part != isa::tesla::half::whole)
    return;
  const word_ref word = o.source[0];
  become_move(o, 0);
  o.code.source[0] = from;
  o.source[0] = word;
}

std::uint32_t shifted(const operation& o, std::uint32_t v, std::uint32_t count) {
  const bool negative = o.code.op == opcode::shr && o.code.arithmetic_shift && (v >> 31) != 0;
  if (count >= 32) return negative ? ~0u : 0;
  if (o.code.op == opcode::shl) return v << count;
  return negative ? ~(~v >> count) : v >> count;
}

// If all operands are immediate, turns the operation into a move of the result.
void fold(operation& o) {
  if (o.condition_out >= 0 || o.expansion != pseudo::none) return;
  const auto constant = [&](std::size_t k) { return o.code.source[k].kind == isa::tesla::operand_kind::immediate; };
  const auto bits = [&](std::size_t k) { return static_cast<std::uint32_t>(o.code.source[k].value); };
  const auto becomes = [&](std::uint32_t v) { become_move(o, v); };
  if (o.code.op == opcode::add && !o.code.saturate) {
    if (constant(0) && constant(1)) return becomes(bits(0) + bits(1));
    if (constant(0)) {
      std::swap(o.code.source[0], o.code.source[1]);
      std::swap(o.source[0], o.source[1]);
    }
    if (constant(1) && bits(1) == 0 && o.code.source[0].kind == isa::tesla::operand_kind::gpr) {
      o.code.op = opcode::mov;
      o.code.source[1] = {};
    }
  } else if (o.code.op == opcode::logic && constant(0) && constant(1)) {
    const auto inverted = [&](std::size_t k) { return o.code.source[k].invert ? ~bits(k) : bits(k); };
    becomes(computed(o.code.logic, inverted(0), inverted(1)));
  } else if ((o.code.op == opcode::shl || o.code.op == opcode::shr) && constant(1) && computes_word(o)) {
    if (constant(0)) return becomes(shifted(o, bits(0), bits(1)));
    if (bits(1) == 0) become_copy(o);
  } else if (o.code.op == opcode::logic && constant(1) && computes_word(o)) {
    const std::uint32_t mask = o.code.source[1].invert ? ~bits(1) : bits(1);
    const bool is_and = o.code.logic == isa::tesla::logic_op::and_;
    if (is_and && mask == 0) return becomes(0);
    if (mask == (is_and ? ~0u : 0u) && o.code.logic != isa::tesla::logic_op::mov2) become_copy(o);
  } else if (o.code.op == opcode::sub && constant(0) && constant(1) && !o.code.saturate) {
    becomes(bits(0) - bits(1));
  } else if (o.code.op == opcode::sub && constant(1) && !constant(0) && !o.code.saturate) {
    o.code.op = opcode::add;
    o.code.source[1] = imm(0u - bits(1)).code;
    fold(o);
  }
}

// Folds reciprocals of constants, rounded to nearest, and extensions of constants.
void fold_constant(const machine_function& f, const definitions& d, operation& o) {
  if (o.guarded() || o.condition_out >= 0 || o.source[0].reg < 0 || o.code.source[0].negate ||
      o.code.source[0].absolute)
    return;
  const operation* from = d.only(f, o.source[0]);
  if (from == nullptr || from->code.op != opcode::mov || from->guarded() ||
      from->code.source[0].kind != isa::tesla::operand_kind::immediate)
    return;
  std::uint32_t result = 0;
  if (o.code.op == opcode::rcp) {
    float number = 0;
    std::memcpy(&number, &from->code.source[0].value, sizeof number);
    const float reciprocal = 1.0f / number;
    if (!std::isnormal(number) || !std::isnormal(reciprocal)) return;  // left to the hardware
    std::memcpy(&result, &reciprocal, sizeof result);
  } else if (o.code.op == opcode::cvt && o.code.cvt == isa::tesla::cvt_kind::i2i &&
             isa::bytes_of(o.code.source_type) < 4 && o.code.source_signed[0] &&
             o.code.destination_type == isa::data_type::b32) {
    const int unused = 32 - 8 * isa::bytes_of(o.code.source_type);
    const auto up = static_cast<std::uint32_t>(from->code.source[0].value) << unused;
    result = static_cast<std::uint32_t>(static_cast<std::int32_t>(up) >> unused);
  } else {
    return;
  }
  become_move(o, result);
}

// Contracts a * b + c into one operation if the product has no other use.
void contract_sum(const machine_function& f, const definitions& d, operation& o) {
  if (o.code.op != opcode::fadd || o.rounds_explicitly || o.code.round != isa::tesla::rounding::nearest) return;
  for (const std::size_t k : {0u, 1u}) {
    if (o.source[k].reg < 0 || o.code.source[k].absolute) continue;
    const operation* product = d.only(f, o.source[k]);
    if (product == nullptr || product->code.op != opcode::fmul || product->rounds_explicitly ||
        product->guarded() || product->code.saturate || product->code.round != isa::tesla::rounding::nearest ||
        d.of(o.source[k]).reads != 1)
      continue;
    bool stable = true;
    for (const std::size_t j : {0u, 1u})
      if (product->source[j].reg >= 0 && !d.never_changes(f, product->source[j])) stable = false;
    if (!stable) continue;
    operation joined = o;
    joined.code.op = opcode::fmad;
    joined.code.source = {product->code.source[0], product->code.source[1], o.code.source[1 - k]};
    joined.source = {product->source[0], product->source[1], o.source[1 - k]};
    const bool sign = o.code.source[k].negate != (product->code.source[0].negate != product->code.source[1].negate);
    joined.code.source[0].negate = sign;
    joined.code.source[1].negate = false;
    o = joined;
    return;
  }
}

// The same for integers: a * b + c with 16-bit factors.
void contract_integer_sum(const machine_function& f, const definitions& d, operation& o) {
  if (o.code.op != opcode::add || o.code.saturate || o.code.is_16bit || o.condition_out >= 0) return;
  for (const std::size_t k : {0u, 1u}) {
    if (o.source[k].reg < 0 || o.code.source[k].part != isa::tesla::half::whole) continue;
    const operation* product = d.only(f, o.source[k]);
    if (product == nullptr || product->code.op != opcode::mul || product->expansion != pseudo::none ||
        product->guarded() || product->condition_out >= 0 || product->code.source_signed[0] ||
        product->code.source_signed[1] || d.of(o.source[k]).reads != 1 || !d.has_values_only(f, *product))
      continue;
    operation joined = o;
    joined.code.op = opcode::mad;
    joined.code.source = {product->code.source[0], product->code.source[1], o.code.source[1 - k]};
    joined.source = {product->source[0], product->source[1], o.source[1 - k]};
    o = joined;
    return;
  }
}

unsigned bits_of(std::uint32_t v) {
  unsigned n = 0;
  while (v != 0) {
    ++n;
    v >>= 1;
  }
  return n;
}

// The result n says that the value is below 2^n.
unsigned width_of(const machine_function& f, const definitions& d, const isa::tesla::operand& s, word_ref r,
                  int depth) {
  if (s.kind == isa::tesla::operand_kind::immediate) return bits_of(static_cast<std::uint32_t>(s.value));
  if (s.kind == isa::tesla::operand_kind::shared) {
    return s.type == isa::data_type::u16 ? 16 : s.type == isa::data_type::u8 ? 8 : 32;
  }
  if (s.kind != isa::tesla::operand_kind::gpr || s.part != isa::tesla::half::whole || r.reg < 0 || depth > 8)
    return 32;
  const operation* o = d.only(f, r);
  if (o == nullptr || o->guarded() || o->expansion != pseudo::none) return 32;
  const auto source = [&](std::size_t k) { return width_of(f, d, o->code.source[k], o->source[k], depth + 1); };
  switch (o->code.op) {
    case opcode::mov: return source(0);
    case opcode::ld_shared:
    case opcode::ld_global:
    case opcode::ld_const:
    case opcode::ld_local: {
      const isa::data_type t = o->code.source[0].type;
      return t == isa::data_type::u16 ? 16 : t == isa::data_type::u8 ? 8 : 32;
    }
    case opcode::logic:
      if (o->code.source[0].invert || o->code.source[1].invert) return 32;
      if (o->code.logic == isa::tesla::logic_op::and_) return std::min(source(0), source(1));
      if (o->code.logic == isa::tesla::logic_op::mov2) return source(1);
      return std::max(source(0), source(1));
    case opcode::shr:
      if (o->code.arithmetic_shift || o->code.source[1].kind != isa::tesla::operand_kind::immediate) return 32;
      return source(0) - std::min(source(0), static_cast<unsigned>(o->code.source[1].value));
    case opcode::shl:
      if (o->code.source[1].kind != isa::tesla::operand_kind::immediate) return 32;
      return std::min(32u, source(0) + std::min(32u, static_cast<unsigned>(o->code.source[1].value)));
    case opcode::add: return o->code.saturate ? 32 : std::min(32u, std::max(source(0), source(1)) + 1);
    case opcode::min:
    case opcode::max:
      // Below 2^31, signed and unsigned agree.
      if (source(0) > 31 || source(1) > 31) return 32;
      return o->code.op == opcode::min ? std::min(source(0), source(1)) : std::max(source(0), source(1));
    default: return 32;
  }
}

// Removes an "and" whose mask keeps all bits the value can have.
void drop_mask(const machine_function& f, const definitions& d, operation& o) {
  if (o.code.op != opcode::logic || o.code.logic != isa::tesla::logic_op::and_ || o.condition_out >= 0 ||
      o.code.source[1].kind != isa::tesla::operand_kind::immediate ||
      o.code.source[0].kind != isa::tesla::operand_kind::gpr)
    return;
  const auto mask = static_cast<std::uint32_t>(o.code.source[1].value);
  const unsigned width = width_of(f, d, o.code.source[0], o.source[0], 0);
  if (o.code.source[0].invert || width >= 32 || (~mask & ((1u << width) - 1)) != 0) return;
  o.code.op = opcode::mov;
  o.code.source[1] = {};
}

void expand(machine_function& f, const definitions& d, std::vector<operation>& out, const operation& o) {
  writer w(f);
  const int scratch = w.add_block();
  w.continue_in(scratch);
  w.set_line(o.line);
  value a{o.code.source[0], o.source[0]};
  value b{o.code.source[1], o.source[1]};
  if (a.is_immediate()) std::swap(a, b);
  const unsigned width_a = width_of(f, d, a.code, a.reg, 0);
  const unsigned width_b = width_of(f, d, b.code, b.reg, 0);
  const auto is_power = [](std::uint32_t v) { return v != 0 && (v & (v - 1)) == 0; };
  value result;
  if (a.is_immediate()) {
    result = imm(a.immediate() * b.immediate());
  } else if (b.is_immediate() && (is_power(b.immediate()) || b.immediate() == 0)) {
    result = b.immediate() == 0 ? imm(0) : w.shift_left(a, imm(bits_of(b.immediate()) - 1));
  } else if (width_a <= 16 && width_b <= 16) {
    result = w.multiply16(low_half(a), low_half(b));
  } else if (width_a <= 24 && width_b <= 24) {
    const word_ref t = w.word();
    w.emit(opcode::mul24, t, {a, b});
    result = reg(t);
  } else if (width_b <= 16 || width_a <= 16) {
    if (width_b > 16) std::swap(a, b);
    value high = w.multiply16(high_half(a), low_half(b));
    result = w.multiply_add16(low_half(a), low_half(b), w.shift_left(high, imm(16)));
  } else {
    if (b.is_immediate()) b = w.copy(b);
    value high = w.multiply16(low_half(a), high_half(b));
    high = w.multiply_add16(high_half(a), low_half(b), high);
    result = w.multiply_add16(low_half(a), low_half(b), w.shift_left(high, imm(16)));
  }
  w.move(o.destination, result);
  block& made = f.blocks[static_cast<std::size_t>(scratch)];
  out.insert(out.end(), made.code.begin(), made.code.end());
  f.blocks.pop_back();
}

}  // namespace

void forward_values(machine_function& f, bool contract) {
  for (int round = 0; round < 4; ++round) {
    const definitions d(f);
    for (block& b : f.blocks) {
      for (operation& o : b.code) {
        for (std::size_t k = 0; k < o.source.size(); ++k) forward_source(f, d, o, k);
        drop_mask(f, d, o);
        fold(o);
        fold_constant(f, d, o);
      }
    }
    remove_unused(f);  // reads by copies do not count
    const definitions used(f);
    for (block& b : f.blocks) {
      for (operation& o : b.code) {
        if (contract) contract_sum(f, used, o);
        contract_integer_sum(f, used, o);
      }
    }
  }
}

void expand_multiplications(machine_function& f) {
  const definitions d(f);
  std::vector<std::vector<operation>> made(f.blocks.size());
  for (std::size_t b = 0; b < made.size(); ++b) {
    // By index: expansion adds a scratch block, which may move the blocks.
    for (std::size_t k = 0; k < f.blocks[b].code.size(); ++k) {
      const operation o = f.blocks[b].code[k];
      if (o.expansion == pseudo::multiply)
        expand(f, d, made[b], o);
      else
        made[b].push_back(o);
    }
  }
  for (std::size_t b = 0; b < made.size(); ++b) f.blocks[b].code = std::move(made[b]);
}

void drop_unused_results(operation& o, const std::function<bool(word_ref)>& is_used) {
  const bool flags_used = o.condition_out >= 0 && is_used({o.condition_out, 0});
  bool result_used = false;
  for_each_destination(o, [&](word_ref r) { result_used = result_used || is_used(r); });
  if (!flags_used && o.code.op != opcode::vote_any && o.code.op != opcode::vote_all) o.condition_out = -1;
  if (!result_used && o.destination.reg >= 0) {
    o.destination = {};
    o.code.destination = {};
    o.code.destination.kind = isa::tesla::operand_kind::discard;
  }
}

void remove_unused(machine_function& f) { remove_unused_operations(f); }

}  // namespace gt200::ptx::tesla
