// Access to fields of pins of any width, and the clock edge. Verilator makes pins of up to 64 bits integers and
// wider ones arrays of 32-bit words.
#pragma once

#include <cstddef>
#include <cstdint>

#include "verilated.h"

namespace gt200::rtl {

constexpr std::uint64_t ones(unsigned width) {
  return width >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1;
}

template <class Integer>
std::uint64_t field(const Integer& pins, unsigned offset, unsigned width) {
  return std::uint64_t{pins} >> offset & ones(width);
}
template <class Integer>
void set_field(Integer& pins, unsigned offset, unsigned width, std::uint64_t value) {
  pins = static_cast<Integer>((std::uint64_t{pins} & ~(ones(width) << offset)) | (value & ones(width)) << offset);
}

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

// Makes a rising edge on the pin `clock` of the Verilated class `top`, whatever its level.
template <class Module, class Pin>
void rising_edge(Module& top, Pin& clock) {
  if (clock != 0) {
    clock = 0;
    top.eval();
  }
  clock = 1;
  top.eval();
}

}  // namespace gt200::rtl
