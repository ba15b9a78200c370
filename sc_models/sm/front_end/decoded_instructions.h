// A cache of decoded instructions for the SMs of a TPC: it stores the results of the generation's decoder and is
// not part of the machine.
//
// Every SM decodes the same kernel. A TPC has one copy, because TPCs may run on threads of their own
// (docs/threads.md).
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sc_models/sm/instruction_descriptor.h"
#include "toolchain/arch_state/generation.h"
#include "toolchain/isa/common/instruction.h"

namespace gt200::model {

class decoded_instructions {
 public:
  explicit decoded_instructions(std::shared_ptr<const arch_state::generation> generation);

  const arch_state::generation& generation() const { return *generation_; }

  // The instruction of the words at `pc`; words beyond it must be 0. The result lives as long as this object. Words
  // that are not an instruction, an instruction that the chip lacks, and one that is not aligned to its length
  // become a trap with their fault.
  const instruction_descriptor& at(isa::code_address pc, const isa::instruction_words& words) {
    const recent_entry& recent = recent_[pc / 4 % recent_entries];
    if (recent.entry != nullptr && pc % 4 == 0 && equal(recent.words, words)) return *recent.entry;
    return look_up(pc, words);
  }
  // The trap for addresses outside the code.
  const instruction_descriptor& invalid_pc() const { return invalid_pc_; }

 private:
  static constexpr std::size_t recent_entries = 1024;  // covers 4 KB of 4-byte words without conflicts

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
  const instruction_descriptor& look_up(isa::code_address pc, const isa::instruction_words& words);
  std::unique_ptr<instruction_descriptor> decode(const key& k) const;

  std::shared_ptr<const arch_state::generation> generation_;
  std::unordered_map<key, std::unique_ptr<instruction_descriptor>, key_hash> by_words_;
  // A direct-mapped table before the map: the last instruction for each value of the low bits of the program
  // counter.
  struct recent_entry {
    isa::instruction_words words = {};
    const instruction_descriptor* entry = nullptr;
  };
  std::vector<recent_entry> recent_ = std::vector<recent_entry>(recent_entries);
  instruction_descriptor invalid_pc_;
};

// Those of all TPCs of a chip, for what builds its SMs.
class decoded_instructions_of_tpcs {
 public:
  explicit decoded_instructions_of_tpcs(std::shared_ptr<const arch_state::generation> generation)
      : generation_(std::move(generation)) {}

  // One object per number.
  std::shared_ptr<decoded_instructions> of(unsigned tpc) {
    std::shared_ptr<decoded_instructions>& found = by_tpc_[tpc];
    if (!found) found = std::make_shared<decoded_instructions>(generation_);
    return found;
  }

 private:
  std::shared_ptr<const arch_state::generation> generation_;
  std::unordered_map<unsigned, std::shared_ptr<decoded_instructions>> by_tpc_;
};

}  // namespace gt200::model
