#include <utility>

#include "toolchain/ptx/tesla/passes.h"

namespace gt200::ptx::tesla {
namespace {

using isa::tesla::opcode;

// $a <- the address of the s[] operand: its $a, or none, and its offset.
operation address_of_shared(const operation& load, int address_register) {
  operation sum;
  sum.line = load.line;
  sum.code.op = opcode::add_to_a;
  sum.code.destination.kind = isa::tesla::operand_kind::address;
  sum.code.destination.type = isa::data_type::u16;
  sum.destination = {address_register, 0};
  sum.code.source[0].kind = isa::tesla::operand_kind::address;
  sum.code.source[0].type = isa::data_type::u16;
  sum.source[0] = load.source[0];
  sum.code.source[1].kind = isa::tesla::operand_kind::immediate;
  sum.code.source[1].value = load.code.source[0].value;
  return sum;
}

}  // namespace

void load_shared_by_moves(machine_function& f) {
  for (block& b : f.blocks) {
    std::vector<operation> made;
    for (const operation& o : b.code) {
      if (o.code.op != opcode::ld_shared || o.code.lock) {
        made.push_back(o);
        continue;
      }
      operation move = o;
      move.code.op = opcode::mov;
      if (!encodes(move)) {
        const operation sum = address_of_shared(o, f.add_register(register_class::address));
        move.source[0] = sum.destination;
        move.code.source[0].value = 0;
        if (encodes(move)) made.push_back(sum);
      }
      made.push_back(encodes(move) ? move : o);
    }
    b.code = std::move(made);
  }
}

}  // namespace gt200::ptx::tesla
