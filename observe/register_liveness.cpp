#include "observe/register_liveness.h"

#include <bitset>

#include "toolchain/assembler/code_walk.h"

namespace gt200::observe {
namespace {

using registers = std::bitset<isa::tesla::max_gpr>;

struct step {
  registers reads;
  registers overwrites;  // registers written completely, whatever the predicate
  registers live;        // registers live before the instruction
  std::vector<std::size_t> next;
};

registers in_ranges(const isa::register_range* first, std::size_t count) {
  registers result;
  for (std::size_t i = 0; i < count; ++i)
    if (first[i].file == isa::register_file_kind::gpr)
      for (unsigned r = first[i].first; r < unsigned{first[i].first} + first[i].count && r < isa::tesla::max_gpr;
           ++r)
        result.set(r);
  return result;
}

step step_of(const isa::tesla::instruction& i) {
  step s;
  s.reads = in_ranges(i.reads.data(), i.read_count);
  const bool whole = !i.predicated && i.destination.part == isa::tesla::half::whole && i.lane_write_mask == 0xf;
  if (whole) s.overwrites = in_ranges(i.writes.data(), i.write_count);
  return s;
}

// For one thread: after a join or a return from a call it continues with the next instruction.
bool falls_through(const isa::tesla::instruction& i) {
  if (i.exit) return i.predicated && i.op != isa::tesla::opcode::nop;
  switch (i.control) {
    case isa::tesla::control_kind::bra:
    case isa::tesla::control_kind::ret:
    case isa::tesla::control_kind::brk: return i.predicated;
    case isa::tesla::control_kind::call:
    case isa::tesla::control_kind::trap: return false;
    default: return true;
  }
}

}  // namespace

std::vector<unsigned> live_registers(const std::vector<std::uint32_t>& code) {
  constexpr std::size_t none = ~std::size_t{0};
  std::vector<step> steps;
  std::vector<isa::tesla::instruction> instructions;
  std::vector<std::size_t> step_at(code.size(), none);
  std::vector<std::size_t> place;
  assembler::walk_code(code, [&](const assembler::code_step& c) {
    step_at[c.address / 4] = steps.size();
    place.push_back(c.address / 4);
    instructions.push_back(c.instruction.value_or(isa::tesla::instruction()));
    steps.push_back(step_of(instructions.back()));
  });
  const auto target_of = [&](const isa::tesla::instruction& i) {
    return i.target / 4 < step_at.size() ? step_at[i.target / 4] : none;
  };
  std::vector<std::size_t> behind_loops, behind_calls;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (instructions[i].control == isa::tesla::control_kind::prebrk)
      behind_loops.push_back(target_of(instructions[i]));
    if (instructions[i].control == isa::tesla::control_kind::call) behind_calls.push_back(i + 1);
  }
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::vector<std::size_t>& next = steps[i].next;
    if (falls_through(instructions[i])) next.push_back(i + 1);
    switch (instructions[i].control) {
      case isa::tesla::control_kind::bra:
      case isa::tesla::control_kind::call: next.push_back(target_of(instructions[i])); break;
      case isa::tesla::control_kind::brk: next.insert(next.end(), behind_loops.begin(), behind_loops.end()); break;
      case isa::tesla::control_kind::ret: next.insert(next.end(), behind_calls.begin(), behind_calls.end()); break;
      default: break;
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = steps.size(); i-- > 0;) {
      registers live;
      for (const std::size_t n : steps[i].next)
        if (n < steps.size()) live |= steps[n].live;
      live = (live & ~steps[i].overwrites) | steps[i].reads;
      changed = changed || live != steps[i].live;
      steps[i].live = live;
    }
  }
  std::vector<unsigned> result(code.size(), 0);
  for (std::size_t i = 0; i < steps.size(); ++i) result[place[i]] = static_cast<unsigned>(steps[i].live.count());
  return result;
}

}  // namespace gt200::observe
