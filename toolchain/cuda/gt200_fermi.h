// Functions of compute capability 2.0. A kernel that calls one is refused by name for a chip before it.
// Source: CUDA C Programming Guide, appendix B.
#pragma once

// Bit k of the result: thread k of the warp is active and its p is not 0.
GT200_DEVICE unsigned __ballot(int p) {
  unsigned d;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; vote.ballot.b32 %0, p; }" : "=r"(d) : "r"(p));
  return d;
}

// Barriers of the block that combine a value of all its threads.
GT200_DEVICE int __syncthreads_count(int p) {
  int d;
  asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }" : "=r"(d) : "r"(p) : "memory");
  return d;
}
#define GT200_BARRIER_VOTE(NAME, MODE)                                                                             \
  GT200_DEVICE int NAME(int p) {                                                                                   \
    int d;                                                                                                         \
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; bar.red." MODE ".pred q, 0, p; selp.s32 %0, 1, 0, q; }" \
                 : "=r"(d)                                                                                         \
                 : "r"(p)                                                                                          \
                 : "memory");                                                                                      \
    return d;                                                                                                      \
  }
GT200_BARRIER_VOTE(__syncthreads_and, "and")
GT200_BARRIER_VOTE(__syncthreads_or, "or")

GT200_DEVICE void __threadfence_system() { __nvvm_membar_sys(); }

GT200_DEVICE float atomicAdd(float* p, float v) {
  float old;
  asm volatile("atom.add.f32 %0, [%1], %2;" : "=f"(old) : GT200_POINTER(p), "f"(v) : "memory");
  return old;
}
