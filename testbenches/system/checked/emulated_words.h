// What the emulator leaves in memory after a kernel in assembly.
#pragma once

#include <cstdint>
#include <vector>

#include "toolchain/arch_state/fault.h"
#include "toolchain/arch_state/tesla/divergence_options.h"
#include "toolchain/cubin/module.h"

namespace gt200::support {

struct emulated_words {
  arch_state::fault fault;
  std::vector<std::uint32_t> out;
};

// Runs the first kernel of the module, whose parameters are the byte addresses `out` and `in` of two buffers of
// `words` words, in blocks of `threads` threads. `out` holds zeros at the start, `in` the pattern of a
// checked_device.
emulated_words emulate_words(const cubin::module& program, unsigned blocks, unsigned threads,
                             const arch_state::tesla::divergence_options& divergence, std::uint32_t words,
                             std::uint32_t out = 0x100000, std::uint32_t in = 0x200000);

}  // namespace gt200::support
