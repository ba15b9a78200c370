// Helpers for pins that do not need Verilator.
#pragma once

namespace gt200::rtl {

// Bits of a number below `values`: $clog2.
constexpr unsigned bits_for(unsigned values) {
  unsigned bits = 0;
  while (1ull << bits < values) ++bits;
  return bits;
}

}  // namespace gt200::rtl
