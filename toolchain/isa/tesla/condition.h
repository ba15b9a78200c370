// The 32 predicate conditions as functions of a $c nibble {O,C,S,Z}.
// Source: truth table measured on silicon (decuda Logic.py, GPGPU-Sim decuda_pred_table.cc).
#pragma once

#include <array>
#include <cstdint>

#include "toolchain/isa/tesla/instruction.h"

namespace gt200::isa::tesla {

// Bit n of entry c is the result of condition c for nibble n. Codes 0x14..0x1b are undefined: 0 here, and the
// decoder refuses them.
inline constexpr std::array<std::uint16_t, 32> condition_table = {
    0x0000, 0xbb44, 0x2222, 0x3366, 0x4411, 0x5555, 0xcc33, 0x7777, 0x8888, 0x33cc, 0xaaaa,
    0xbbee, 0xcc99, 0xdddd, 0x44bb, 0xffff, 0xff00, 0xf0f0, 0x5050, 0xcccc, 0,      0,
    0,      0,      0,      0,      0,      0,      0x3333, 0xafaf, 0x0f0f, 0x00ff};

// Spelling in assembly text; null where undefined.
inline constexpr std::array<const char*, 32> condition_names = {
    "never", "l",     "e",     "le",    "g",      "lg",    "ge", "lge", "u",  "lu",    "eu",
    "leu",   "gu",    "lgu",   "geu",   "always", "o",     "c",  "a",   "s",  nullptr, nullptr,
    nullptr, nullptr, nullptr, nullptr, nullptr,  nullptr, "ns", "na",  "nc", "no"};

constexpr bool condition_holds(std::uint8_t code, std::uint8_t nibble) {
  return ((condition_table[code & 31] >> (nibble & 15)) & 1) != 0;
}
constexpr bool condition_defined(std::uint8_t code) { return code < 0x14 || code >= 0x1c; }

// Lanes of `active` for which the condition holds.
inline lane_mask condition_mask(std::uint8_t code, const std::uint8_t* nibbles, lane_mask active) {
  if (code == 0xf) return active;
  const std::uint32_t table = condition_table[code & 31];
  lane_mask result = 0;
  for (int lane = 0; lane < warp_size; ++lane) result |= ((table >> (nibbles[lane] & 15)) & 1u) << lane;
  return result & active;
}

}  // namespace gt200::isa::tesla
