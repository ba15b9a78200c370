// What registers, shared and local memory hold before a program writes them.
//
// The hardware leaves them undefined. A program that depends on them is wrong, and zeros would hide that; so
// emulator and cycle model both start from the same pattern, a pure function of a seed and of the place. Places a
// block does define at its start (parameters, $r0) are overwritten by launch/abi.h. $c and $a registers start at
// zero in both. Local memory lies in device memory: the chip does not touch it when a block starts, so there a warp
// finds what an earlier block of its place left, in the emulator the pattern.
#pragma once

#include <cstdint>

#include "toolchain/isa/common/instruction.h"

namespace gt200::arch_state {

// Mixes 32 bits well and is free of branches (finalizer of MurmurHash3, public domain).
constexpr std::uint32_t mix_bits(std::uint32_t x) {
  x = (x ^ x >> 16) * 0x85ebca6bu;
  x = (x ^ x >> 13) * 0xc2b2ae35u;
  return x ^ x >> 16;
}

// Common part of all places of a block. `block` is the linear number y * grid.x + x.
constexpr std::uint32_t block_key(std::uint64_t seed, std::uint32_t block) {
  return mix_bits(static_cast<std::uint32_t>(seed) +
                  mix_bits(static_cast<std::uint32_t>(seed >> 32) + mix_bits(block)));
}

constexpr std::uint32_t initial_register(std::uint64_t seed, std::uint32_t block, unsigned warp, unsigned index,
                                         unsigned lane) {
  return mix_bits(block_key(seed, block) ^ (warp << 12 | index << 5 | lane));
}

// The 32 lanes of one register.
inline void initial_register_row(std::uint64_t seed, std::uint32_t block, unsigned warp, unsigned index,
                                 std::uint32_t* lanes) {
  const std::uint32_t key = block_key(seed, block);
  for (unsigned lane = 0; lane < isa::warp_size; ++lane)
    lanes[lane] = mix_bits(key ^ (warp << 12 | index << 5 | lane));
}

// Word n of the shared memory of a block, little-endian.
constexpr std::uint32_t initial_shared_word(std::uint64_t seed, std::uint32_t block, std::uint32_t word) {
  return mix_bits(block_key(seed, block) ^ 0x80000000u ^ word);
}

// Word n of the local memory of a block in the emulator.
constexpr std::uint32_t initial_local_word(std::uint64_t seed, std::uint32_t block, std::uint32_t word) {
  return mix_bits(block_key(seed, block) ^ 0x40000000u ^ word);
}

}  // namespace gt200::arch_state
