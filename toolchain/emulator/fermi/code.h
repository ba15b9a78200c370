// The code of one kernel whose instructions all have the same length, decoded once, addressed by program counter.
#pragma once

#include <memory>
#include <vector>

#include "toolchain/arch_state/generation.h"
#include "toolchain/cubin/module.h"

namespace gt200::emulator::fermi {

class code {
 public:
  code(const cubin::kernel& kernel, const arch_state::generation& generation);

  // Null instruction: `fault` says why.
  struct entry {
    std::shared_ptr<const isa::instruction> instruction;
    arch_state::fault_kind fault = arch_state::fault_kind::none;
  };
  const entry& at(isa::code_address pc) const {
    if (pc / bytes_ >= entries_.size()) return outside_;
    return pc % bytes_ == 0 ? entries_[pc / bytes_] : misaligned_;
  }

 private:
  unsigned bytes_;  // of an instruction
  std::vector<entry> entries_;
  entry outside_ = {nullptr, arch_state::fault_kind::invalid_pc};
  entry misaligned_ = {nullptr, arch_state::fault_kind::illegal_instruction};
};

}  // namespace gt200::emulator::fermi
