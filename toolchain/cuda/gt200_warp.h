// Functions that threads of a warp call together: votes with a mask, shuffles, matches. Source: CUDA C Programming
// Guide, "Warp Vote Functions", "Warp Shuffle Functions", "Warp Match Functions".
//
// Before compute capability 7.0 the threads run in step, and __syncwarp() only keeps the order of accesses. From
// there on every thread has a program counter of its own: __syncwarp() and the functions with a mask wait for the
// threads of the mask.
//
// A function that the capability lacks is declared with an error, so that the compiler names it where it is called.
#pragma once

#include "gt200_types.h"

// The compiler of the host's side sees them all: __CUDA_ARCH__ is not defined there.
#if !defined(__CUDA_ARCH__)
#define GT200_HAS(CAPABILITY) 1
#else
#define GT200_HAS(CAPABILITY) (__CUDA_ARCH__ >= CAPABILITY)
#endif
#define GT200_LACKING(NAME, CAPABILITY) \
  template <class... T>                 \
  __device__ __attribute__((error("it needs compute capability " CAPABILITY))) int NAME(T...);

#ifdef GT200_CPU

GT200_DEVICE void __syncwarp(unsigned = 0xffffffffu) { GT200_KEEP_WARP_TOGETHER; }

#else

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 700
GT200_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) {
  asm volatile("bar.warp.sync %0;" : : "r"(mask) : "memory");
}
#else
GT200_DEVICE void __syncwarp(unsigned = 0xffffffffu) { GT200_KEEP_WARP_TOGETHER; }
#endif

#if GT200_HAS(300)
GT200_DEVICE unsigned __activemask() {
  unsigned d;
  asm volatile("activemask.b32 %0;" : "=r"(d));
  return d;
}
GT200_DEVICE unsigned __ballot_sync(unsigned mask, int p) {
  unsigned d;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.sync.ballot.b32 %0, p, %2; }"
               : "=r"(d)
               : "r"(p), "r"(mask));
  return d;
}
#elif GT200_HAS(200)
// The active threads of the mask; those run in step.
GT200_DEVICE unsigned __activemask() { return __ballot(1); }
GT200_DEVICE unsigned __ballot_sync(unsigned mask, int p) { return __ballot(p) & mask; }
#else
GT200_LACKING(__activemask, "2.0")
GT200_LACKING(__ballot_sync, "2.0")
GT200_LACKING(__all_sync, "2.0")
GT200_LACKING(__any_sync, "2.0")
GT200_LACKING(__uni_sync, "2.0")
#endif
#if GT200_HAS(200)
GT200_DEVICE int __all_sync(unsigned mask, int p) { return __ballot_sync(mask, !p) == 0; }
GT200_DEVICE int __any_sync(unsigned mask, int p) { return __ballot_sync(mask, p) != 0; }
GT200_DEVICE int __uni_sync(unsigned mask, int p) {
  const unsigned votes = __ballot_sync(mask, p);
  return votes == 0 || votes == (mask & __activemask());
}
#endif

// `LIMIT`: the lane at which a segment ends, with the mask of the segment in bits 8 to 12. The forms without a mask
// are for the active threads. Those of 64 bits are templates: programs bring functions of their own for them.
#if GT200_HAS(300)
#define GT200_SHUFFLE_CASTS(NAME, GIVEN, PASSED, LANE)                                      \
  GT200_DEVICE unsigned NAME(GIVEN unsigned v, LANE lane, int width = 32) {                 \
    return static_cast<unsigned>(NAME(PASSED static_cast<int>(v), lane, width));            \
  }                                                                                         \
  GT200_DEVICE float NAME(GIVEN float v, LANE lane, int width = 32) {                       \
    return __builtin_bit_cast(float, NAME(PASSED __builtin_bit_cast(int, v), lane, width)); \
  }                                                                                         \
  template <class T, class = typename gt200_is_wide<T>::type>                               \
  GT200_DEVICE T NAME(GIVEN T v, LANE lane, int width = 32) {                               \
    const unsigned long long bits = __builtin_bit_cast(unsigned long long, v);              \
    const unsigned low = NAME(PASSED static_cast<unsigned>(bits), lane, width);             \
    const unsigned high = NAME(PASSED static_cast<unsigned>(bits >> 32), lane, width);      \
    return __builtin_bit_cast(T, static_cast<unsigned long long>(high) << 32 | low);        \
  }
#define GT200_NOTHING
#define GT200_COMMA ,
#define GT200_SHUFFLE(NAME, MODE, LIMIT, LANE)                                        \
  GT200_DEVICE int NAME##_sync(unsigned mask, int v, LANE lane, int width = 32) {     \
    int d;                                                                            \
    asm volatile("shfl.sync." MODE ".b32 %0, %1, %2, %3, %4;"                         \
                 : "=r"(d)                                                            \
                 : "r"(v), "r"(lane), "r"((32 - width) << 8 | (LIMIT)), "r"(mask));   \
    return d;                                                                         \
  }                                                                                   \
  GT200_SHUFFLE_CASTS(NAME##_sync, unsigned mask GT200_COMMA, mask GT200_COMMA, LANE) \
  GT200_DEVICE int NAME(int v, LANE lane, int width = 32) {                           \
    int d;                                                                            \
    asm volatile("shfl." MODE ".b32 %0, %1, %2, %3;"                                  \
                 : "=r"(d)                                                            \
                 : "r"(v), "r"(lane), "r"((32 - width) << 8 | (LIMIT)));              \
    return d;                                                                         \
  }                                                                                   \
  GT200_SHUFFLE_CASTS(NAME, GT200_NOTHING, GT200_NOTHING, LANE)
template <class T>
struct gt200_is_wide {};
#define GT200_WIDE(T)       \
  template <>               \
  struct gt200_is_wide<T> { \
    typedef void type;      \
  };
GT200_WIDE(long)
GT200_WIDE(unsigned long)
GT200_WIDE(long long)
GT200_WIDE(unsigned long long)
GT200_WIDE(double)
#undef GT200_WIDE
GT200_SHUFFLE(__shfl, "idx", 31, int)
GT200_SHUFFLE(__shfl_up, "up", 0, unsigned)
GT200_SHUFFLE(__shfl_down, "down", 31, unsigned)
GT200_SHUFFLE(__shfl_xor, "bfly", 31, int)
#undef GT200_SHUFFLE
#undef GT200_SHUFFLE_CASTS
#undef GT200_COMMA
#undef GT200_NOTHING
#else
GT200_LACKING(__shfl, "3.0")
GT200_LACKING(__shfl_up, "3.0")
GT200_LACKING(__shfl_down, "3.0")
GT200_LACKING(__shfl_xor, "3.0")
GT200_LACKING(__shfl_sync, "3.0")
GT200_LACKING(__shfl_up_sync, "3.0")
GT200_LACKING(__shfl_down_sync, "3.0")
GT200_LACKING(__shfl_xor_sync, "3.0")
#endif

#if GT200_HAS(700)
// __match_all_sync: the mask if all threads of it have the same value, else 0; `agree` says which.
#define GT200_MATCH(T, WORD, BITS, CONSTRAINT)                                                   \
  GT200_DEVICE unsigned __match_any_sync(unsigned mask, T v) {                                   \
    unsigned d;                                                                                  \
    asm volatile("match.any.sync." BITS " %0, %1, %2;"                                           \
                 : "=r"(d)                                                                       \
                 : CONSTRAINT(__builtin_bit_cast(WORD, v)), "r"(mask));                          \
    return d;                                                                                    \
  }                                                                                              \
  GT200_DEVICE unsigned __match_all_sync(unsigned mask, T v, int* agree) {                       \
    unsigned d;                                                                                  \
    int same;                                                                                    \
    asm volatile("{ .reg .pred p; match.all.sync." BITS " %0|p, %2, %3; selp.s32 %1, 1, 0, p; }" \
                 : "=r"(d), "=r"(same)                                                           \
                 : CONSTRAINT(__builtin_bit_cast(WORD, v)), "r"(mask));                          \
    *agree = same;                                                                               \
    return d;                                                                                    \
  }
GT200_MATCH(int, unsigned, "b32", "r")
GT200_MATCH(unsigned, unsigned, "b32", "r")
GT200_MATCH(float, unsigned, "b32", "r")
GT200_MATCH(long, unsigned long long, "b64", "l")
GT200_MATCH(unsigned long, unsigned long long, "b64", "l")
GT200_MATCH(long long, unsigned long long, "b64", "l")
GT200_MATCH(unsigned long long, unsigned long long, "b64", "l")
GT200_MATCH(double, unsigned long long, "b64", "l")
#undef GT200_MATCH
GT200_DEVICE void __nanosleep(unsigned nanoseconds) {
  asm volatile("nanosleep.u32 %0;" : : "r"(nanoseconds) : "memory");
}
#else
GT200_LACKING(__match_any_sync, "7.0")
GT200_LACKING(__match_all_sync, "7.0")
GT200_LACKING(__nanosleep, "7.0")
#endif
GT200_LACKING(__reduce_add_sync, "8.0, which no chip here has")
GT200_LACKING(__reduce_min_sync, "8.0, which no chip here has")
GT200_LACKING(__reduce_max_sync, "8.0, which no chip here has")
GT200_LACKING(__reduce_and_sync, "8.0, which no chip here has")
GT200_LACKING(__reduce_or_sync, "8.0, which no chip here has")
GT200_LACKING(__reduce_xor_sync, "8.0, which no chip here has")

#endif
