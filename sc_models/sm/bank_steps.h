// In which order the banks of shared memory serve the lanes of a half-warp.
//
// A wider access than 32 bits is a sequence of 32-bit requests, called parts. In each step one word is broadcast to
// all lanes that need it, and each other bank serves one more word to one lane. A step takes a core cycle. Source:
// CUDA guide 4.2 (banks, broadcast, 8/16/64-bit rules).
#pragma once

#include <array>
#include <cstdint>

#include "sc_models/sm/operands/banks.h"
#include "sc_models/warp_instruction.h"
#include "toolchain/isa/common/instruction.h"

namespace gt200::model {

inline constexpr unsigned half_warp_lanes = 16;

// Calls served(step, word) for every word that a bank serves, in the order of the steps; `word` counts 32-bit
// words. Returns the number of steps. `half_warp` is 0 or 1, `bytes` the width of the access.
template <class Served>
unsigned serve_half_warp(const std::uint32_t* addresses, isa::lane_mask lanes, unsigned half_warp, unsigned bytes,
                         unsigned banks, Served served) {
  const unsigned parts = bytes > 4 ? bytes / 4 : 1;
  unsigned steps = 0;
  for (unsigned part = 0; part < parts; ++part) {
    std::array<std::uint32_t, half_warp_lanes> words;
    unsigned count = 0;
    for (unsigned lane = 0; lane < half_warp_lanes; ++lane) {
      const unsigned l = half_warp * half_warp_lanes + lane;
      if ((lanes >> l & 1) != 0) words[count++] = addresses[l] / 4 + part;
    }
    bool one_word = true;  // the usual case for parameters
    for (unsigned i = 1; i < count; ++i) one_word &= words[i] == words[0];
    if (one_word) {
      if (count != 0) served(steps++, words[0]);
      continue;
    }
    while (count != 0) {
      const std::uint32_t broadcast = words[0];
      std::uint64_t busy = std::uint64_t{1} << bank_of(broadcast, banks);
      served(steps, broadcast);
      unsigned left = 0;
      for (unsigned i = 0; i < count; ++i) {
        if (words[i] == broadcast) continue;
        const std::uint64_t bank = std::uint64_t{1} << bank_of(words[i], banks);
        if ((busy & bank) != 0) {
          words[left++] = words[i];
        } else {
          busy |= bank;
          served(steps, words[i]);
        }
      }
      count = left;
      ++steps;
    }
  }
  return steps;
}

// Where the banks see the access of each lane: the address in its block, or in the whole storage if lanes are of
// several blocks, whose parts of it begin at base_of(block).
template <class BaseOf>
isa::lane_words bank_addresses(const warp_instruction& operation, BaseOf base_of) {
  isa::lane_words addresses = operation.values.address;
  if (!operation.formed) return addresses;
  const isa::lane_mask lanes = operation.executed;
  if (lanes == 0 || alike_in(operation.threads.block, lanes) == lanes) return addresses;
  for_each_block(operation.threads, lanes, [&](block_slot block, isa::lane_mask of_block) {
    for (const unsigned lane : set_bits(of_block)) addresses.lane[lane] += base_of(block);
  });
  return addresses;
}

}  // namespace gt200::model
