// Which loads may move, and past what.
#include "toolchain/ptx/fermi/machine_code.h"

namespace gt200::ptx::fermi {

using isa::fermi::opcode;

namespace {

enum class space : std::uint8_t { none, shared, local, global, any };

space space_of(const operation& o) {
  switch (o.code.op) {
    case opcode::lds:
    case opcode::sts:
    case opcode::ldslk:
    case opcode::stsul: return space::shared;
    case opcode::ldl:
    case opcode::stl: return space::local;
    case opcode::ld:
    case opcode::ldu:
    case opcode::st:
    case opcode::red:
    case opcode::atom: return o.is_generic ? space::any : space::global;
    default: return space::none;
  }
}

// True for accesses that share no byte, of whichever threads of the warp. Addresses in registers differ between the
// threads, and code written for one warp reads what its other threads stored by the instruction before, without a
// barrier.
bool are_apart(const operation& a, const operation& b, space s) {
  if (s != space::shared && s != space::local) return false;
  if (a.source[0] != b.source[0] || (s == space::shared && b.source[0].reg >= 0)) return false;
  const auto begin = [](const operation& o) { return o.code.source[0].value; };
  const auto end = [&](const operation& o) { return begin(o) + isa::bytes_of(o.code.memory_type); };
  return end(a) <= begin(b) || end(b) <= begin(a);
}

}  // namespace

bool is_plain_load(const operation& o) {
  switch (o.code.op) {
    case opcode::ld:
    case opcode::ldu:
    case opcode::ldl:
    case opcode::lds: return !o.guarded() && !o.is_volatile && o.destination.reg >= 0;
    default: return false;
  }
}

bool loads_shared(const operation& o) { return space_of(o) == space::shared; }

bool is_computation(const operation& o) {
  if (o.destination.reg < 0 || o.guarded() || o.carry_in >= 0 || o.carry_out >= 0 || has_effect(o) ||
      reads_memory(o))
    return false;
  for (const int p : o.predicate_in)
    if (p >= 0) return false;
  return o.predicate_out[0] < 0 && o.predicate_out[1] < 0 && o.code.op != opcode::vote;
}

bool must_follow(const operation& other, const operation& load) {
  if (other.is_volatile) return true;
  const space of_load = space_of(load);
  const space of_other = space_of(other);
  if (of_other == space::none) return has_effect(other);
  if (!has_effect(other)) return false;  // a load
  if (of_other == space::any || of_load == space::any) return true;
  return of_other == of_load && !are_apart(other, load, of_load);
}

}  // namespace gt200::ptx::fermi
