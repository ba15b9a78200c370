// Functions of two halves or four bytes of a word. Source: CUDA Math API, "SIMD Intrinsics".
#pragma once

#include "gt200_types.h"

// RESULT of the lanes x and y, which have the type T.
#define GT200_LANES(NAME, BITS, T, RESULT)                                        \
  GT200_DEVICE unsigned NAME(unsigned a, unsigned b) {                            \
    const int top = (1 << (BITS - 1)) - 1, bottom = -top - 1, mask = 2 * top + 1; \
    unsigned d = 0;                                                               \
    for (int k = 0; k < 32; k += BITS) {                                          \
      const int x = static_cast<T>(a >> k), y = static_cast<T>(b >> k);           \
      d |= static_cast<unsigned>((RESULT)&mask) << k;                             \
    }                                                                             \
    (void)bottom;                                                                 \
    return d;                                                                     \
  }
#define GT200_SIGNED(NAME, RESULT)        \
  GT200_LANES(NAME##2, 16, short, RESULT) \
  GT200_LANES(NAME##4, 8, signed char, RESULT)
#define GT200_UNSIGNED(NAME, RESULT)               \
  GT200_LANES(NAME##2, 16, unsigned short, RESULT) \
  GT200_LANES(NAME##4, 8, unsigned char, RESULT)
#define GT200_LIMITED(VALUE, LOW, HIGH) ((VALUE) < (LOW) ? (LOW) : (VALUE) > (HIGH) ? (HIGH) : (VALUE))

GT200_UNSIGNED(__vadd, x + y)
GT200_SIGNED(__vaddss, GT200_LIMITED(x + y, bottom, top))
GT200_UNSIGNED(__vaddus, GT200_LIMITED(x + y, 0, mask))
GT200_UNSIGNED(__vsub, x - y)
GT200_SIGNED(__vsubss, GT200_LIMITED(x - y, bottom, top))
GT200_UNSIGNED(__vsubus, GT200_LIMITED(x - y, 0, mask))
GT200_SIGNED(__vabsdiffs, x < y ? y - x : x - y)
GT200_UNSIGNED(__vabsdiffu, x < y ? y - x : x - y)
GT200_SIGNED(__vavgs, (x + y + (x + y >= 0)) >> 1)
GT200_UNSIGNED(__vavgu, (x + y + 1) >> 1)
GT200_UNSIGNED(__vhaddu, (x + y) >> 1)
GT200_SIGNED(__vmaxs, x > y ? x : y)
GT200_UNSIGNED(__vmaxu, x > y ? x : y)
GT200_SIGNED(__vmins, x < y ? x : y)
GT200_UNSIGNED(__vminu, x < y ? x : y)

// vcmp gives a lane of ones where the comparison holds, vset a one.
#define GT200_COMPARISON(FORM, KIND, OPERATOR) \
  GT200_##FORM(__vcmp##KIND, x OPERATOR y ? mask : 0) GT200_##FORM(__vset##KIND, x OPERATOR y ? 1 : 0)
GT200_COMPARISON(UNSIGNED, eq, ==)
GT200_COMPARISON(UNSIGNED, ne, !=)
GT200_COMPARISON(SIGNED, ges, >=)
GT200_COMPARISON(UNSIGNED, geu, >=)
GT200_COMPARISON(SIGNED, gts, >)
GT200_COMPARISON(UNSIGNED, gtu, >)
GT200_COMPARISON(SIGNED, les, <=)
GT200_COMPARISON(UNSIGNED, leu, <=)
GT200_COMPARISON(SIGNED, lts, <)
GT200_COMPARISON(UNSIGNED, ltu, <)
#undef GT200_COMPARISON
#undef GT200_LIMITED
#undef GT200_UNSIGNED
#undef GT200_SIGNED
#undef GT200_LANES

GT200_DEVICE unsigned gt200_sum2(unsigned a) { return (a & 0xffff) + (a >> 16); }
GT200_DEVICE unsigned gt200_sum4(unsigned a) { return gt200_sum2((a & 0xff00ff) + (a >> 8 & 0xff00ff)); }
// Functions of one word, and sums of the differences of all lanes.
#define GT200_OF_LANES(LANES)                                                                         \
  GT200_DEVICE unsigned __vneg##LANES(unsigned a) { return __vsub##LANES(0, a); }                     \
  GT200_DEVICE unsigned __vnegss##LANES(unsigned a) { return __vsubss##LANES(0, a); }                 \
  GT200_DEVICE unsigned __vabs##LANES(unsigned a) { return __vabsdiffs##LANES(a, 0); }                \
  GT200_DEVICE unsigned __vabsss##LANES(unsigned a) { return __vmaxs##LANES(a, __vnegss##LANES(a)); } \
  GT200_DEVICE unsigned __vsads##LANES(unsigned a, unsigned b) {                                      \
    return gt200_sum##LANES(__vabsdiffs##LANES(a, b));                                                \
  }                                                                                                   \
  GT200_DEVICE unsigned __vsadu##LANES(unsigned a, unsigned b) {                                      \
    return gt200_sum##LANES(__vabsdiffu##LANES(a, b));                                                \
  }
GT200_OF_LANES(2)
GT200_OF_LANES(4)
#undef GT200_OF_LANES
