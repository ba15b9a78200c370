#include "sc_models/sm/volta/operand_ports.h"

#include <algorithm>

namespace gt200::model {

operand_ports::reads operand_ports::issue(warp_slot warp, const isa::instruction& i) {
  reads result;
  if (i.variable_latency || i.unit == isa::unit_class::control) return result;
  std::array<std::array<std::uint8_t, operand_slots>, register_banks> read{};  // different registers of each bank
  std::array<unsigned, register_banks> count{};
  for (unsigned k = 0; k < i.operand_count; ++k) {
    const isa::register_transfer& t = i.operands[k];
    const unsigned slot = isa::operand_slot(t);
    if (slot == isa::no_slot || t.count != 1) continue;
    const unsigned bank = bank_of_register(t.first);
    entry& e = reuse_[bank][slot];
    const bool hit = e.valid && e.warp == warp && e.index == t.first;
    if (hit) {
      result.reuse_hits |= static_cast<std::uint8_t>(1u << slot);
    } else {
      auto* const end = read[bank].begin() + count[bank];
      if (count[bank] < operand_slots && std::find(read[bank].begin(), end, t.first) == end)
        read[bank][count[bank]++] = t.first;
    }
    e = {reuses_ && (i.codes.reuse >> slot & 1) != 0 && !i.codes.yield, warp, t.first};
  }
  if (i.codes.yield)
    for (auto& bank : reuse_)
      for (entry& e : bank) e.valid = false;
  if (free_ || i.unit == isa::unit_class::dp) return result;
  for (const unsigned words : count)
    if (words > bank_reads_)
      result.held = std::max(result.held, core_cycles((words + bank_reads_ - 1) / bank_reads_ - 1));
  return result;
}

}  // namespace gt200::model
