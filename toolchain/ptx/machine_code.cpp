#include "toolchain/ptx/machine_code.h"

namespace gt200::ptx {

using isa::tesla::opcode;

bool has_effect(const operation& o) {
  switch (o.code.op) {
    case opcode::st_shared:
    case opcode::st_local:
    case opcode::st_global:
    case opcode::red_global:
    case opcode::atom_global:
    case opcode::bar:
    case opcode::trap:
    case opcode::brkpt:
    case opcode::pmevent: return true;
    case opcode::ld_shared: return o.code.lock || o.is_volatile;
    default: return o.is_volatile;
  }
}

bool is_load(const operation& o) {
  if ((o.code.op == opcode::ld_shared && !o.reads_parameter) || o.code.op == opcode::ld_global ||
      o.code.op == opcode::ld_local)
    return true;
  if (o.code.op == opcode::mov_from_sr) return true;
  if (o.reads_parameter) return false;
  for (const isa::tesla::operand& s : o.code.source)
    if (s.kind == isa::tesla::operand_kind::shared) return true;
  return false;
}

bool is_copy(const operation& o) {
  return o.code.op == opcode::mov && !o.guarded() && !o.code.is_16bit && o.expansion == pseudo::none &&
         o.code.source[0].kind == isa::tesla::operand_kind::gpr &&
         o.code.source[0].part == isa::tesla::half::whole && o.destination.reg >= 0;
}

void renumber_registers(machine_function& f) {
  constexpr int unnamed = -1;
  constexpr int named = 0;
  std::vector<int> number(f.registers.size(), unnamed);
  const auto visit = [&](auto action) {
    for (block& b : f.blocks) {
      for (operation& o : b.code) {
        action(o.destination.reg);
        for (word_ref& s : o.source) action(s.reg);
        action(o.condition_in);
        action(o.condition_out);
      }
      action(b.condition);
    }
  };
  visit([&](int r) {
    if (r < 0) return;
    number[static_cast<std::size_t>(r)] = named;
    const int mask = f.registers[static_cast<std::size_t>(r)].mask;
    if (mask >= 0) number[static_cast<std::size_t>(mask)] = named;
  });
  std::vector<virtual_register> kept;
  for (std::size_t r = 0; r < number.size(); ++r) {
    if (number[r] == unnamed) continue;
    number[r] = static_cast<int>(kept.size());
    kept.push_back(f.registers[r]);
  }
  for (virtual_register& r : kept)
    if (r.mask >= 0) r.mask = number[static_cast<std::size_t>(r.mask)];
  visit([&](int& r) {
    if (r >= 0) r = number[static_cast<std::size_t>(r)];
  });
  f.registers = std::move(kept);
}

std::uint32_t computed(isa::tesla::logic_op op, std::uint32_t a, std::uint32_t b) {
  switch (op) {
    case isa::tesla::logic_op::and_: return a & b;
    case isa::tesla::logic_op::or_: return a | b;
    case isa::tesla::logic_op::xor_: return a ^ b;
    case isa::tesla::logic_op::mov2: break;
  }
  return b;
}

bool ends_threads(const block& b) {
  return b.code.empty() && b.end == ending::exit && !b.joins && b.announces.empty();
}

std::vector<int> successors(const block& b) {
  switch (b.end) {
    case ending::jump: return {b.next};
    case ending::branch: return {b.taken, b.next};
    case ending::exit: break;
  }
  return {};
}

std::vector<std::vector<int>> predecessors(const machine_function& f) {
  std::vector<std::vector<int>> result(f.blocks.size());
  for (std::size_t b = 0; b < f.blocks.size(); ++b) {
    for (const int s : successors(f.blocks[b])) {
      auto& list = result[static_cast<std::size_t>(s)];
      if (list.empty() || list.back() != static_cast<int>(b)) list.push_back(static_cast<int>(b));
    }
  }
  return result;
}

}  // namespace gt200::ptx
