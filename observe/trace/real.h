// Floating-point signals: they are recorded as their bits.
#pragma once

#include <cstdint>
#include <cstring>

namespace gt200::observe {

// The number of which `value` holds the bits. `bits`: 32 for single precision, else double.
inline double real_of(std::uint64_t value, unsigned bits) {
  double number = 0;
  std::memcpy(&number, &value, sizeof number);
  if (bits != 32) return number;
  const auto pattern = static_cast<std::uint32_t>(value);
  float single = 0;
  std::memcpy(&single, &pattern, sizeof single);
  return static_cast<double>(single);
}

}  // namespace gt200::observe
