#include <algorithm>
#include <stdexcept>

#include "toolchain/error.h"
#include "toolchain/isa/tesla/codec.h"
#include "toolchain/ptx/tesla/passes.h"
#include "toolchain/ptx/tesla/writer.h"

namespace gt200::ptx::tesla {
namespace {

using isa::tesla::opcode;

constexpr int last_literal_offset = 4 * 127;  // reach of a c[] operand

bool commutes(const operation& o) {
  switch (o.code.op) {
    case opcode::add:
    case opcode::addc:
    case opcode::mul:
    case opcode::mul24:
    case opcode::mad:
    case opcode::min:
    case opcode::max:
    case opcode::fadd:
    case opcode::fmul:
    case opcode::fmad:
    case opcode::fmin:
    case opcode::fmax: return true;
    case opcode::logic: return o.code.logic != isa::tesla::logic_op::mov2;
    default: return false;
  }
}

operation swapped(const operation& o) {
  operation s = o;
  std::swap(s.code.source[0], s.code.source[1]);
  std::swap(s.source[0], s.source[1]);
  std::swap(s.code.source_signed[0], s.code.source_signed[1]);
  if (o.code.op == opcode::sub) s.code.op = opcode::subr;
  // Mirrors a comparison: less <-> greater.
  if (o.code.op == opcode::set || o.code.op == opcode::fset)
    s.code.compare = static_cast<std::uint8_t>((o.code.compare & 0xau) | (o.code.compare & 1u) << 2 |
                                               (o.code.compare & 4u) >> 2);
  return s;
}

bool can_swap(const operation& o) {
  return commutes(o) || o.code.op == opcode::set || o.code.op == opcode::fset || o.code.op == opcode::sub;
}

class legaliser {
 public:
  legaliser(machine_function& f, bool fold) : f_(f), fold_(fold) {
    if (!fold_) return;
    writes_.resize(f.registers.size() * 4);
    reads_.resize(f.registers.size() * 4);
    sources_.resize(f.registers.size() * 4);
    for (const block& b : f.blocks)
      for (const operation& o : b.code) {
        for_each_source(o, [&](word_ref r) { ++reads_[unit(r)]; });
        for_each_destination(o, [&](word_ref r) {
          ++writes_[unit(r)];
          sources_[unit(r)] = o;
        });
      }
  }

  void run() {
    for (block& b : f_.blocks) {
      made_.clear();
      for (const operation& o : b.code) {
        legalise_one(o);
        if (fold_) fold_shared(made_.back());
      }
      b.code = made_;
    }
  }

 private:
  static std::size_t unit(word_ref r) { return static_cast<std::size_t>(r.reg) * 4 + r.word; }

  // The s[] parameter or c[] constant that source k always holds, or half of which it holds, or nullptr.
  const operation* memory_source(const operation& o, std::size_t k) const {
    const word_ref r = o.source[k];
    if (!fold_ || r.reg < 0 || unit(r) >= writes_.size() || writes_[unit(r)] != 1) return nullptr;
    if (o.code.source[k].kind != isa::tesla::operand_kind::gpr) return nullptr;
    const operation& from = sources_[unit(r)];
    const bool parameter =
        from.reads_parameter && (from.code.op == opcode::mov || from.code.op == opcode::ld_shared);
    const bool constant = from.code.op == opcode::ld_const && from.code.source[0].index != 14 &&
                          from.code.source[0].type == isa::data_type::b32;
    if ((!parameter && !constant) || from.guarded() || from.source[0].reg >= 0) return nullptr;
    const bool is_half = o.code.source[k].part != isa::tesla::half::whole;
    if (is_half ? from.code.source[0].type != isa::data_type::b32 : isa::words_of(o.code.source[k].type) != 1)
      return nullptr;
    return &from;
  }

  // The operand in memory instead of the one in a register; half of it if that is half of the register.
  static isa::tesla::operand memory_operand(const isa::tesla::operand& memory, const isa::tesla::operand& before) {
    isa::tesla::operand s = memory;
    if (before.part != isa::tesla::half::whole) {
      s.type = before.type;
      if (before.part == isa::tesla::half::high) s.value += 2;
    }
    s.negate = before.negate;
    s.absolute = before.absolute;
    s.invert = before.invert;
    return s;
  }

  void fold_memory(operation& o) {
    for (std::size_t k = 0; k < 3; ++k) {
      const operation* from = memory_source(o, k);
      if (from == nullptr || o.code.op == opcode::mov) continue;
      operation trial = o;
      trial.code.source[k] = memory_operand(from->code.source[0], o.code.source[k]);
      trial.source[k] = {};
      if (has_memory_operand(o)) continue;
      trial.reads_parameter = from->reads_parameter;
      if (encodes(trial)) {
        o = trial;
      } else if (can_swap(trial) && k < 2 && encodes(swapped(trial))) {
        o = swapped(trial);
      }
    }
  }

  static bool has_operand(const operation& o, isa::tesla::operand_kind kind) {
    return std::any_of(o.code.source.begin(), o.code.source.end(),
                       [kind](const isa::tesla::operand& s) { return s.kind == kind; });
  }
  static bool has_memory_operand(const operation& o) {
    return has_operand(o, isa::tesla::operand_kind::shared) || has_operand(o, isa::tesla::operand_kind::constant);
  }

  // True for operations that a load of shared memory must not pass: stores, barriers and locks.
  static bool orders_shared(const operation& o) {
    switch (o.code.op) {
      case opcode::st_shared:
      case opcode::bar: return true;
      case opcode::ld_shared: return o.code.lock;
      default: return false;
    }
  }

  // A word of shared memory that was loaded in this block for this operation alone becomes an operand of it. It may
  // stand beside one in c[] (nouveau's code generator for this hardware allows both).
  void fold_shared(operation& o) {
    if (o.guarded() || has_operand(o, isa::tesla::operand_kind::shared) || o.code.op == opcode::mov) return;
    for (std::size_t k = 0; k < 3; ++k) {
      const word_ref r = o.source[k];
      if (r.reg < 0 || unit(r) >= writes_.size() || writes_[unit(r)] != 1 || reads_[unit(r)] != 1 ||
          o.code.source[k].kind != isa::tesla::operand_kind::gpr ||
          o.code.source[k].part != isa::tesla::half::whole || isa::words_of(o.code.source[k].type) != 1)
        continue;
      for (std::size_t at = made_.size() - 1; at-- > 0;) {
        const operation& load = made_[at];
        if (load.destination == r) {
          if (address_changes_behind(at) || !fold_load(o, k, load)) break;
          made_.erase(made_.begin() + static_cast<std::ptrdiff_t>(at));
          return;
        }
        if (orders_shared(load) || (load.is_volatile && is_load(load))) break;
      }
    }
  }

  // True if an operation between the load at this place and the last one moves its address register on.
  bool address_changes_behind(std::size_t at) const {
    const int address = made_[at].source[0].reg;
    return address >= 0 && std::any_of(made_.begin() + static_cast<std::ptrdiff_t>(at) + 1, made_.end() - 1,
                                       [&](const operation& o) { return o.destination.reg == address; });
  }

  static bool fold_load(operation& o, std::size_t k, const operation& load) {
    const bool reads_shared = load.code.op == opcode::ld_shared || load.code.op == opcode::mov;
    const isa::tesla::operand& word = load.code.source[0];
    if (!reads_shared || word.kind != isa::tesla::operand_kind::shared || load.guarded() || load.code.lock)
      return false;
    operation trial = o;
    isa::tesla::operand& s = trial.code.source[k];
    const isa::tesla::operand before = s;
    s = word;
    s.negate = before.negate;
    s.absolute = before.absolute;
    s.invert = before.invert;
    trial.source[k] = load.source[0];
    trial.is_volatile = o.is_volatile || load.is_volatile;
    if (encodes(trial)) {
      o = trial;
      return true;
    }
    if (k < 2 && can_swap(trial) && encodes(swapped(trial))) {
      o = swapped(trial);
      return true;
    }
    return false;
  }

  void legalise_one(operation o) {
    if (o.code.op == opcode::ld_shared && !o.code.lock) {
      operation direct = o;
      direct.code.op = opcode::mov;
      if (encodes(direct)) o = direct;
    }
    fold_memory(o);
    if (encodes(o)) return made_.push_back(o);
    if (can_swap(o) && o.code.source[0].kind == isa::tesla::operand_kind::immediate) {
      o = swapped(o);
      if (encodes(o)) return made_.push_back(o);
    }
    // A guarded move of a constant reads the constant from c1[].
    if (o.code.op == opcode::mov && o.code.source[0].kind == isa::tesla::operand_kind::immediate) {
      const int offset = literal_offset(f_, static_cast<std::uint32_t>(o.code.source[0].value));
      if (offset >= 0) {
        operation literal = o;
        literal.code.op = opcode::ld_const;
        literal.code.source[0] = constant_word(1, static_cast<std::uint32_t>(offset)).code;
        if (encodes(literal)) return made_.push_back(literal);
      }
    }
    for (std::size_t k = 3; k-- > 0;) {
      if (o.code.source[k].kind != isa::tesla::operand_kind::immediate) continue;
      if (k > 0 && o.code.op != opcode::bar) {
        const int offset = literal_offset(f_, static_cast<std::uint32_t>(o.code.source[k].value));
        operation literal = o;
        literal.code.source[k] = literal_operand(std::max(offset, 0), o.code, k);
        if (offset >= 0 && encodes(literal)) return made_.push_back(literal);
      }
      to_register(o, k);
      if (encodes(o)) return made_.push_back(o);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const isa::tesla::operand_kind kind = o.code.source[k].kind;
      if (kind != isa::tesla::operand_kind::shared && kind != isa::tesla::operand_kind::constant) continue;
      to_register(o, k);
      if (encodes(o)) return made_.push_back(o);
    }
    isa::tesla::instruction code = o.code;
    isa::tesla::decode_error error;
    isa::tesla::encode(code, error);
    throw std::logic_error("what was made of line " + std::to_string(o.line) + " has no encoding: " + error.reason);
  }

  void to_register(operation& o, std::size_t k) {
    operation load;
    load.line = o.line;
    load.code.op = o.code.source[k].kind == isa::tesla::operand_kind::shared     ? opcode::ld_shared
                   : o.code.source[k].kind == isa::tesla::operand_kind::constant ? opcode::ld_const
                                                                                 : opcode::mov;
    load.code.source[0] = o.code.source[k];
    load.source[0] = o.source[k];
    load.reads_parameter = o.reads_parameter;
    load.destination = {f_.add_register(register_class::general), 0};
    load.code.destination.kind = isa::tesla::operand_kind::gpr;
    const bool half = o.code.op == opcode::mul || o.code.op == opcode::mad;
    made_.push_back(load);
    const value v =
        half && k < 2 ? low_half(reg(load.destination), o.code.source_signed[k]) : reg(load.destination);
    o.code.source[k] = v.code;
    o.source[k] = v.reg;
  }

  machine_function& f_;
  bool fold_;
  std::vector<operation> made_;
  std::vector<unsigned> writes_;
  std::vector<unsigned> reads_;
  std::vector<operation> sources_;
};

}  // namespace

bool encodes_wholly(const isa::tesla::instruction& wanted) {
  isa::tesla::instruction code = wanted;
  isa::tesla::decode_error error;
  if (!isa::tesla::encode(code, error)) return false;
  const auto decoded = isa::tesla::decode(code.words[0], code.words[1], error);
  return decoded && decoded->round == wanted.round && decoded->saturate == wanted.saturate;
}

// Gives each slot a register of its own, a multiple of 4.
bool encodes(const operation& o) {
  operation trial = o;
  std::vector<int> assigned = {4, 8, 12, 16, 1, 2, 3};
  if (trial.destination.reg >= 0)
    trial.destination = {trial.code.destination.kind == isa::tesla::operand_kind::address ? 4 : 0, 0};
  for (int k = 0; k < 3; ++k) {
    word_ref& r = trial.source[static_cast<std::size_t>(k)];
    const isa::tesla::operand_kind kind = trial.code.source[static_cast<std::size_t>(k)].kind;
    if (r.reg >= 0)
      r = {kind == isa::tesla::operand_kind::gpr || kind == isa::tesla::operand_kind::global ? k + 1 : 4, 0};
  }
  if (trial.condition_in >= 0) trial.condition_in = 5;
  if (trial.condition_out >= 0) trial.condition_out = 6;
  return encodes_wholly(tesla::bind(trial, assigned));
}

isa::tesla::operand literal_operand(int offset, const isa::tesla::instruction& code, std::size_t k) {
  isa::tesla::operand s = constant_word(1, static_cast<std::uint32_t>(offset)).code;
  const bool half = (code.op == opcode::mul || code.op == opcode::mad) && k < 2;
  if (half) s.type = code.source_signed[k] ? isa::data_type::s16 : isa::data_type::u16;
  return s;
}

int literal_offset(machine_function& f, std::uint32_t bits) {
  const auto found = std::find(f.literals.begin(), f.literals.end(), bits);
  const int offset = 4 * static_cast<int>(found - f.literals.begin());
  if (found != f.literals.end()) return offset;
  if (offset > last_literal_offset) return -1;
  f.literals.push_back(bits);
  return offset;
}

void legalise(machine_function& f, bool fold) { legaliser(f, fold).run(); }

}  // namespace gt200::ptx::tesla
