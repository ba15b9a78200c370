#include "toolchain/ptx/fermi/machine_code.h"

#include "toolchain/isa/fermi/special_register.h"
#include "toolchain/ptx/fermi/passes.h"

namespace gt200::ptx::fermi {

using isa::fermi::opcode;
using isa::fermi::operand_kind;

bool has_effect(const operation& o) {
  switch (o.code.op) {
    case opcode::st:
    case opcode::stl:
    case opcode::sts:
    case opcode::ldslk:
    case opcode::stsul:
    case opcode::red:
    case opcode::atom:
    case opcode::bar:
    case opcode::membar:
    case opcode::bpt:
    case opcode::cctl:
    case opcode::pmtrig: return true;
    default: return o.is_volatile;
  }
}

bool is_copy(const operation& o) {
  return o.code.op == opcode::mov && !o.guarded() && o.code.source[1].kind == operand_kind::gpr &&
         o.source[1].reg >= 0 && o.destination.reg >= 0;
}

bool reads_memory(const operation& o) {
  switch (o.code.op) {
    case opcode::ld:
    case opcode::ldu:
    case opcode::ldl:
    case opcode::lds: return true;
    case opcode::s2r:
      return o.code.special == isa::fermi::special::clock || o.code.special == isa::fermi::special::clockhi ||
             o.code.special == isa::fermi::special::physid;
    default: return false;
  }
}

bool can_guard(const operation& o) {
  if (o.guarded() || o.carry_in >= 0 || o.carry_out >= 0) return false;
  switch (o.code.op) {
    case opcode::bar:
    case opcode::bpt:
    case opcode::ldslk:
    case opcode::stsul:
    case opcode::pmtrig:
    case opcode::vote: return false;
    default: return true;
  }
}

bool is_harmless(const operation& o) {
  switch (o.code.op) {
    case opcode::ldc: return false;
    case opcode::tex:
    case opcode::tld: return false;
    default: return !has_effect(o) && !reads_memory(o);
  }
}

void guard_with(operation& o, int condition, bool when) {
  o.guard = condition;
  o.code.guard.negate = !when;
}

bool differs_by_itself(const operation& o) {
  switch (o.code.op) {
    case opcode::s2r:
      return !(o.code.special >= isa::fermi::special::ctaidx && o.code.special <= isa::fermi::special::ctaidz);
    case opcode::atom:
    case opcode::ldslk:
    case opcode::tex:
    case opcode::tld: return true;
    case opcode::bar:
    case opcode::ldc: return false;  // of the same address
    default: return reads_memory(o);
  }
}

bool agrees_by_itself(const operation& o) { return o.code.op == opcode::vote || o.code.op == opcode::bar; }

void drop_unused_results(operation& o, const std::function<bool(word_ref)>& is_used) {
  for (int& p : o.predicate_out)
    if (p >= 0 && !is_used({p, 0})) p = -1;
  if (o.carry_out >= 0 && !is_used({o.carry_out, 0})) {
    o.carry_out = -1;
    o.code.writes_condition_code = false;
  }
  bool needed = false;
  for_each_destination(o, [&](word_ref r) { needed = needed || is_used(r); });
  if (!needed) o.destination = {};
}

bool vanishes(const operation& o, const std::vector<int>& assigned) {
  const auto number = [&](word_ref r) { return assigned[static_cast<std::size_t>(r.reg)] + r.word; };
  return is_copy(o) && number(o.destination) == number(o.source[1]);
}

}  // namespace gt200::ptx::fermi
