// What the words of instructions mean, for all SMs of the chip: a memo of what the generation's decoder said, no
// part of the machine.
//
// Every SM decodes the same kernel. One copy of what was found keeps it in the host's cache; a copy per SM does
// not.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "toolchain/arch_state/generation.h"
#include "toolchain/isa/common/instruction.h"

namespace gt200::model {

struct decoded_instruction {
  std::shared_ptr<const isa::instruction> instruction;
  arch_state::fault_kind fault = arch_state::fault_kind::none;
  // Of a reconvergence point that acts before its instruction: what issues when a path comes to it.
  std::unique_ptr<decoded_instruction> arrival;
};

class decoded_instructions {
 public:
  explicit decoded_instructions(std::shared_ptr<const arch_state::generation> generation);

  const arch_state::generation& generation() const { return *generation_; }

  // Of the words at `pc`; those beyond the instruction are 0. Lives as long as this object. Words that are no
  // instruction, one that the chip lacks, and one that is not aligned to its length become a trap with their fault.
  const decoded_instruction& at(isa::code_address pc, const isa::instruction_words& words) {
    const recent_entry& recent = recent_[pc / 4 % recent_entries];
    if (recent.entry != nullptr && equal(recent.words, words)) return *recent.entry;
    return look_up(pc, words);
  }
  // What is executed where there is no code.
  const decoded_instruction& invalid_pc() const { return invalid_pc_; }

 private:
  static constexpr std::size_t recent_entries = 1024;  // 4-byte words of code covered without conflicts: 4 KB

  // Without a branch per word, or a call.
  static bool equal(const isa::instruction_words& a, const isa::instruction_words& b) {
    std::uint32_t difference = 0;
    for (unsigned i = 0; i < isa::max_instruction_words; ++i) difference |= a[i] ^ b[i];
    return difference == 0;
  }
  struct key {
    isa::instruction_words words;
    bool aligned;
    bool operator==(const key& o) const { return words == o.words && aligned == o.aligned; }
  };
  struct key_hash {
    std::size_t operator()(const key& k) const;
  };
  const decoded_instruction& look_up(isa::code_address pc, const isa::instruction_words& words);
  std::unique_ptr<decoded_instruction> decode(const key& k) const;

  std::shared_ptr<const arch_state::generation> generation_;
  std::unordered_map<key, std::unique_ptr<decoded_instruction>, key_hash> by_words_;
  // In front of the map: the last instruction at each address, by low bits of the program counter.
  struct recent_entry {
    isa::instruction_words words = {};
    const decoded_instruction* entry = nullptr;
  };
  std::vector<recent_entry> recent_ = std::vector<recent_entry>(recent_entries);
  decoded_instruction invalid_pc_;
};

}  // namespace gt200::model
