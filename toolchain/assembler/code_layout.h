// From parsed instructions to machine words: pairing of 4-byte instructions, addresses, branch targets.
//
// 8-byte instructions must lie on 8-byte addresses, so 4-byte ones have to come in pairs. Where a run of them has
// an odd length, its last instruction that can take an even place in the run is encoded in its 8-byte form.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "toolchain/isa/tesla/instruction.h"

namespace gt200::assembler {

struct code_item {
  unsigned line = 0;
  bool is_raw = false;  // .word: `raw` stands in the code as it is
  std::uint32_t raw = 0;
  isa::instruction instruction;  // encoded, but for a pending target
  std::string target_label;      // empty: the target is a number or there is none
  std::uint32_t address = 0;     // set by lay_out
  std::uint32_t length() const { return is_raw ? 4 : instruction.length; }
};

struct code_label {
  std::size_t item = 0;  // stands before this item; item count = end of the code
  unsigned line = 0;
};

// Fills the addresses and encodes the targets. Throws input_error: a run that cannot be paired, an undefined
// label, a target the encoding cannot hold.
void lay_out(std::vector<code_item>& items, const std::map<std::string, code_label>& labels,
             const std::string& file);

std::vector<std::uint32_t> words_of(const std::vector<code_item>& items);

}  // namespace gt200::assembler
