#include <map>
#include <optional>

#include "toolchain/ptx/fermi/passes.h"
#include "toolchain/ptx/fermi/writer.h"
#include "toolchain/ptx/machine/unused.h"

namespace gt200::ptx::fermi {
namespace {

using isa::fermi::addend_mode;
using isa::fermi::immediate_form;
using isa::fermi::opcode;
using isa::fermi::operand_kind;

constexpr int rounds = 3;
constexpr int longest_chain = 16;

bool is_float(opcode op) {
  switch (op) {
    case opcode::fmnmx:
    case opcode::fset:
    case opcode::fsetp:
    case opcode::fadd:
    case opcode::rro:
    case opcode::mufu:
    case opcode::f2f:
    case opcode::f2i: return true;
    default: return false;
  }
}

class forwarder {
 public:
  explicit forwarder(machine_function& f) : f_(f), definitions_(f) {}

  void run() {
    for (block& b : f_.blocks)
      for (operation& o : b.code)
        for (std::size_t k = 0; k < o.source.size(); ++k) {
          for (int n = 0; n < longest_chain && forward(o, k); ++n) {
          }
          while (fold_offset(o, k)) {
          }
        }
    for (block& b : f_.blocks)
      for (operation& o : b.code) simplify(o);
  }

 private:
  // The unguarded move that alone writes the word, or null.
  const operation* mover(word_ref r) const {
    const operation* o = definitions_.only(f_, r);
    return o != nullptr && o->code.op == opcode::mov && !o->guarded() ? o : nullptr;
  }
  bool stays(word_ref r) const { return definitions_.never_changes(f_, r); }

  bool forward(operation& o, std::size_t k) const {
    if (o.source[k].reg < 0) return false;
    switch (o.code.source[k].kind) {
      case operand_kind::gpr: break;
      case operand_kind::memory:
      case operand_kind::constant:
        return words_read(o.code.source[k]) == 2 ? forward_pair(o, k) : forward_copy(o, k);
      default: return false;
    }
    if (o.code.source[k].words == 2) return forward_pair(o, k);
    return o.code.source[k].words == 1 && (forward_copy(o, k) || forward_number(o, k));
  }

  bool forward_copy(operation& o, std::size_t k) const {
    const operation* from = mover(o.source[k]);
    if (from == nullptr || !is_copy(*from) || !stays(copied_word(*from))) return false;
    o.source[k] = copied_word(*from);
    return true;
  }

  // An immediate or a constant takes the place of the register, where the operation has a form for that.
  bool forward_number(operation& o, std::size_t k) const {
    const operation* from = mover(o.source[k]);
    if (from == nullptr || from->source[1].reg >= 0) return false;
    const isa::fermi::operand& number = from->code.source[1];
    operation changed = o;
    isa::fermi::operand& s = changed.code.source[k];
    const isa::fermi::operand before = s;
    changed.source[k] = {};
    s = number;
    if (number.kind == operand_kind::immediate) {
      auto bits = static_cast<std::uint32_t>(number.value);
      if (before.invert) bits = ~bits;
      if ((before.absolute || before.negate) && !is_float(o.code.op)) return false;
      if (before.absolute) bits &= 0x7fffffffu;
      if (before.negate) bits ^= 0x80000000u;
      s = imm(bits).code;
      if (bits == 0 && o.code.op != opcode::mov) s = zero().code;
    } else {
      s.negate = before.negate;
      s.absolute = before.absolute;
      s.invert = before.invert;
    }
    if (!encodes_in_some_order(changed)) return false;
    o = changed;
    return true;
  }

  bool forward_pair(operation& o, std::size_t k) const {
    const word_ref low = o.source[k];
    const word_ref high = {low.reg, static_cast<std::uint8_t>(low.word + 1)};
    const operation* from_low = mover(low);
    const operation* from_high = mover(high);
    if (from_low == nullptr || from_high == nullptr) return false;
    if (is_copy(*from_low) && is_copy(*from_high)) {
      const word_ref a = copied_word(*from_low);
      const word_ref b = copied_word(*from_high);
      if (a.reg != b.reg || a.word % 2 != 0 || b.word != a.word + 1 || !stays(a) || !stays(b)) return false;
      o.source[k] = a;
      return true;
    }
    if (o.code.source[k].kind != operand_kind::gpr || from_low->source[1].reg >= 0 || from_high->source[1].reg >= 0)
      return false;
    const isa::fermi::operand& x = from_low->code.source[1];
    const isa::fermi::operand& y = from_high->code.source[1];
    operation changed = o;
    isa::fermi::operand& s = changed.code.source[k];
    const isa::fermi::operand before = s;
    changed.source[k] = {};
    if (x.kind == operand_kind::constant && y.kind == operand_kind::constant && x.bank == y.bank &&
        y.value == x.value + 4) {
      s = x;
    } else if (x.kind == operand_kind::immediate && y.kind == operand_kind::immediate && x.value == 0) {
      s = y;
      s.form = immediate_form::high;
    } else {
      return false;
    }
    s.words = 2;
    s.negate = before.negate;
    s.absolute = before.absolute;
    if (!encodes_in_some_order(changed)) return false;
    o = changed;
    return true;
  }

  const operation* sum_with_number(word_ref r) const {
    const operation* o = definitions_.only(f_, r);
    if (o == nullptr || o->code.op != opcode::iadd || o->guarded() || o->code.saturate ||
        o->code.addend != addend_mode::add || o->code.source[1].kind != operand_kind::immediate ||
        o->source[0].reg < 0 || !stays(o->source[0]))
      return nullptr;
    return o;
  }

  // A sum with a constant becomes part of the operand of an access.
  bool fold_offset(operation& o, std::size_t k) const {
    isa::fermi::operand& s = o.code.source[k];
    if (s.kind != operand_kind::memory || o.source[k].reg < 0) return false;
    const operation* low = sum_with_number(o.source[k]);
    if (low == nullptr) return false;
    const std::int64_t offset = std::int64_t{s.value} + low->code.source[1].value;
    if (offset != static_cast<std::int32_t>(offset)) return false;
    if (s.words == 2) {
      const operation* high = sum_with_number({o.source[k].reg, static_cast<std::uint8_t>(o.source[k].word + 1)});
      const word_ref base = low->source[0];
      if (high == nullptr || high->carry_in < 0 || high->carry_in != low->carry_out || base.word % 2 != 0 ||
          high->source[0] != word_ref{base.reg, static_cast<std::uint8_t>(base.word + 1)} ||
          high->code.source[1].value != (low->code.source[1].value < 0 ? -1 : 0))
        return false;
    } else if (low->carry_in >= 0) {
      return false;
    }
    operation changed = o;
    changed.code.source[k].value = static_cast<std::int32_t>(offset);
    changed.source[k] = low->source[0];
    if (!encodes(changed)) return false;
    o = changed;
    return true;
  }

  static bool is_zero(const operation& o, std::size_t k) {
    const isa::fermi::operand& s = o.code.source[k];
    if (s.kind == operand_kind::immediate) return s.value == 0;
    return s.kind == operand_kind::gpr && o.source[k].reg < 0;
  }

  // Sums with zero are moves; products with powers of two are shifts.
  static void simplify(operation& o) {
    if (o.carry_in >= 0 || o.carry_out >= 0 || o.code.saturate) return;
    const auto becomes_move = [&](std::size_t k) {
      operation move = o;
      move.code.op = opcode::mov;
      move.code.addend = addend_mode::add;
      move.code.source = {};
      move.source = {};
      move.code.source[1] = o.code.source[k];
      move.source[1] = o.source[k];
      if (encodes(move)) o = move;
    };
    if (o.code.op == opcode::iadd && o.code.addend == addend_mode::add) {
      if (is_zero(o, 0)) return becomes_move(1);
      if (is_zero(o, 1)) return becomes_move(0);
    } else if (o.code.op == opcode::imul && !o.code.high && o.code.source[1].kind == operand_kind::immediate) {
      const auto factor = static_cast<std::uint32_t>(o.code.source[1].value);
      if (factor == 0 || (factor & (factor - 1)) != 0) return;
      std::int32_t shift = 0;
      while (factor >> shift != 1) ++shift;
      o.code.op = opcode::shl;
      o.code.source_signed = {};
      o.code.source[1].value = shift;
    }
  }

  machine_function& f_;
  definitions definitions_;
};

class contractor {
 public:
  contractor(machine_function& f, bool floats) : f_(f), definitions_(f), floats_(floats) {}

  void run() {
    for (block& b : f_.blocks)
      for (operation& o : b.code) {
        if (o.code.op == opcode::iadd) {
          if (!contract_product(o)) contract_shift(o);
        } else if (floats_ && (o.code.op == opcode::fadd || o.code.op == opcode::dadd)) {
          contract_float(o);
        }
      }
    block& entry = f_.blocks.front();
    for (const auto& [number, where] : factors_) {
      operation move;
      move.code.op = opcode::mov;
      move.code.destination = reg(where).code;
      move.destination = where;
      move.code.source[1] = imm(static_cast<std::uint32_t>(number)).code;
      entry.code.insert(entry.code.begin(), move);
    }
  }

 private:
  // The operation that makes source k for this reader alone, and can be done at its place.
  const operation* part(const operation& o, std::size_t k, opcode op) const {
    const word_ref r = o.source[k];
    if (r.reg < 0 || o.code.source[k].kind != operand_kind::gpr) return nullptr;
    const operation* made = definitions_.only(f_, r);
    if (made == nullptr || made->code.op != op || made->guarded() || made->carry_in >= 0 || made->carry_out >= 0 ||
        made->destination != r || made->code.destination.words != o.code.source[k].words ||
        definitions_.of(r).reads != 1 || !definitions_.has_values_only(f_, *made))
      return nullptr;
    return made;
  }

  // Replaces the sum, in which the part was source k, unless the hardware has no such form.
  bool accept(operation& o, operation changed) const {
    if (!encodes_in_some_order(changed)) return false;
    o = std::move(changed);
    return true;
  }

  bool contract_product(operation& o) {
    if (o.code.saturate) return false;
    for (const std::size_t k : {0u, 1u}) {
      const operation* product = part(o, k, opcode::imul);
      if (product == nullptr) continue;
      operation joined = o;
      joined.code.op = opcode::imad;
      joined.code.high = product->code.high;
      joined.code.source_signed = product->code.source_signed;
      joined.code.source = {product->code.source[0], product->code.source[1], o.code.source[1 - k]};
      joined.source = {product->source[0], product->source[1], o.source[1 - k]};
      if (k == 1 && o.code.addend == addend_mode::sub)
        joined.code.addend = addend_mode::subr;
      else if (k == 1 && o.code.addend == addend_mode::subr)
        joined.code.addend = addend_mode::sub;
      if (joined.carry_in >= 0 && joined.code.addend != addend_mode::add) continue;
      if (accept(o, joined)) return true;
      if (factor_in_register(joined) && accept(o, joined)) return true;
    }
    return false;
  }

  // An immediate and a constant exclude one another. The factor of such products, the size of an element as a rule,
  // is in a register for the whole kernel.
  bool factor_in_register(operation& o) {
    isa::fermi::operand& factor = o.code.source[1];
    if (factor.kind != operand_kind::immediate || o.code.source[2].kind != operand_kind::constant) return false;
    const auto [known, is_new] = factors_.emplace(factor.value, word_ref{});
    if (is_new) known->second = {f_.add_register(register_class::general), 0};
    factor = reg(known->second).code;
    o.source[1] = known->second;
    return true;
  }

  bool contract_shift(operation& o) const {
    if (o.code.saturate || o.carry_in >= 0 || o.code.addend == addend_mode::add_plus_one) return false;
    for (const std::size_t k : {0u, 1u}) {
      const operation* shifted = part(o, k, opcode::shl);
      if (shifted == nullptr || shifted->code.source[1].kind != operand_kind::immediate) continue;
      const std::int32_t count = shifted->code.source[1].value;
      if (count < 1 || count > 31) continue;
      operation joined = o;
      joined.code.op = opcode::iscadd;
      joined.code.shift = static_cast<std::uint8_t>(count);
      joined.code.source = {shifted->code.source[0], o.code.source[1 - k], {}};
      joined.source = {shifted->source[0], o.source[1 - k], {}};
      if (k == 1 && o.code.addend == addend_mode::sub)
        joined.code.addend = addend_mode::subr;
      else if (k == 1 && o.code.addend == addend_mode::subr)
        joined.code.addend = addend_mode::sub;
      if (encodes(joined)) {
        o = joined;
        return true;
      }
    }
    return false;
  }

  // Only where PTX allows it: neither the sum nor the product says how it is rounded.
  void contract_float(operation& o) const {
    if (!o.may_contract) return;
    const bool is_single = o.code.op == opcode::fadd;
    for (const std::size_t k : {0u, 1u}) {
      const operation* product = part(o, k, is_single ? opcode::fmul : opcode::dmul);
      if (product == nullptr || !product->may_contract || product->code.saturate ||
          product->code.ftz != o.code.ftz || o.code.source[k].absolute || o.code.source[1 - k].absolute)
        continue;
      operation joined = o;
      joined.code.op = is_single ? opcode::ffma : opcode::dfma;
      joined.code.source = {product->code.source[0], product->code.source[1], o.code.source[1 - k]};
      joined.source = {product->source[0], product->source[1], o.source[1 - k]};
      joined.code.negate_product = product->code.negate_product != o.code.source[k].negate;
      if (accept(o, joined)) return;
    }
  }

  machine_function& f_;
  definitions definitions_;
  bool floats_;
  std::map<std::int32_t, word_ref> factors_;
};

}  // namespace

void forward_values(machine_function& f, bool contract) {
  for (int round = 0; round < rounds; ++round) {
    forwarder(f).run();
    remove_unused_operations(f);  // reads by copies do not count
    contractor(f, contract).run();
    remove_unused_operations(f);
  }
}

}  // namespace gt200::ptx::fermi
