// What the words of instructions mean, for all SMs of the chip: a memo of isa::decode(), no part of the machine.
//
// Every SM decodes the same kernel. One copy of what was found keeps it in the host's cache; a copy per SM does
// not.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "sc_models/config/sm_config.h"
#include "toolchain/arch_state/fault.h"
#include "toolchain/isa/tesla/instruction.h"

namespace gt200::model {

struct decoded_instruction {
  isa::instruction instruction;
  emulator::fault_kind fault = emulator::fault_kind::none;
  std::unique_ptr<decoded_instruction> meeting;  // of an instruction with join, where join acts before it
};

class decoded_instructions {
 public:
  // `capability`: compute capability x 10; instructions beyond it are faults. `join`: when join acts.
  decoded_instructions(unsigned capability, config::join_position join);

  // Of the words at `pc`; `second` is 0 for a short instruction. Lives as long as this object. Words that are no
  // instruction, one beyond the capability, and a long one that is not aligned become a trap with their fault.
  const decoded_instruction& at(isa::code_address pc, std::uint32_t first, std::uint32_t second) {
    const recent_entry& recent = recent_[pc / 4 % recent_entries];
    if (recent.entry != nullptr && recent.first == first && recent.second == second) return *recent.entry;
    return look_up(pc, first, second);
  }
  // What is executed where there is no code.
  const decoded_instruction& invalid_pc() const { return invalid_pc_; }

 private:
  static constexpr std::size_t recent_entries = 1024;  // 4-byte words of code covered without conflicts: 4 KB

  const decoded_instruction& look_up(isa::code_address pc, std::uint32_t first, std::uint32_t second);
  std::unique_ptr<decoded_instruction> decode(std::uint32_t first, std::uint32_t second, bool aligned) const;

  unsigned capability_;
  bool join_before_;
  std::unordered_map<std::uint64_t, std::unique_ptr<decoded_instruction>> by_words_;
  // In front of the map: the last instruction at each address, by low bits of the program counter.
  struct recent_entry {
    std::uint32_t first = 0, second = 0;
    const decoded_instruction* entry = nullptr;
  };
  std::vector<recent_entry> recent_ = std::vector<recent_entry>(recent_entries);
  decoded_instruction invalid_pc_;
};

}  // namespace gt200::model
