// Parts of the device's functions for the chip: instructions of PTX. gt200_cpu.h has the same for the
// host's processor.
#pragma once

#include "gt200_types.h"

// A component of %tid, %ctaid, %ntid or %nctaid.
#define GT200_SPECIAL_REGISTER(NAME, COMPONENT) __nvvm_read_ptx_sreg_##NAME##_##COMPONENT()

// clang knows __syncthreads() itself.
GT200_DEVICE void __threadfence() { __nvvm_membar_gl(); }
GT200_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
GT200_DEVICE unsigned clock() { return __nvvm_read_ptx_sreg_clock(); }
GT200_DEVICE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }

// Atomic operations of 32 bits, in global and shared memory. Except for minimum and maximum, int and unsigned use
// the same operation.
#define GT200_ATOMIC(NAME, OPERATION)                                                       \
  GT200_DEVICE int NAME(int* p, int v) { return __nvvm_atom_##OPERATION##_gen_i(p, v); }    \
  GT200_DEVICE unsigned NAME(unsigned* p, unsigned v) {                                     \
    return __nvvm_atom_##OPERATION##_gen_i(reinterpret_cast<int*>(p), static_cast<int>(v)); \
  }
GT200_ATOMIC(atomicAdd, add)
GT200_ATOMIC(atomicExch, xchg)
GT200_ATOMIC(atomicAnd, and)
GT200_ATOMIC(atomicOr, or)
GT200_ATOMIC(atomicXor, xor)
GT200_DEVICE int atomicMin(int* p, int v) { return __nvvm_atom_min_gen_i(p, v); }
GT200_DEVICE unsigned atomicMin(unsigned* p, unsigned v) { return __nvvm_atom_min_gen_ui(p, v); }
GT200_DEVICE int atomicMax(int* p, int v) { return __nvvm_atom_max_gen_i(p, v); }
GT200_DEVICE unsigned atomicMax(unsigned* p, unsigned v) { return __nvvm_atom_max_gen_ui(p, v); }
GT200_DEVICE unsigned atomicInc(unsigned* p, unsigned v) { return __nvvm_atom_inc_gen_ui(p, v); }
GT200_DEVICE unsigned atomicDec(unsigned* p, unsigned v) { return __nvvm_atom_dec_gen_ui(p, v); }
GT200_DEVICE int atomicCAS(int* p, int compare, int v) { return __nvvm_atom_cas_gen_i(p, compare, v); }
GT200_DEVICE unsigned atomicCAS(unsigned* p, unsigned compare, unsigned v) {
  return __nvvm_atom_cas_gen_i(reinterpret_cast<int*>(p), static_cast<int>(compare), static_cast<int>(v));
}
// 64-bit atomic operations in global memory. In assembly, because newer versions of clang turn the sum into a loop.
#if defined(__LP64__)
#define GT200_POINTER "l"
#else
#define GT200_POINTER "r"
#endif
GT200_DEVICE unsigned long long atomicAdd(unsigned long long* p, unsigned long long v) {
  unsigned long long old;
  asm volatile("atom.add.u64 %0, [%1], %2;" : "=l"(old) : GT200_POINTER(p), "l"(v) : "memory");
  return old;
}
GT200_DEVICE unsigned long long atomicExch(unsigned long long* p, unsigned long long v) {
  unsigned long long old;
  asm volatile("atom.exch.b64 %0, [%1], %2;" : "=l"(old) : GT200_POINTER(p), "l"(v) : "memory");
  return old;
}
GT200_DEVICE unsigned long long atomicCAS(unsigned long long* p, unsigned long long compare, unsigned long long v) {
  unsigned long long old;
  asm volatile("atom.cas.b64 %0, [%1], %2, %3;" : "=l"(old) : GT200_POINTER(p), "l"(compare), "l"(v) : "memory");
  return old;
}

// Products of 24 bits, upper halves of products, sums of differences.
GT200_DEVICE int __mul24(int a, int b) {
  int d;
  asm("mul24.lo.s32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}
GT200_DEVICE unsigned __umul24(unsigned a, unsigned b) {
  unsigned d;
  asm("mul24.lo.u32 %0, %1, %2;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}
GT200_DEVICE long long __mul64hi(long long a, long long b) {
  long long d;
  asm("mul.hi.s64 %0, %1, %2;" : "=l"(d) : "l"(a), "l"(b));
  return d;
}
GT200_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  unsigned long long d;
  asm("mul.hi.u64 %0, %1, %2;" : "=l"(d) : "l"(a), "l"(b));
  return d;
}
GT200_DEVICE unsigned __sad(int a, int b, unsigned c) {
  unsigned d;
  asm("sad.s32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
GT200_DEVICE unsigned __usad(unsigned a, unsigned b, unsigned c) {
  unsigned d;
  asm("sad.u32 %0, %1, %2, %3;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
  return d;
}
// Votes of the active threads of the warp.
#define GT200_VOTE(NAME, MODE)                                                                               \
  GT200_DEVICE int NAME(int p) {                                                                             \
    int d;                                                                                                   \
    asm volatile("{ .reg .pred p, q; setp.ne.s32 p, %1, 0; vote." MODE ".pred q, p; selp.s32 %0, 1, 0, q; }" \
                 : "=r"(d)                                                                                   \
                 : "r"(p));                                                                                  \
    return d;                                                                                                \
  }
GT200_VOTE(__all, "all")
GT200_VOTE(__any, "any")
// Nothing: threads of a warp run in step before compute capability 7.0.
#define GT200_KEEP_WARP_TOGETHER asm volatile("" : : : "memory")
// `MODE`: rounding and types of PTX.
#define GT200_CONVERT(NAME, TO, FROM, MODE, RESULT, ARGUMENT) \
  GT200_DEVICE TO NAME(FROM x) {                              \
    TO d;                                                     \
    asm("cvt." MODE " %0, %1;" : RESULT(d) : ARGUMENT(x));    \
    return d;                                                 \
  }
GT200_DEVICE void __trap() { asm volatile("trap;"); }

// Functions of compute capability 2.0. A kernel that calls one is refused by name for a chip before it.
// Source: CUDA C Programming Guide, appendix B.

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

// Fetches of textures, for gt200_textures.h.
#define GT200_COORDINATE(CONSTRAINT, X) CONSTRAINT(X)
#define GT200_FETCH(NAME, DIMENSIONS, INSTRUCTION, COORDINATES, PARAMETERS, ...)                        \
  template <class T, cudaTextureReadMode mode>                                                          \
  GT200_DEVICE typename gt200_fetched<T, mode>::type NAME(texture<T, DIMENSIONS, mode> t, PARAMETERS) { \
    gt200_texel_words words;                                                                            \
    asm(INSTRUCTION " {%0, %1, %2, %3}, [%4, " COORDINATES "];"                                         \
        : "=f"(words.x), "=f"(words.y), "=f"(words.z), "=f"(words.w)                                    \
        : "l"(*reinterpret_cast<unsigned long long*>(&t)), __VA_ARGS__);                                \
    return gt200_texel<typename gt200_fetched<T, mode>::type>::of(words);                               \
  }
