#include "testbenches/rtl/half_warps.h"

#include <algorithm>

namespace gt200::support {
namespace {

// A bit of an address of such a word.
unsigned lowest_bit_of(unsigned word_bytes) { return static_cast<unsigned>(__builtin_ctz(word_bytes)); }

}  // namespace

std::uint32_t half_warps::draw_base(unsigned word_bytes) {
  const auto any = static_cast<std::uint32_t>(random_());
  switch (draw(6)) {
    case 0: return any;
    case 1: return 0u - 16 * word_bytes * draw(3);  // around address 0
    case 2: return 0u - 128 * draw(3);
    case 3: return any & ~127u;  // a block, also the upper one of two
    default: return any & ~(16 * word_bytes - 1);
  }
}

std::uint16_t half_warps::draw_lanes() {
  const auto any = static_cast<std::uint16_t>(random_());
  std::uint16_t set = 0xffff;
  switch (draw(10)) {
    case 0: set = any; break;
    case 1: set = static_cast<std::uint16_t>(1u << draw(16)); break;
    case 2: set = static_cast<std::uint16_t>(any & random_()); break;
    case 3: set = static_cast<std::uint16_t>(any | random_()); break;
    case 4: set = static_cast<std::uint16_t>((any & 1) != 0 ? 0x00ff : 0xff00); break;
    case 5: set = static_cast<std::uint16_t>(0xffffu << draw(16)); break;
    case 6: set = static_cast<std::uint16_t>(0xffffu >> draw(16)); break;
    default: break;
  }
  return set != 0 ? set : std::uint16_t{1};
}

// Some lanes leave the pattern: by words, by one bit of the address, or to another block.
void half_warps::shift_lanes(unsigned word_bytes) {
  const unsigned lowest = lowest_bit_of(word_bytes);
  const std::uint32_t bit = 1u << (lowest + draw(32 - lowest));
  switch (draw(8)) {
    case 0: address_[draw(lanes)] += word_bytes * (1 + draw(3)); break;
    case 1: address_[draw(lanes)] -= word_bytes * (1 + draw(3)); break;
    case 2: address_[draw(lanes)] ^= bit; break;
    case 3:
      for (std::uint32_t& a : address_)
        if (draw(4) == 0) a ^= bit;
      break;
    case 4:
      for (unsigned n = lanes / 2; n < lanes; ++n) address_[n] ^= bit;
      break;
    case 5: std::swap(address_[draw(lanes)], address_[draw(lanes)]); break;
    default: break;
  }
}

void half_warps::draw_addresses(unsigned word_bytes) {
  const std::uint32_t base = draw_base(word_bytes);
  const std::uint32_t other = draw_base(word_bytes);
  const std::uint32_t window = (32u << draw(8)) - 1;
  const unsigned pattern = draw(9);
  const std::uint32_t stride = word_bytes * (pattern < 5 ? 1 : draw(40));
  for (unsigned n = 0; n < lanes; ++n) {
    const auto any = static_cast<std::uint32_t>(random_());
    switch (pattern) {
      case 6: address_[n] = base + (any & window); break;
      case 7: address_[n] = ((any & 256) != 0 ? base : other) + (any & 63); break;
      case 8: address_[n] = any; break;
      default: address_[n] = base + n * stride; break;
    }
  }
  if (draw(8) == 0) std::reverse(address_.begin(), address_.end());
  shift_lanes(word_bytes);
  for (std::uint32_t& a : address_) a &= ~(word_bytes - 1);
}

rtl::coalescer_pins::half_warp half_warps::draw() {
  rtl::coalescer_pins::half_warp half;
  half.word_bytes = draw(3) == 0 ? 4 : 1u << draw(5);
  half.separate = draw(16) == 0;
  half.active = draw_lanes();
  draw_addresses(half.word_bytes);
  if (draw(2) == 0)
    for (unsigned n = 0; n < lanes; ++n)
      if ((half.active >> n & 1) == 0) address_[n] = static_cast<std::uint32_t>(random_());
  half.address = address_.data();
  return half;
}

}  // namespace gt200::support
