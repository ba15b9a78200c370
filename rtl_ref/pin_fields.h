// Access to fields of pins that are integers, and the clock edge.
#pragma once

#include <cstdint>

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

// Makes a rising edge on the pin `clock` of the simulated module `top`, whatever its level.
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
