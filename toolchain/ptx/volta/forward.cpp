#include "toolchain/ptx/machine/forward.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "toolchain/ptx/machine/unused.h"
#include "toolchain/ptx/volta/passes.h"
#include "toolchain/ptx/volta/writer.h"

namespace gt200::ptx::volta {
namespace {

using isa::volta::opcode;
using isa::volta::operand_kind;

constexpr int rounds = 3;

// A sum of words without a carry.
bool is_plain_sum(const operation& o) {
  return o.code.op == opcode::iadd3 && !o.code.extended && o.predicate_out[0] < 0 && o.predicate_out[1] < 0;
}

bool is_zero_at(const operation& o, std::size_t k) {
  const isa::volta::operand& s = o.code.source[k];
  return s.kind == operand_kind::immediate ? s.value == 0 : s.kind == operand_kind::gpr && o.source[k].reg < 0;
}

class forwarder final : public value_forwarder<machine_function> {
 public:
  using value_forwarder::value_forwarder;

 private:
  // x + number; of a pair its lower sum.
  const operation* sum_with_number(word_ref r) const {
    const operation* o = definitions_.only(f_, r);
    if (o == nullptr || o->code.op != opcode::iadd3 || o->guarded() || o->source[0].reg < 0 ||
        !stays(o->source[0]) || o->code.source[0].negate || o->code.source[0].invert || !is_zero(*o, 2))
      return nullptr;
    return o;
  }

  bool fold_offset(operation& o, std::size_t k) const override {
    isa::volta::operand& s = o.code.source[k];
    if (s.kind != operand_kind::memory || o.source[k].reg < 0) return false;
    const operation* low = sum_with_number(o.source[k]);
    if (low == nullptr || low->code.extended || low->code.source[1].kind != operand_kind::immediate) return false;
    const std::int32_t number = low->code.source[1].value;
    const std::int64_t offset = std::int64_t{s.value} + number;
    if (offset != static_cast<std::int32_t>(offset)) return false;
    if (s.words == 2) {
      const operation* high = sum_with_number({o.source[k].reg, static_cast<std::uint8_t>(o.source[k].word + 1)});
      const word_ref base = low->source[0];
      const auto sign_fits = [&] {
        return number < 0 ? high->code.source[1].kind == operand_kind::immediate && high->code.source[1].value == -1
                          : is_zero(*high, 1);
      };
      if (high == nullptr || !high->code.extended || high->predicate_in[0] < 0 ||
          high->predicate_in[0] != low->predicate_out[0] || base.word % 2 != 0 ||
          high->source[0] != word_ref{base.reg, static_cast<std::uint8_t>(base.word + 1)} || !sign_fits())
        return false;
    } else if (low->predicate_out[0] >= 0) {
      return false;
    }
    operation changed = o;
    changed.code.source[k].value = static_cast<std::int32_t>(offset);
    changed.source[k] = low->source[0];
    if (!encodes(changed)) return false;
    o = changed;
    return true;
  }

  // Sums with zero are moves; products with powers of two are shifts.
  void simplify(operation& o) const override {
    if (is_plain_sum(o) && is_zero(o, 2)) {
      for (const std::size_t k : {0u, 1u}) {
        const isa::volta::operand& s = o.code.source[k];
        if (!is_zero(o, 1 - k) || s.negate || s.invert) continue;
        operation move = o;
        move.code.op = opcode::mov;
        move.code.source = {};
        move.source = {};
        move.code.source[1] = s;
        move.source[1] = o.source[k];
        if (encodes(move)) o = move;
        return;
      }
    } else if (o.code.op == opcode::imad && is_zero(o, 2) && o.predicate_out[0] < 0 &&
               o.code.source[1].kind == operand_kind::immediate) {
      const auto factor = static_cast<std::uint32_t>(o.code.source[1].value);
      if (factor == 0 || (factor & (factor - 1)) != 0) return;
      std::int32_t shift = 0;
      while (factor >> shift != 1) ++shift;
      o.code.op = opcode::shf;
      o.code.source_type = isa::volta::number_type::u32;
      o.code.source[1].value = shift;
    }
  }
};

class contractor final : part_finder<machine_function> {
 public:
  contractor(machine_function& f, bool floats) : part_finder(f), floats_(floats) {
    const auto count = [&](int reg) {
      if (reg < 0) return;
      uses_.resize(std::max(uses_.size(), static_cast<std::size_t>(reg) + 1));
      ++uses_[static_cast<std::size_t>(reg)];
    };
    for (const block& b : f.blocks) {
      for (const operation& o : b.code) for_each_use(o, [&](word_ref r) { count(r.reg); });
      if (b.end == ending::branch) count(b.condition);
    }
  }

  void run() {
    for (block& b : f_.blocks)
      for (std::size_t k = 0; k < b.code.size(); ++k) {
        operation& o = b.code[k];
        if (o.code.op == opcode::iadd3) {
          if (k + 1 < b.code.size() && contract_wide_product(o, b.code[k + 1])) continue;
          if (is_plain_sum(o) && is_zero_at(o, 2) && !contract_product(o) && !contract_shift(o)) contract_sum(o);
        } else if (o.code.op == opcode::lop3) {
          contract_logic(o);
        } else if (floats_ && (o.code.op == opcode::fadd || o.code.op == opcode::dadd)) {
          contract_float(o);
        }
      }
    block& entry = f_.blocks.front();
    for (const auto& [number, where] : factors_) {
      operation move;
      move.code.op = opcode::mov;
      move.code.destination = value::of(where).code;
      move.destination = where;
      move.code.source[1] = value::number(static_cast<std::uint32_t>(number)).code;
      entry.code.insert(entry.code.begin(), move);
    }
  }

 private:
  static bool has_sign(const isa::volta::operand& s) { return s.negate || s.invert; }

  // An immediate and a constant exclude one another. The factor of such products, the size of an element as a rule,
  // is in a register for the whole kernel.
  void factor_in_register(operation& o) {
    isa::volta::operand& factor = o.code.source[1];
    if (factor.kind != operand_kind::immediate || o.code.source[2].kind != operand_kind::constant) return;
    const auto [known, is_new] = factors_.emplace(factor.value, word_ref{});
    if (is_new) known->second = {f_.add_register(register_class::general), 0};
    factor = value::of(known->second).code;
    o.source[1] = known->second;
  }

  bool contract_product(operation& o) {
    for (const std::size_t k : {0u, 1u}) {
      const operation* product = has_sign(o.code.source[k]) ? nullptr : part(o, k, opcode::imad);
      if (product == nullptr || product->code.extended || !is_zero_at(*product, 2)) continue;
      operation joined = *product;
      joined.line = o.line;
      joined.guard = o.guard;
      joined.code.guard = o.code.guard;
      joined.destination = o.destination;
      joined.code.source[2] = o.code.source[1 - k];
      joined.source[2] = o.source[1 - k];
      if (accept(o, joined)) return true;
      if (joined.code.source[1].kind == operand_kind::immediate &&
          joined.code.source[2].kind == operand_kind::constant) {
        factor_in_register(joined);
        if (accept(o, joined)) return true;
      }
    }
    return false;
  }

  bool contract_shift(operation& o) const {
    for (const std::size_t k : {0u, 1u}) {
      const operation* shifted = part(o, k, opcode::shf);
      if (shifted == nullptr || shifted->code.right || shifted->code.high || !is_zero_at(*shifted, 2) ||
          shifted->code.source[1].kind != operand_kind::immediate ||
          shifted->code.source_type != isa::volta::number_type::u32 || shifted->source[0].reg < 0)
        continue;
      const std::int32_t count = shifted->code.source[1].value;
      if (count < 1 || count > 31) continue;
      operation joined = o;
      joined.code.op = opcode::lea;
      joined.code.shift = static_cast<std::uint8_t>(count);
      joined.code.source = {shifted->code.source[0], o.code.source[1 - k], {}};
      joined.code.source[0].negate = o.code.source[k].negate;
      joined.source = {shifted->source[0], o.source[1 - k], {}};
      if (!encodes(joined)) continue;
      o = joined;
      return true;
    }
    return false;
  }

  bool contract_sum(operation& o) const {
    for (const std::size_t k : {0u, 1u}) {
      const operation* sum = has_sign(o.code.source[k]) ? nullptr : part(o, k, opcode::iadd3);
      if (sum == nullptr || !is_plain_sum(*sum) || !is_zero_at(*sum, 2)) continue;
      operation joined = o;
      joined.code.source = {sum->code.source[0], sum->code.source[1], o.code.source[1 - k]};
      joined.source = {sum->source[0], sum->source[1], o.source[1 - k]};
      if (accept(o, joined)) return true;
    }
    return false;
  }

  // (a op b) op c, as one table. The outer operation has two inputs, the inner one too.
  void contract_logic(operation& o) const {
    if (!is_zero_at(o, 2) || o.predicate_out[0] >= 0) return;
    for (const std::size_t k : {0u, 1u}) {
      const operation* inner = part(o, k, opcode::lop3);
      if (inner == nullptr || !is_zero_at(*inner, 2)) continue;
      std::uint8_t table = 0;
      for (unsigned bits = 0; bits < 8; ++bits) {
        const unsigned of_inner = inner->code.lut[0] >> (bits & 6) & 1;  // c is zero
        const unsigned other = bits & 1;
        const unsigned index = k == 0 ? of_inner << 2 | other << 1 : other << 2 | of_inner << 1;
        table = static_cast<std::uint8_t>(table | (o.code.lut[0] >> index & 1) << bits);
      }
      operation joined = o;
      joined.code.lut[0] = table;
      joined.code.source = {inner->code.source[0], inner->code.source[1], o.code.source[1 - k]};
      joined.source = {inner->source[0], inner->source[1], o.source[1 - k]};
      if (accept(o, joined)) return;
    }
  }

  // a * b + pair: the two sums of a pair and a wide product.
  bool contract_wide_product(operation& low, operation& high) {
    const int carry = low.predicate_out[0];
    if (carry < 0 || low.guarded() || high.guarded() || low.code.extended || !high.code.extended ||
        high.code.op != opcode::iadd3 || high.predicate_in[0] != carry || high.code.predicate_source[0].negate ||
        high.predicate_out[0] >= 0 || high.predicate_in[1] >= 0 || low.destination.reg < 0 ||
        low.destination.word % 2 != 0 ||
        high.destination != word_ref{low.destination.reg, static_cast<std::uint8_t>(low.destination.word + 1)} ||
        !is_zero_at(low, 2) || !is_zero_at(high, 2) || uses_[static_cast<std::size_t>(carry)] != 1)
      return false;
    for (const std::size_t k : {0u, 1u}) {
      const word_ref r = low.source[k];
      const word_ref upper = {r.reg, static_cast<std::uint8_t>(r.word + 1)};
      if (r.reg < 0 || r.word % 2 != 0 || has_sign(low.code.source[k]) || has_sign(low.code.source[1 - k]))
        continue;
      const operation* product = definitions_.only(f_, r);
      if (product == nullptr || product->code.op != opcode::imad_wide || product->guarded() ||
          product->code.extended || product->destination != r || !is_zero_at(*product, 2) ||
          !definitions_.is_value(upper) || definitions_.of(r).reads != 1 || definitions_.of(upper).reads != 1 ||
          !reads_the_same_at(low, *product, definitions_.of(r).in_block))
        continue;
      const std::size_t in_high = high.source[0] == upper ? 0 : 1;
      if (high.source[in_high] != upper || has_sign(high.code.source[1 - in_high])) continue;
      operation joined = *product;
      joined.line = low.line;
      joined.destination = low.destination;
      if (!pair_of(low, 1 - k, high, 1 - in_high, joined)) continue;
      factor_in_register(joined);
      if (!encodes_in_some_order(joined)) continue;
      low = joined;
      high.code = {};
      high.code.op = opcode::nop;
      high.destination = {};
      high.source = {};
      high.predicate_in = {-1, -1, -1};
      return true;
    }
    return false;
  }

  // The other terms of the two sums as one pair.
  static bool pair_of(const operation& low, std::size_t in_low, const operation& high, std::size_t in_high,
                      operation& joined) {
    const isa::volta::operand& x = low.code.source[in_low];
    const isa::volta::operand& y = high.code.source[in_high];
    const word_ref a = low.source[in_low];
    const word_ref b = high.source[in_high];
    if (x.kind == operand_kind::constant && y.kind == operand_kind::constant && a.reg < 0 && b.reg < 0 &&
        x.bank == y.bank && y.value == x.value + 4 && x.value % 8 == 0) {
      joined.code.source[2] = x;
      joined.source[2] = {};
    } else if (x.kind == operand_kind::gpr && y.kind == operand_kind::gpr && a.reg >= 0 && a.reg == b.reg &&
               a.word % 2 == 0 && b.word == a.word + 1) {
      joined.code.source[2] = x;
      joined.source[2] = a;
    } else {
      return false;
    }
    joined.code.source[2].words = 2;
    return true;
  }

  void contract_float(operation& o) const {
    const bool is_single = o.code.op == opcode::fadd;
    for (const std::size_t k : {0u, 1u}) {
      const operation* product = product_of(o, k, is_single ? opcode::fmul : opcode::dmul);
      if (product == nullptr) continue;
      operation joined = o;
      joined.code.op = is_single ? opcode::ffma : opcode::dfma;
      joined.code.source = {product->code.source[0], product->code.source[1], o.code.source[1 - k]};
      joined.source = {product->source[0], product->source[1], o.source[1 - k]};
      // A minus before the product is one before a factor in a register.
      if (o.code.source[k].negate) {
        const std::size_t factor = joined.code.source[0].kind == operand_kind::gpr ? 0 : 1;
        joined.code.source[factor].negate = !joined.code.source[factor].negate;
      }
      if (accept(o, joined)) return;
    }
  }

  bool floats_;
  std::vector<unsigned> uses_;  // of every register at the beginning: a carry loses its only one alone
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

}  // namespace gt200::ptx::volta
