// The content of a register: a number, or a pointer to one of several memories.
//
// A generic address is one that cvta makes. Where the hardware has no window for a memory (that of constants; on
// Tesla all but global memory), it is the address in that memory with a mark in its upper word, so that arithmetic
// on it, and keeping it in memory, need nothing else.
#pragma once

#include <cstdint>

#include "toolchain/ptx/ast.h"

namespace gt200::ptx {

// A set. unknown: a number, or nothing known. value: a number from the host or from memory; if it is a pointer, it
// points to global memory. any: neither a pointer nor certainly a number.
enum class pointee : std::uint8_t {
  unknown = 0,
  value = 1,
  global = 2,
  shared = 4,
  constant = 8,
  local = 16,
  special = shared | constant | local,
  marked = 32,  // cvta has made the pointer, so it is a generic address
  any = value | global | special | marked
};
constexpr pointee operator|(pointee a, pointee b) {
  return static_cast<pointee>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}
constexpr pointee operator&(pointee a, pointee b) {
  return static_cast<pointee>(static_cast<std::uint8_t>(a) & static_cast<std::uint8_t>(b));
}
// Whether `p` may be one of `of`.
constexpr bool may_be(pointee p, pointee of) { return (p & of) != pointee::unknown; }

constexpr pointee without(pointee p, pointee left_out) {
  return static_cast<pointee>(static_cast<unsigned>(p) & ~static_cast<unsigned>(left_out));
}
// Whether it is a pointer to one memory, which is not that of globals.
constexpr bool is_one(pointee p) {
  p = without(p, pointee::marked);
  return p == pointee::shared || p == pointee::constant || p == pointee::local;
}

// The mark of a memory without a window. 0: of global memory.
constexpr std::uint32_t address_mark(state_space s) {
  return s == state_space::shared ? 1 : s == state_space::local ? 2 : s == state_space::constant ? 3 : 0;
}

}  // namespace gt200::ptx
