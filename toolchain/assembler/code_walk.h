// Visits machine code instruction by instruction, from its first word to its last.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "toolchain/isa/tesla/codec.h"

namespace gt200::assembler {

struct code_step {
  std::uint32_t address = 0;         // bytes from the start of the code
  std::vector<std::uint32_t> words;  // 1 or 2; 1 also for a long instruction that the end of the code cuts off
  std::optional<isa::tesla::instruction> instruction;  // empty: the words do not decode
  std::string reason;                                  // why they do not decode
};

template <class visitor_type>
void walk_code(const std::vector<std::uint32_t>& code, visitor_type visit) {
  for (std::size_t i = 0; i < code.size();) {
    code_step step;
    step.address = static_cast<std::uint32_t>(4 * i);
    step.words.push_back(code[i]);
    const bool is_long = isa::tesla::length_of(code[i]) == 8;
    if (is_long && i + 1 < code.size()) step.words.push_back(code[i + 1]);
    if (is_long && step.words.size() == 1) {
      step.reason = "a long instruction needs a second word";
    } else {
      isa::tesla::decode_error error;
      step.instruction = isa::tesla::decode(step.words.front(), is_long ? step.words.back() : 0, error);
      step.reason = error.reason;
    }
    i += step.words.size();
    visit(step);
  }
}

}  // namespace gt200::assembler
