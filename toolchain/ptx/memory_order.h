// Which accesses to memory may pass one another.
#pragma once

#include <cstdint>

#include "toolchain/ptx/machine_code.h"

namespace gt200::ptx {

// Memory that changes while a kernel runs: not c[], nor the parameters in s[]. Textures read global memory.
enum class memory_space : std::uint8_t { none, shared, local, global };

memory_space memory_read_by(const operation& o);
memory_space memory_written_by(const operation& o);

// `load` reads what `other` may write, or `other` keeps all accesses in order. Both stand in one block.
bool must_follow(const operation& other, const operation& load);

}  // namespace gt200::ptx
