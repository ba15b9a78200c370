// From parsed instructions to machine words: pairing of 4-byte instructions, addresses, branch targets.
//
// 8-byte instructions must lie on 8-byte addresses, so 4-byte ones have to come in pairs. In a run of odd length,
// one instruction at an even distance from the start takes its 8-byte form: the last that has one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "toolchain/isa/tesla/instruction.h"

namespace gt200::assembler {

struct code_item {
  unsigned line = 0;
  bool is_raw = false;  // .word: `raw` is emitted unchanged
  std::uint32_t raw = 0;
  isa::tesla::instruction instruction;  // encoded, except for an unresolved target
  std::string target_label;             // empty: the target is a number, or there is none
  std::uint32_t address = 0;            // set by lay_out
  std::uint32_t length() const { return is_raw ? 4 : instruction.length; }
};

struct code_label {
  std::size_t item = 0;  // the label precedes this item; item count = end of the code
  unsigned line = 0;
};

// Sets the addresses and encodes the targets. Throws input_error for a run that cannot be paired, an undefined
// label, and a target the encoding cannot hold.
void lay_out(std::vector<code_item>& items, const std::map<std::string, code_label>& labels,
             const std::string& file);

std::vector<std::uint32_t> words_of(const std::vector<code_item>& items);

}  // namespace gt200::assembler
