// Helpers for pins that do not need Verilator.
#pragma once

namespace gt200::rtl {

// Bits of a number below `values`: $clog2, but at least one, because no pin is narrower.
constexpr unsigned bits_for(unsigned values) {
  unsigned bits = 1;
  while (1ull << bits < values) ++bits;
  return bits;
}

}  // namespace gt200::rtl
