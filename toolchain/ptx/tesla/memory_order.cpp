#include "toolchain/ptx/tesla/memory_order.h"

namespace gt200::ptx::tesla {
namespace {

using isa::tesla::opcode;
using isa::tesla::operand_kind;

// True for accesses that share no byte, of whichever threads of the warp: of s[] at addresses without a register,
// of l[] at offsets from the same address register or from none. Address registers of s[] differ between the
// threads, and code written for one warp reads what its other threads stored by the instruction before, without a
// barrier.
bool are_apart(const operation& a, const isa::tesla::operand& x, const operation& b, const isa::tesla::operand& y) {
  if (x.kind == operand_kind::global || a.source[0] != b.source[0]) return false;
  if (x.kind == operand_kind::shared && b.source[0].reg >= 0) return false;
  return x.value + isa::bytes_of(x.type) <= y.value || y.value + isa::bytes_of(y.type) <= x.value;
}

}  // namespace

memory_space memory_read_by(const operation& o) {
  switch (o.code.op) {
    case opcode::ld_global:
    case opcode::atom_global:
    case opcode::tex:
    case opcode::texfetch: return memory_space::global;
    case opcode::ld_local: return memory_space::local;
    case opcode::st_shared:
    case opcode::st_local:
    case opcode::st_global:
    case opcode::red_global: return memory_space::none;
    default: break;
  }
  if (o.reads_parameter) return memory_space::none;
  for (const isa::tesla::operand& s : o.code.source)
    if (s.kind == operand_kind::shared) return memory_space::shared;
  return memory_space::none;
}

memory_space memory_written_by(const operation& o) {
  switch (o.code.op) {
    case opcode::st_global:
    case opcode::red_global:
    case opcode::atom_global: return memory_space::global;
    case opcode::st_shared: return memory_space::shared;
    case opcode::st_local: return memory_space::local;
    default: return memory_space::none;
  }
}

bool must_follow(const operation& other, const operation& load) {
  const memory_space read = memory_read_by(load);
  if (read == memory_space::none) return false;
  const memory_space written = memory_written_by(other);
  if (other.is_volatile || other.code.lock || other.code.op == opcode::mov_from_sr) return true;
  if (written == memory_space::none) return has_effect(other);
  if (written != read) return false;
  const isa::tesla::operand& from = load.code.source[0];
  const bool plain = from.kind == operand_kind::shared || from.kind == operand_kind::local;
  return !plain || !are_apart(other, other.code.source[0], load, from);
}

}  // namespace gt200::ptx::tesla
