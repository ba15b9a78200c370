#include <algorithm>
#include <stdexcept>
#include <utility>

#include "toolchain/isa/fermi/codec.h"
#include "toolchain/ptx/fermi/passes.h"
#include "toolchain/ptx/fermi/writer.h"

namespace gt200::ptx::fermi {
namespace {

using isa::fermi::immediate_form;
using isa::fermi::opcode;
using isa::fermi::operand_kind;

constexpr std::uint8_t literal_space = cubin::fermi.literal_space;
constexpr std::uint32_t last_literal_offset = 0xfffc;

bool has_float_immediate(opcode op) {
  switch (op) {
    case opcode::fmnmx:
    case opcode::fset:
    case opcode::fsetp:
    case opcode::ffma:
    case opcode::fcmp:
    case opcode::fadd:
    case opcode::fmul:
    case opcode::rro:
    case opcode::f2f:
    case opcode::f2i: return true;
    default: return false;
  }
}

// Mirrors a comparison: what a has to be to b, said of b.
std::uint8_t mirrored(std::uint8_t compare) {
  return static_cast<std::uint8_t>((compare & 10u) | (compare & 1u) << 2 | (compare & 4u) >> 2);
}

// Exchanges the first two sources. False if the result would be another one.
bool exchange_sources(operation& o) {
  isa::fermi::instruction& c = o.code;
  switch (c.op) {
    case opcode::iadd:
      if (c.carry_in || c.addend == isa::fermi::addend_mode::add_plus_one) {
        if (c.addend != isa::fermi::addend_mode::add) return false;
      } else if (c.addend == isa::fermi::addend_mode::sub) {
        c.addend = isa::fermi::addend_mode::subr;
      } else if (c.addend == isa::fermi::addend_mode::subr) {
        c.addend = isa::fermi::addend_mode::sub;
      }
      break;
    case opcode::isetp:
      if (c.carry_in) return false;
      c.compare = mirrored(c.compare);
      break;
    case opcode::fsetp:
    case opcode::dsetp: c.compare = mirrored(c.compare); break;
    case opcode::sel: c.predicate_source[2].negate = !c.predicate_source[2].negate; break;
    case opcode::imul:
    case opcode::imad: std::swap(c.source_signed[0], c.source_signed[1]); break;
    case opcode::lop:
      if (c.logic == isa::fermi::logic_op::second) return false;
      break;
    case opcode::imnmx:
    case opcode::fmnmx:
    case opcode::fadd:
    case opcode::fmul:
    case opcode::ffma:
    case opcode::dadd:
    case opcode::dmul:
    case opcode::dfma:
    case opcode::isad:
    case opcode::popc: break;
    default: return false;
  }
  std::swap(c.source[0], c.source[1]);
  std::swap(o.source[0], o.source[1]);
  return true;
}

class legaliser {
 public:
  explicit legaliser(machine_function& f) : f_(f) {}

  void run() {
    for (block& b : f_.blocks) {
      made_.clear();
      for (operation& o : b.code) {
        fit(o);
        made_.push_back(std::move(o));
      }
      b.code = std::move(made_);
    }
  }

 private:
  void fit(operation& o) {
    if (encodes_in_some_order(o)) return;
    for (const std::size_t k : {1u, 2u, 0u})
      if (o.code.source[k].kind == operand_kind::immediate && to_literal(o, k)) return;
    for (const std::size_t k : {0u, 2u, 1u}) {
      if (!to_register(o, k)) continue;
      if (encodes_in_some_order(o)) return;
    }
    isa::fermi::instruction code = o.code;
    std::string reason;
    encode(code, reason);
    throw std::logic_error("what was made of line " + std::to_string(o.line) + " has no encoding: " + reason);
  }

  bool to_literal(operation& o, std::size_t k) {
    const isa::fermi::operand before = o.code.source[k];
    if (before.words != 1 || (o.code.op != opcode::ffma && o.code.op != opcode::imad)) return false;
    const std::size_t count = f_.literals.size();
    const int offset = literal_offset(f_, static_cast<std::uint32_t>(before.value));
    if (offset < 0) return false;
    o.code.source[k] = constant_word(literal_space, static_cast<std::uint32_t>(offset)).code;
    if (encodes_in_some_order(o)) return true;
    f_.literals.resize(count);
    o.code.source[k] = before;
    return false;
  }

  void move_word(word_ref to, value from, unsigned line) {
    operation move;
    move.line = line;
    move.code.op = opcode::mov;
    move.code.destination.kind = operand_kind::gpr;
    move.destination = to;
    move.code.source[1] = from.code;
    move.source[1] = from.reg;
    made_.push_back(move);
  }

  // Puts an immediate or a constant into a register.
  bool to_register(operation& o, std::size_t k) {
    const isa::fermi::operand s = o.code.source[k];
    if (s.kind != operand_kind::immediate && (s.kind != operand_kind::constant || o.source[k].reg >= 0))
      return false;
    const word_ref t = {f_.add_register(register_class::general, s.words), 0};
    const auto bits = static_cast<std::uint32_t>(s.value);
    for (std::uint8_t w = 0; w < s.words; ++w) {
      value from = imm(bits);
      if (s.kind == operand_kind::constant)
        from = constant_word(s.bank, bits + 4u * w);
      else if (s.words == 2)
        from = s.form == immediate_form::high ? imm(w == 0 ? 0 : bits)
                                              : imm(w == 0        ? bits
                                                    : s.value < 0 ? ~0u
                                                                  : 0u);
      move_word({t.reg, w}, from, o.line);
    }
    value v = reg(t, s.words);
    v.code.negate = s.negate;
    v.code.absolute = s.absolute;
    v.code.invert = s.invert;
    o.code.source[k] = v.code;
    o.source[k] = t;
    return true;
  }

  machine_function& f_;
  std::vector<operation> made_;
};

}  // namespace

isa::fermi::instruction bind(const operation& o, const std::vector<int>& assigned) {
  isa::fermi::instruction code = o.code;
  const auto number = [&](word_ref r) {
    return static_cast<std::uint8_t>(assigned[static_cast<std::size_t>(r.reg)] + r.word);
  };
  if (o.destination.reg >= 0) code.destination.index = number(o.destination);
  for (std::size_t k = 0; k < o.source.size(); ++k)
    if (o.source[k].reg >= 0) code.source[k].index = number(o.source[k]);
  if (o.guard >= 0) code.guard.index = number({o.guard, 0});
  for (std::size_t k = 0; k < o.predicate_in.size(); ++k)
    if (o.predicate_in[k] >= 0) code.predicate_source[k].index = number({o.predicate_in[k], 0});
  for (std::size_t k = 0; k < o.predicate_out.size(); ++k)
    if (o.predicate_out[k] >= 0) code.predicate_destination[k] = number({o.predicate_out[k], 0});
  return code;
}

bool encode(isa::fermi::instruction& code, std::string& reason) {
  isa::fermi::decode_error error;
  const bool floats = has_float_immediate(code.op);
  // Short immediates of floats are their upper bits; those of 32 bits are numbers.
  if (floats)
    for (isa::fermi::operand& s : code.source)
      if (s.kind == operand_kind::immediate) s.form = immediate_form::high;
  if (isa::fermi::encode(code, error)) return true;
  reason = error.reason;
  if (!floats) return false;
  for (isa::fermi::operand& s : code.source)
    if (s.kind == operand_kind::immediate) s.form = immediate_form::integer;
  return isa::fermi::encode(code, error);
}

// Gives each slot a register of its own, a multiple of 4.
bool encodes(const operation& o) {
  operation trial = o;
  const std::vector<int> assigned = {4, 8, 12, 16, 1, 2, 3, 4, 5, 6, 0};
  if (trial.destination.reg >= 0) trial.destination = {0, 0};
  for (std::size_t k = 0; k < 3; ++k) {
    if (trial.source[k].reg >= 0) trial.source[k] = {static_cast<int>(k) + 1, 0};
    if (trial.predicate_in[k] >= 0) trial.predicate_in[k] = static_cast<int>(k) + 4;
  }
  for (std::size_t k = 0; k < 2; ++k)
    if (trial.predicate_out[k] >= 0) trial.predicate_out[k] = static_cast<int>(k) + 7;
  if (trial.guard >= 0) trial.guard = 9;
  isa::fermi::instruction code = fermi::bind(trial, assigned);
  std::string reason;
  return encode(code, reason);
}

bool encodes_in_some_order(operation& o) {
  if (encodes(o)) return true;
  operation other = o;
  if (!exchange_sources(other) || !encodes(other)) return false;
  o = other;
  return true;
}

int literal_offset(machine_function& f, std::uint32_t bits) {
  const auto found = std::find(f.literals.begin(), f.literals.end(), bits);
  const auto offset = static_cast<std::uint32_t>(4 * (found - f.literals.begin()));
  if (offset > last_literal_offset) return -1;
  if (found == f.literals.end()) f.literals.push_back(bits);
  return static_cast<int>(offset);
}

int literal_offset(machine_function& f, std::uint32_t low, std::uint32_t high) {
  for (std::size_t k = 0; k + 1 < f.literals.size(); k += 2)
    if (f.literals[k] == low && f.literals[k + 1] == high) return static_cast<int>(4 * k);
  if (f.literals.size() % 2 != 0) f.literals.push_back(0);
  const auto offset = static_cast<std::uint32_t>(4 * f.literals.size());
  if (offset + 4 > last_literal_offset) return -1;
  f.literals.push_back(low);
  f.literals.push_back(high);
  return static_cast<int>(offset);
}

void legalise(machine_function& f) { legaliser(f).run(); }

}  // namespace gt200::ptx::fermi
