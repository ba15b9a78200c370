// The texts for the keys of an SM's text signals. See tlm_bus/signals.h.
#pragma once

#include <cstdint>
#include <string>

#include "sc_models/sm/interfaces.h"
#include "toolchain/isa/common/instruction.h"

namespace gt200::model {

// Key: address of the isa::instruction, which lives as long as the SM; 0 = none. Its disassembly.
inline std::uint64_t instruction_key(const isa::instruction* instruction) {
  return reinterpret_cast<std::uintptr_t>(instruction);
}
std::string text_of_instruction(std::uint64_t key);

// The activity or stall of a warp or issue slot: the key of its stall cause in statistics ("issued" for none). 0 =
// no warp in the slot.
constexpr std::uint64_t warp_state_key(stall_cause cause) { return static_cast<std::uint64_t>(cause) + 1; }
std::string text_of_warp_state(std::uint64_t key);

// "$r4", "$r4-$r7", "$c0"; empty for 0, which is the key of no range.
constexpr std::uint64_t register_range_key(const isa::register_range& range) {
  return static_cast<std::uint64_t>(range.file) << 16 | std::uint64_t{range.first} << 8 | range.count;
}
std::string text_of_register_range(std::uint64_t key);

}  // namespace gt200::model
