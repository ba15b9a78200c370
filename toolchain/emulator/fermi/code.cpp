#include "toolchain/emulator/fermi/code.h"

namespace gt200::emulator::fermi {

code::code(const cubin::kernel& kernel, const arch_state::generation& generation)
    : bytes_(generation.values().lengths.long_bytes) {
  const std::size_t step = bytes_ / 4;
  for (std::size_t word = 0; word + step <= kernel.code.size(); word += step) {
    isa::instruction_words words = {};
    for (std::size_t k = 0; k < step; ++k) words[k] = kernel.code[word + k];
    const arch_state::generation::decoded decoded = generation.decode(words);
    entries_.push_back({decoded.instruction, decoded.fault});
  }
}

}  // namespace gt200::emulator::fermi
