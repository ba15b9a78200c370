// Access to fields of pins of any width. Verilator makes pins of up to 64 bits integers and
// wider ones arrays of 32-bit words.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rtl_ref/pin_fields.h"
#include "verilated.h"

namespace gt200::rtl {

// Fields of at most 32 bits lie in at most two words.
template <std::size_t words>
std::uint64_t field(const VlWide<words>& pins, unsigned offset, unsigned width) {
  const unsigned word = offset / 32;
  std::uint64_t both = pins[word];
  if (word + 1 < words) both |= std::uint64_t{pins[word + 1]} << 32;
  return both >> offset % 32 & ones(width);
}
template <std::size_t words>
void set_field(VlWide<words>& pins, unsigned offset, unsigned width, std::uint64_t value) {
  const unsigned word = offset / 32;
  const unsigned shift = offset % 32;
  const std::uint64_t keep = ~(ones(width) << shift);
  const std::uint64_t bits = (value & ones(width)) << shift;
  pins[word] = static_cast<EData>((pins[word] & keep) | bits);
  if (shift + width > 32) pins[word + 1] = static_cast<EData>((pins[word + 1] & keep >> 32) | bits >> 32);
}

}  // namespace gt200::rtl
