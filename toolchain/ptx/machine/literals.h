// Literals of a kernel, in a constant space of their own.
#pragma once

#include <algorithm>
#include <cstdint>

#include "toolchain/cubin/module.h"
#include "toolchain/ptx/machine/function.h"

namespace gt200::ptx {

inline constexpr std::uint32_t last_literal_offset = 0xfffc;

// Byte offset of a literal of one word; negative if the space is full.
template <class function>
int literal_offset(function& f, std::uint32_t bits) {
  const auto found = std::find(f.literals.begin(), f.literals.end(), bits);
  const auto offset = static_cast<std::uint32_t>(4 * (found - f.literals.begin()));
  if (offset > last_literal_offset) return -1;
  if (found == f.literals.end()) f.literals.push_back(bits);
  return static_cast<int>(offset);
}

template <class function>
void append_literals(const function& f, std::uint8_t space, cubin::kernel& kernel) {
  if (f.literals.empty()) return;
  cubin::constant_segment c;
  c.name = "literals";
  c.space = space;
  c.size = static_cast<std::uint32_t>(4 * f.literals.size());
  for (const std::uint32_t w : f.literals)
    for (unsigned k = 0; k < 4; ++k) c.data.push_back(static_cast<std::uint8_t>(w >> (8 * k)));
  kernel.constants.push_back(c);
}

}  // namespace gt200::ptx
