// The code of one kernel, decoded once, addressed by program counter (byte offset in the kernel).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "toolchain/cubin/module.h"
#include "toolchain/isa/tesla/instruction.h"

namespace gt200::emulator {

struct code_entry {
  isa::tesla::instruction instruction;
  bool uses_address = false;  // $a as source, in a memory operand or as result
  bool uses_section = false;  // names a register of the section that the warps of the kernel share over time
};

class code_image {
 public:
  explicit code_image(const cubin::kernel& kernel);

  // Null when there is no instruction at `pc`; error() then says why.
  const code_entry* at(isa::code_address pc) const {
    const std::uint32_t word = pc / 4;
    return pc % 4 == 0 && word < index_.size() && index_[word] != 0 ? &entries_[index_[word] - 1] : nullptr;
  }
  struct decode_failure {
    bool outside = false;  // in whole or in part outside the code, as opposed to words that do not decode
    std::string reason;
  };
  decode_failure error(isa::code_address pc) const;

  // Line of the source the assembler saw; 0 = unknown.
  std::uint32_t line(isa::code_address pc) const;

  // The registers that warps share over time; count 0: none.
  const isa::section_request& section() const { return section_; }

  std::uint32_t bytes() const { return static_cast<std::uint32_t>(words_.size() * 4); }

 private:
  std::vector<std::uint32_t> words_;
  std::vector<std::uint32_t> index_;  // per word: 0 = no instruction starts here, else entry number + 1
  std::vector<code_entry> entries_;
  std::vector<cubin::source_line> lines_;
  isa::section_request section_;
};

}  // namespace gt200::emulator
