// Decides which memory accesses may pass one another.
#pragma once

#include <cstdint>

#include "toolchain/ptx/tesla/machine_code.h"

namespace gt200::ptx::tesla {

// Memory that can change while a kernel runs: neither c[] nor the parameters in s[]. Textures read global memory.
enum class memory_space : std::uint8_t { none, shared, local, global };

memory_space memory_read_by(const operation& o);
memory_space memory_written_by(const operation& o);

// True if `load` reads what `other` may write, or if `other` orders all accesses. Both are in one block.
bool must_follow(const operation& other, const operation& load);

// Answers to machine/schedule.h.
bool is_plain_load(const operation& o);
bool loads_shared(const operation& o);
bool is_computation(const operation& o);
bool moves_with_a_load(const operation& o);

}  // namespace gt200::ptx::tesla
