// Functions of compute capabilities 3.2 to 7.0 that single threads call: loads with a cache operator, funnel
// shifts, dot products of bytes, atomic operations of 64 bits and with a scope. Source: CUDA C Programming Guide,
// appendix "C++ Language Extensions".
#pragma once

#include "gt200_warp.h"

// Loads and stores with a cache operator: the operators say how likely data are used again and change no result.
// The caches here place all lines alike.
#if GT200_HAS(320)
#define GT200_LOAD(NAME)            \
  template <class T>                \
  GT200_DEVICE T NAME(const T* p) { \
    return *p;                      \
  }
GT200_LOAD(__ldg)
GT200_LOAD(__ldca)
GT200_LOAD(__ldcg)
GT200_LOAD(__ldcs)
GT200_LOAD(__ldlu)
#undef GT200_LOAD
// Does not return what an earlier load has left.
template <class T>
GT200_DEVICE T __ldcv(const T* p) {
  return *const_cast<const volatile T*>(p);
}
#define GT200_STORE(NAME)             \
  template <class T>                  \
  GT200_DEVICE void NAME(T* p, T v) { \
    *p = v;                           \
  }
GT200_STORE(__stwb)
GT200_STORE(__stcg)
GT200_STORE(__stcs)
GT200_STORE(__stwt)
#undef GT200_STORE

// Words of (high, low) shifted; the `c` forms shift by 32 at most, the others by the lower five bits.
GT200_DEVICE unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift) {
  unsigned d;
  asm("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(low), "r"(high), "r"(shift));
  return d;
}
GT200_DEVICE unsigned __funnelshift_lc(unsigned low, unsigned high, unsigned shift) {
  unsigned d;
  asm("shf.l.clamp.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(low), "r"(high), "r"(shift));
  return d;
}
GT200_DEVICE unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  unsigned d;
  asm("shf.r.wrap.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(low), "r"(high), "r"(shift));
  return d;
}
GT200_DEVICE unsigned __funnelshift_rc(unsigned low, unsigned high, unsigned shift) {
  unsigned d;
  asm("shf.r.clamp.b32 %0, %1, %2, %3;" : "=r"(d) : "r"(low), "r"(high), "r"(shift));
  return d;
}
#else
GT200_LACKING(__ldg, "3.2")
GT200_LACKING(__ldca, "3.2")
GT200_LACKING(__ldcg, "3.2")
GT200_LACKING(__ldcs, "3.2")
GT200_LACKING(__ldcv, "3.2")
GT200_LACKING(__stwb, "3.2")
GT200_LACKING(__stcg, "3.2")
GT200_LACKING(__stcs, "3.2")
GT200_LACKING(__stwt, "3.2")
GT200_LACKING(__funnelshift_l, "3.2")
GT200_LACKING(__funnelshift_lc, "3.2")
GT200_LACKING(__funnelshift_r, "3.2")
GT200_LACKING(__funnelshift_rc, "3.2")
#endif

// Generic addresses and those of one space. Every thread sees its own local memory at the same addresses.
#if GT200_HAS(200) && defined(__CUDA_ARCH__)
#define GT200_SPACE(NAME, NUMBER)                                                \
  GT200_DEVICE __SIZE_TYPE__ __cvta_generic_to_##NAME(const void* p) {           \
    return (__SIZE_TYPE__)(const __attribute__((address_space(NUMBER))) void*)p; \
  }                                                                              \
  GT200_DEVICE void* __cvta_##NAME##_to_generic(__SIZE_TYPE__ a) {               \
    return (void*)(__attribute__((address_space(NUMBER))) void*)a;               \
  }
GT200_SPACE(global, 1)
GT200_SPACE(shared, 3)
GT200_SPACE(constant, 4)
GT200_SPACE(local, 5)
#undef GT200_SPACE
#define GT200_IS_SPACE(FUNCTION, NAME)                                                          \
  GT200_DEVICE unsigned FUNCTION(const void* p) {                                               \
    unsigned d;                                                                                 \
    asm("{ .reg .pred p; isspacep." NAME " p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(d) : "l"(p)); \
    return d;                                                                                   \
  }
GT200_IS_SPACE(__isGlobal, "global")
GT200_IS_SPACE(__isShared, "shared")
GT200_IS_SPACE(__isLocal, "local")
#undef GT200_IS_SPACE
#else
__device__ __SIZE_TYPE__ __cvta_generic_to_global(const void* p);
__device__ __SIZE_TYPE__ __cvta_generic_to_shared(const void* p);
__device__ __SIZE_TYPE__ __cvta_generic_to_constant(const void* p);
__device__ __SIZE_TYPE__ __cvta_generic_to_local(const void* p);
__device__ void* __cvta_global_to_generic(__SIZE_TYPE__ a);
__device__ void* __cvta_shared_to_generic(__SIZE_TYPE__ a);
__device__ void* __cvta_constant_to_generic(__SIZE_TYPE__ a);
__device__ void* __cvta_local_to_generic(__SIZE_TYPE__ a);
__device__ unsigned __isGlobal(const void* p);
__device__ unsigned __isShared(const void* p);
__device__ unsigned __isLocal(const void* p);
#endif

// c plus the products of the four bytes of a and b; dp2a: of two halves of a with two bytes of b.
#if GT200_HAS(610)
#define GT200_DOT(NAME, INSTRUCTION, R, A, B)                                                  \
  GT200_DEVICE R NAME(A a, B b, R c) {                                                         \
    R d;                                                                                       \
    asm(INSTRUCTION " %0, %1, %2, %3;"                                                         \
        : "=r"(d)                                                                              \
        : "r"(__builtin_bit_cast(unsigned, a)), "r"(__builtin_bit_cast(unsigned, b)), "r"(c)); \
    return d;                                                                                  \
  }
GT200_DOT(__dp4a, "dp4a.s32.s32", int, int, int)
GT200_DOT(__dp4a, "dp4a.u32.u32", unsigned, unsigned, unsigned)
GT200_DOT(__dp4a, "dp4a.s32.s32", int, char4, char4)
GT200_DOT(__dp4a, "dp4a.u32.u32", unsigned, uchar4, uchar4)
GT200_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, int, int)
GT200_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned, unsigned, unsigned)
GT200_DOT(__dp2a_lo, "dp2a.lo.s32.s32", int, short2, char4)
GT200_DOT(__dp2a_lo, "dp2a.lo.u32.u32", unsigned, ushort2, uchar4)
GT200_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, int, int)
GT200_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned, unsigned, unsigned)
GT200_DOT(__dp2a_hi, "dp2a.hi.s32.s32", int, short2, char4)
GT200_DOT(__dp2a_hi, "dp2a.hi.u32.u32", unsigned, ushort2, uchar4)
#undef GT200_DOT
#else
GT200_LACKING(__dp4a, "6.1")
GT200_LACKING(__dp2a_lo, "6.1")
GT200_LACKING(__dp2a_hi, "6.1")
#endif

// Atomic operations of 64 bits, by comparing and exchanging.
template <class T>
struct gt200_is_double {};
template <>
struct gt200_is_double<double> {
  typedef void type;
};
#define GT200_ATOMIC_LOOP(NAME, T, NEXT)                                               \
  GT200_DEVICE T NAME(T* p, T v) {                                                     \
    unsigned long long* const word = reinterpret_cast<unsigned long long*>(p);         \
    unsigned long long seen = *const_cast<volatile unsigned long long*>(word);         \
    unsigned long long assumed;                                                        \
    do {                                                                               \
      assumed = seen;                                                                  \
      const T old = __builtin_bit_cast(T, assumed);                                    \
      seen = atomicCAS(word, assumed, __builtin_bit_cast(unsigned long long, (NEXT))); \
    } while (seen != assumed);                                                         \
    return __builtin_bit_cast(T, seen);                                                \
  }
#if GT200_HAS(320)
GT200_ATOMIC_LOOP(atomicMin, long long, v < old ? v : old)
GT200_ATOMIC_LOOP(atomicMax, long long, v > old ? v : old)
GT200_ATOMIC_LOOP(atomicMin, unsigned long long, v < old ? v : old)
GT200_ATOMIC_LOOP(atomicMax, unsigned long long, v > old ? v : old)
GT200_ATOMIC_LOOP(atomicAnd, unsigned long long, v& old)
GT200_ATOMIC_LOOP(atomicOr, unsigned long long, v | old)
GT200_ATOMIC_LOOP(atomicXor, unsigned long long, v ^ old)
#endif
#if GT200_HAS(600)
// A template: programs bring a function of their own for lower capabilities, which the compiler of the host's side
// sees too.
GT200_ATOMIC_LOOP(gt200_atomic_add, double, old + v)
template <class T, class U, class = typename gt200_is_double<T>::type>
GT200_DEVICE T atomicAdd(T* p, U v) {
  return gt200_atomic_add(p, static_cast<T>(v));
}
#endif
#undef GT200_ATOMIC_LOOP

// Scopes. An operation for the whole device serves a block as well, and the host and other devices see memory after
// the launch alone.
#if GT200_HAS(600)
#define GT200_SCOPED(NAME)                  \
  template <class T, class U>               \
  GT200_DEVICE T NAME##_block(T* p, U v) {  \
    return NAME(p, static_cast<T>(v));      \
  }                                         \
  template <class T, class U>               \
  GT200_DEVICE T NAME##_system(T* p, U v) { \
    return NAME(p, static_cast<T>(v));      \
  }
GT200_SCOPED(atomicAdd)
GT200_SCOPED(atomicSub)
GT200_SCOPED(atomicExch) GT200_SCOPED(atomicMin) GT200_SCOPED(atomicMax) GT200_SCOPED(atomicInc)
    GT200_SCOPED(atomicDec) GT200_SCOPED(atomicAnd) GT200_SCOPED(atomicOr) GT200_SCOPED(atomicXor)
#undef GT200_SCOPED
        template <class T, class U, class V>
        GT200_DEVICE T atomicCAS_block(T* p, U compare, V v) {
  return atomicCAS(p, static_cast<T>(compare), static_cast<T>(v));
}
template <class T, class U, class V>
GT200_DEVICE T atomicCAS_system(T* p, U compare, V v) {
  return atomicCAS(p, static_cast<T>(compare), static_cast<T>(v));
}
#endif
#if GT200_HAS(700)
GT200_DEVICE unsigned short atomicCAS(unsigned short* p, unsigned short compare, unsigned short v) {
  const unsigned long long address = reinterpret_cast<unsigned long long>(p);
  unsigned* const word = reinterpret_cast<unsigned*>(address & ~3ull);
  const unsigned shift = static_cast<unsigned>(address & 2) * 8;
  unsigned seen = *const_cast<volatile unsigned*>(word);
  for (;;) {
    const unsigned short old = static_cast<unsigned short>(seen >> shift);
    if (old != compare) return old;
    const unsigned assumed = seen;
    seen = atomicCAS(word, assumed, (assumed & ~(0xffffu << shift)) | static_cast<unsigned>(v) << shift);
    if (seen == assumed) return old;
  }
}
#endif

// The condition of a graph (cuda_graphs.h): its handle is the address of its word.
GT200_DEVICE void cudaGraphSetConditional(unsigned long long handle, unsigned value) {
  *reinterpret_cast<volatile unsigned*>(handle) = value;
}
