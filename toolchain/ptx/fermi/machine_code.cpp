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
    case opcode::cctll:
    case opcode::pmtrig: return true;
    default: return o.is_volatile;
  }
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

// Numbers are as cheap as registers.
bool is_shareable(const operation& o) {
  return o.code.op != opcode::vote && o.code.op != opcode::tex && o.code.op != opcode::tld &&
         (o.code.op != opcode::mov || o.source[1].reg >= 0);
}

bool takes_float_bits(const operation& o) {
  switch (o.code.op) {
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

access_space space_of(const operation& o) {
  switch (o.code.op) {
    case opcode::lds:
    case opcode::sts:
    case opcode::ldslk:
    case opcode::stsul: return access_space::shared;
    case opcode::ldl:
    case opcode::stl: return access_space::local;
    case opcode::ld:
    case opcode::ldu:
    case opcode::st:
    case opcode::red:
    case opcode::atom: return o.is_generic ? access_space::any : access_space::global;
    default: return access_space::none;
  }
}

unsigned bytes_accessed(const operation& o) { return static_cast<unsigned>(isa::bytes_of(o.code.memory_type)); }

bool is_plain_load(const operation& o) {
  switch (o.code.op) {
    case opcode::ld:
    case opcode::ldu:
    case opcode::ldl:
    case opcode::lds: return is_movable_load(o);
    default: return false;
  }
}

}  // namespace gt200::ptx::fermi
