#include <utility>

#include "toolchain/isa/fermi/codec.h"
#include "toolchain/ptx/fermi/passes.h"
#include "toolchain/ptx/machine/legalise.h"

namespace gt200::ptx::fermi {
namespace {

using isa::fermi::immediate_form;
using isa::fermi::opcode;
using isa::fermi::operand_kind;

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

}  // namespace

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

bool takes_literals(const operation& o) { return o.code.op == opcode::ffma || o.code.op == opcode::imad; }

void legalise(machine_function& f) { legaliser<machine_function>(f, cubin::fermi.literal_space).run(); }

}  // namespace gt200::ptx::fermi
