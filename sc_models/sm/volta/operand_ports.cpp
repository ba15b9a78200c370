#include "sc_models/sm/volta/operand_ports.h"

#include <algorithm>

namespace gt200::model {

operand_ports::reads operand_ports::issue(warp_slot warp, isa::lane_mask lanes, const isa::instruction& i) {
  reads result;
  const bool reads_here = !i.variable_latency && i.unit != isa::unit_class::control;
  if (reads_here) result.held = read(warp, lanes, i, result.reuse_hits);
  if (i.codes.yield)
    for (auto& bank : reuse_)
      for (entry& e : bank) e.valid = false;
  return result;
}

// Returns for how long conflicts hold the instruction.
core_cycles operand_ports::read(warp_slot warp, isa::lane_mask lanes, const isa::instruction& i,
                                std::uint8_t& reuse_hits) {
  std::array<std::array<std::uint8_t, operand_slots>, register_banks> read{};  // different registers of each bank
  std::array<unsigned, register_banks> count{};
  for (unsigned k = 0; k < i.operand_count; ++k) {
    const isa::register_transfer& t = i.operands[k];
    const unsigned slot = isa::operand_slot(t);
    if (slot == isa::no_slot || t.count != 1) continue;
    const unsigned bank = bank_of_register(t.first);
    entry& e = reuse_[bank][slot];
    const bool hit = e.valid && e.warp == warp && e.lanes == lanes && e.index == t.first;
    if (hit) {
      reuse_hits |= static_cast<std::uint8_t>(1u << slot);
    } else {
      auto* const end = read[bank].begin() + count[bank];
      if (count[bank] < operand_slots && std::find(read[bank].begin(), end, t.first) == end)
        read[bank][count[bank]++] = t.first;
    }
    e = {reuses_ && (i.codes.reuse >> slot & 1) != 0, warp, lanes, t.first};
  }
  core_cycles held;
  if (free_ || i.unit == isa::unit_class::dp) return held;
  for (const unsigned words : count)
    if (words > bank_reads_) held = std::max(held, core_cycles((words + bank_reads_ - 1) / bank_reads_ - 1));
  return held;
}

}  // namespace gt200::model
