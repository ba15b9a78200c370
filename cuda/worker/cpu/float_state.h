// How the processor's floating-point unit rounds, and what it does with denormal numbers. Code for the CPU is made
// for x86-64 alone; elsewhere this does nothing.
#pragma once

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

namespace gt200::cudart {

struct float_state {
  static constexpr unsigned to_nearest = 0x1f80;  // denormal numbers are kept, nothing raises an exception
  static constexpr unsigned flushing = 0x8040;    // denormal numbers are zeros
  static constexpr unsigned down = 0x2000;
  static constexpr unsigned up = 0x4000;
  static constexpr unsigned to_zero = down | up;  // the bits of the rounding mode

#if defined(__SSE2__)
  static unsigned get() { return _mm_getcsr(); }
  static void set(unsigned bits) { _mm_setcsr(bits); }
#else
  static unsigned get() { return to_nearest; }
  static void set(unsigned) {}
#endif
};

}  // namespace gt200::cudart
