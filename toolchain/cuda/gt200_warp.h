// What threads of a warp do together, by names of the CUDA C Programming Guide 9 and later.
//
// Before compute capability 7.0 they run in step, and __syncwarp() only keeps the order of accesses. From there on
// every thread has a program counter of its own: __syncwarp() and the functions with a mask wait for the threads of
// the mask.
#pragma once

#include "gt200_types.h"

#if __CUDA_ARCH__ >= 700

GT200_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) {
  asm volatile("bar.warp.sync %0;" : : "r"(mask) : "memory");
}
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
GT200_DEVICE int __all_sync(unsigned mask, int p) { return __ballot_sync(mask, !p) == 0; }
GT200_DEVICE int __any_sync(unsigned mask, int p) { return __ballot_sync(mask, p) != 0; }
GT200_DEVICE unsigned __match_any_sync(unsigned mask, unsigned v) {
  unsigned d;
  asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(d) : "r"(v), "r"(mask));
  return d;
}
// `limit`: the lane at which a segment ends, with the mask of the segment in bits 8 to 12.
#define GT200_SHUFFLE(NAME, MODE, LIMIT)                                                   \
  GT200_DEVICE int NAME(unsigned mask, int v, int lane, int width = 32) {                  \
    int d;                                                                                 \
    asm volatile("shfl.sync." MODE ".b32 %0, %1, %2, %3, %4;"                              \
                 : "=r"(d)                                                                 \
                 : "r"(v), "r"(lane), "r"((32 - width) << 8 | (LIMIT)), "r"(mask));        \
    return d;                                                                              \
  }                                                                                        \
  GT200_DEVICE unsigned NAME(unsigned mask, unsigned v, int lane, int width = 32) {        \
    return static_cast<unsigned>(NAME(mask, static_cast<int>(v), lane, width));            \
  }                                                                                        \
  GT200_DEVICE float NAME(unsigned mask, float v, int lane, int width = 32) {              \
    return __builtin_bit_cast(float, NAME(mask, __builtin_bit_cast(int, v), lane, width)); \
  }
GT200_SHUFFLE(__shfl_sync, "idx", 31)
GT200_SHUFFLE(__shfl_up_sync, "up", 0)
GT200_SHUFFLE(__shfl_down_sync, "down", 31)
GT200_SHUFFLE(__shfl_xor_sync, "bfly", 31)
#undef GT200_SHUFFLE

#else

GT200_DEVICE void __syncwarp(unsigned = 0xffffffffu) { GT200_KEEP_WARP_TOGETHER; }

#endif
