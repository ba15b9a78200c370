// Whether a block is one that the source of a kernel allows (.maxntid, .reqntid).
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "toolchain/cubin/module.h"

namespace gt200::launch {

// Says why not; empty if it is. A launch that breaks these bounds is an error on every chip.
inline std::string refusal_by_bounds(const cubin::kernel& kernel, const std::array<std::uint32_t, 3>& block) {
  const auto threads = [](const auto& b) { return std::uint64_t{b[0]} * b[1] * b[2]; };
  const auto shape = [](const auto& b) {
    return std::to_string(b[0]) + " x " + std::to_string(b[1]) + " x " + std::to_string(b[2]);
  };
  if (threads(kernel.required_block) != 0 && block != kernel.required_block)
    return "the block is " + shape(block) + ", the kernel requires " + shape(kernel.required_block) + " (.reqntid)";
  const std::uint64_t most = threads(kernel.largest_block);
  if (most != 0 && threads(block) > most)
    return "the block has " + std::to_string(threads(block)) + " threads, the kernel allows at most " +
           std::to_string(most) + " (.maxntid, __launch_bounds__)";
  return {};
}

}  // namespace gt200::launch
