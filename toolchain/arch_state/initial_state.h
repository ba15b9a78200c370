// Content of registers, shared and local memory before a program writes them.
//
// The hardware leaves these values undefined. A program that depends on them is wrong, and zeros would hide the
// error. So emulator and cycle model start from the same pattern, a pure function of a seed and of the place.
// launch/abi.h then overwrites the places that are defined at the start of a block (parameters, $r0). $c and $a
// registers start at zero in both. Local memory is part of device memory, and the chip does not initialise it for
// each block: there a warp finds what an earlier block in the same slot left. In the emulator it finds the pattern.
#pragma once

#include <cstdint>

#include "toolchain/isa/common/instruction.h"

namespace gt200::arch_state {

// Mixes 32 bits well without branches (finalizer of MurmurHash3, public domain).
constexpr std::uint32_t mix_bits(std::uint32_t x) {
  x = (x ^ x >> 16) * 0x85ebca6bu;
  x = (x ^ x >> 13) * 0xc2b2ae35u;
  return x ^ x >> 16;
}

// The part of the hash that all places of a block share. `block` is the linear number y * grid.x + x.
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

// Content of a register of a section that a warp acquires, at its acquire number `acquires` from 1 on.
// Hardware leaves there what another warp wrote.
inline void section_register_row(std::uint64_t seed, unsigned acquires, std::uint32_t block, unsigned warp,
                                 unsigned index, std::uint32_t* lanes) {
  initial_register_row(~(seed + acquires), block, warp, index, lanes);
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
