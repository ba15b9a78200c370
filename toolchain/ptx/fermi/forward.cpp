#include <map>

#include "toolchain/ptx/fermi/passes.h"
#include "toolchain/ptx/fermi/writer.h"
#include "toolchain/ptx/machine/forward.h"
#include "toolchain/ptx/machine/unused.h"

namespace gt200::ptx::fermi {
namespace {

using isa::fermi::addend_mode;
using isa::fermi::opcode;
using isa::fermi::operand_kind;

constexpr int rounds = 3;

class forwarder final : public value_forwarder<machine_function> {
 public:
  using value_forwarder::value_forwarder;

 private:
  const operation* sum_with_number(word_ref r) const {
    const operation* o = definitions_.only(f_, r);
    if (o == nullptr || o->code.op != opcode::iadd || o->guarded() || o->code.saturate ||
        o->code.addend != addend_mode::add || o->code.source[1].kind != operand_kind::immediate ||
        o->source[0].reg < 0 || !stays(o->source[0]))
      return nullptr;
    return o;
  }

  // A sum with a constant becomes part of the operand of an access.
  bool fold_offset(operation& o, std::size_t k) const override {
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

  // Sums with zero are moves; products with powers of two are shifts.
  void simplify(operation& o) const override {
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
};

class contractor final : part_finder<machine_function> {
 public:
  contractor(machine_function& f, bool floats) : part_finder(f), floats_(floats) {}

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
      move.code.destination = value::of(where).code;
      move.destination = where;
      move.code.source[1] = value::number(static_cast<std::uint32_t>(number)).code;
      entry.code.insert(entry.code.begin(), move);
    }
  }

 private:
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
    factor = value::of(known->second).code;
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

  void contract_float(operation& o) const {
    const bool is_single = o.code.op == opcode::fadd;
    for (const std::size_t k : {0u, 1u}) {
      const operation* product = product_of(o, k, is_single ? opcode::fmul : opcode::dmul);
      if (product == nullptr) continue;
      operation joined = o;
      joined.code.op = is_single ? opcode::ffma : opcode::dfma;
      joined.code.source = {product->code.source[0], product->code.source[1], o.code.source[1 - k]};
      joined.source = {product->source[0], product->source[1], o.source[1 - k]};
      joined.code.negate_product = product->code.negate_product != o.code.source[k].negate;
      if (accept(o, joined)) return;
    }
  }

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
