// Forwards copies, constants and immediates to where they are read. The namespace of a target has
//
//   takes_float_bits(operation)        the sign of an immediate source is a bit of it
//   negates_integer(operation)         a minus before a source that is an immediate becomes part of it
//   encodes_in_some_order(operation)   (machine/operation.h)
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "toolchain/ptx/machine/definitions.h"
#include "toolchain/ptx/machine/operation.h"
#include "toolchain/ptx/machine/word_writer.h"

namespace gt200::ptx {

// A target derives its pass from this class, and adds what it folds and simplifies.
template <class function>
class value_forwarder {
 public:
  using operation = typename function::operation;
  using opcode = typename operation::opcode;
  using operand = typename operation::operand;
  using kind = typename operation::kind;
  using value = basic_value<operand>;

  explicit value_forwarder(function& f) : f_(f), definitions_(f) {}
  virtual ~value_forwarder() = default;
  value_forwarder(const value_forwarder&) = delete;
  value_forwarder& operator=(const value_forwarder&) = delete;

  void run() {
    constexpr int longest_chain = 16;
    for (auto& b : f_.blocks)
      for (operation& o : b.code)
        for (std::size_t k = 0; k < o.source.size(); ++k) {
          for (int n = 0; n < longest_chain && forward(o, k); ++n) {
          }
          while (fold_offset(o, k)) {
          }
        }
    for (auto& b : f_.blocks)
      for (operation& o : b.code) simplify(o);
  }

 protected:
  // A sum with a constant becomes part of the operand of an access.
  virtual bool fold_offset(operation& o, std::size_t k) const = 0;
  virtual void simplify(operation& o) const = 0;

  // The unguarded move that alone writes the word, or null.
  const operation* mover(word_ref r) const {
    const operation* o = definitions_.only(f_, r);
    return o != nullptr && o->code.op == opcode::mov && !o->guarded() ? o : nullptr;
  }
  bool stays(word_ref r) const { return definitions_.never_changes(f_, r); }

  static bool is_zero(const operation& o, std::size_t k) {
    const operand& s = o.code.source[k];
    if (s.kind == kind::immediate) return s.value == 0;
    return s.kind == kind::gpr && o.source[k].reg < 0;
  }

  function& f_;
  basic_definitions<function> definitions_;

 private:
  bool forward(operation& o, std::size_t k) const {
    if (o.source[k].reg < 0) return zero_from_register(o, k);
    switch (o.code.source[k].kind) {
      case kind::gpr: break;
      case kind::memory:
      case kind::constant: return words_read(o.code.source[k]) == 2 ? forward_pair(o, k) : forward_copy(o, k);
      default: return false;
    }
    if (o.code.source[k].words == 2) return forward_pair(o, k);
    return o.code.source[k].words == 1 && (forward_copy(o, k) || forward_number(o, k));
  }

  // The register that reads as zero leaves room for a constant beside it.
  bool zero_from_register(operation& o, std::size_t k) const {
    const operand& s = o.code.source[k];
    if (o.code.op != opcode::ffma || s.kind != kind::immediate || s.value != 0 || s.negate || s.absolute)
      return false;
    operation changed = o;
    changed.code.source[k] = value::of({}).code;
    if (!encodes_in_some_order(changed)) return false;
    o = changed;
    return true;
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
    const operand& number = from->code.source[1];
    operation changed = o;
    operand& s = changed.code.source[k];
    const operand before = s;
    changed.source[k] = {};
    s = number;
    if (number.kind == kind::immediate) {
      auto bits = static_cast<std::uint32_t>(number.value);
      bool keeps_minus = false;
      if (before.invert) bits = ~bits;
      if ((before.absolute || before.negate) && !takes_float_bits(o)) {
        if (before.absolute || !negates_integer(o)) return false;
        bits = 0u - bits;
        // A difference carries where nothing is borrowed: -0 is no 0 to the carry.
        keeps_minus = o.predicate_out[0] >= 0 || o.predicate_out[1] >= 0;
      } else {
        if (before.absolute) bits &= 0x7fffffffu;
        if (before.negate) bits ^= 0x80000000u;
      }
      s = value::number(bits).code;
      if (bits == 0 && o.code.op != opcode::mov) {
        s = value::of({}).code;
        s.negate = keeps_minus;
      }
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
    if (o.code.source[k].kind != kind::gpr || from_low->source[1].reg >= 0 || from_high->source[1].reg >= 0)
      return false;
    const operand& x = from_low->code.source[1];
    const operand& y = from_high->code.source[1];
    operation changed = o;
    operand& s = changed.code.source[k];
    const operand before = s;
    changed.source[k] = {};
    if (x.kind == kind::constant && y.kind == kind::constant && x.bank == y.bank && y.value == x.value + 4) {
      s = x;
    } else if (x.kind == kind::immediate && y.kind == kind::immediate && x.value == 0) {
      s = y;
      s.form = decltype(s.form)::high;
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
};

// The part of a sum that a target contracts with it.
template <class function>
class part_finder {
 public:
  using operation = typename function::operation;
  using opcode = typename operation::opcode;
  using kind = typename operation::kind;

  explicit part_finder(function& f) : f_(f), definitions_(f) {}

 protected:
  // The operation that makes source k for this reader alone, and can be done at its place.
  const operation* part(const operation& o, std::size_t k, opcode op) const {
    const word_ref r = o.source[k];
    if (r.reg < 0 || o.code.source[k].kind != kind::gpr) return nullptr;
    const operation* made = definitions_.only(f_, r);
    if (made == nullptr || made->code.op != op || made->guarded() || made->carry_in >= 0 || made->carry_out >= 0 ||
        made->destination != r || made->code.destination.words != o.code.source[k].words ||
        definitions_.of(r).reads != 1 || !reads_the_same_at(o, *made, definitions_.of(r).in_block))
      return nullptr;
    for (const int p : made->predicate_in)
      if (p >= 0) return nullptr;
    for (const int p : made->predicate_out)
      if (p >= 0) return nullptr;
    return made;
  }

  // Whether the sources of the part, an operation of this block, hold the same where the sum stands: they never
  // change, or nothing does so on the short way there.
  bool reads_the_same_at(const operation& sum, const operation& part, int in_block) const {
    if (definitions_.has_values_only(f_, part)) return true;
    constexpr std::ptrdiff_t longest_way = 32;  // operations
    const auto& code = f_.blocks[static_cast<std::size_t>(in_block)].code;
    const std::less<const operation*> before;
    const operation* const end = code.data() + code.size();
    if (before(&sum, &part) || !before(&sum, end) || &sum - &part > longest_way) return false;
    bool same = true;
    for (const operation* between = &part; between != &sum; ++between)
      for_each_definition(*between,
                          [&](word_ref d) { for_each_use(part, [&](word_ref u) { same = same && u != d; }); });
    return same;
  }

  // Replaces the sum, in which the part was source k, unless the hardware has no such form.
  bool accept(operation& o, operation changed) const {
    if (!encodes_in_some_order(changed)) return false;
    o = std::move(changed);
    return true;
  }

  // Only where PTX allows it: neither the sum nor the product says how it is rounded.
  const operation* product_of(const operation& o, std::size_t k, opcode multiply) const {
    const operation* product = part(o, k, multiply);
    if (product == nullptr || !o.may_contract || !product->may_contract || product->code.saturate ||
        product->code.ftz != o.code.ftz || o.code.source[k].absolute || o.code.source[1 - k].absolute)
      return nullptr;
    return product;
  }

  function& f_;
  basic_definitions<function> definitions_;
};

}  // namespace gt200::ptx
