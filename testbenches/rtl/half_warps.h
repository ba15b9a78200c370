// Random half-warps for the coalescer: patterns of the guide and of programs, and what lies just beside them.
#pragma once

#include <array>
#include <cstdint>
#include <random>

#include "rtl_ref/coalescer/pins.h"

namespace gt200::support {

class half_warps {
 public:
  static constexpr unsigned lanes = rtl::coalescer_pins::lanes;

  explicit half_warps(std::uint64_t seed) : random_(seed) {}

  // The addresses stay until the next call.
  rtl::coalescer_pins::half_warp draw();
  unsigned draw(unsigned below) { return static_cast<unsigned>(random_() % below); }

 private:
  std::uint32_t draw_base(unsigned word_bytes);
  std::uint16_t draw_lanes();
  void draw_addresses(unsigned word_bytes);
  void shift_lanes(unsigned word_bytes);

  std::mt19937_64 random_;
  std::array<std::uint32_t, lanes> address_{};
};

}  // namespace gt200::support
