// The input generator of launch descriptions: a 32-bit linear congruential generator whose upper 24 bits are used.
// Constants: Numerical Recipes, "An even quicker generator".
#pragma once

#include <cstdint>

namespace gt200::launch {

class random_sequence {
 public:
  explicit random_sequence(std::uint32_t seed) : state_(seed) {}

  // 24 random bits.
  std::uint32_t draw() {
    state_ = state_ * 1664525u + 1013904223u;
    return state_ >> 8;
  }
  // In [0, 1), a multiple of 2^-16 and so exact in single precision. Takes one draw.
  float draw_float() { return static_cast<float>(draw() & 0xffffu) / 65536.0f; }

 private:
  std::uint32_t state_;
};

}  // namespace gt200::launch
