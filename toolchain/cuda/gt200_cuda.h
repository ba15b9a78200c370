// CUDA C for compute capability 1.3 on clang: index variables, synchronisation, atomic operations, mathematical
// functions, textures. `gt200` puts this header in front of every .cu file, so that no CUDA toolkit is needed.
#pragma once

#include "gt200_types.h"

#define GT200_MEMBER __inline__ __attribute__((always_inline, device))
#define GT200_DEVICE static __inline__ __attribute__((always_inline, device))

// threadIdx.x and the like are read from the hardware at each use.
#define GT200_INDEX(NAME, REGISTER)                                                        \
  struct gt200_##NAME {                                                                    \
    __declspec(property(get = get_x)) unsigned x;                                          \
    __declspec(property(get = get_y)) unsigned y;                                          \
    __declspec(property(get = get_z)) unsigned z;                                          \
    static GT200_MEMBER unsigned get_x() { return __nvvm_read_ptx_sreg_##REGISTER##_x(); } \
    static GT200_MEMBER unsigned get_y() { return __nvvm_read_ptx_sreg_##REGISTER##_y(); } \
    static GT200_MEMBER unsigned get_z() { return __nvvm_read_ptx_sreg_##REGISTER##_z(); } \
    GT200_MEMBER operator uint3() const { return {get_x(), get_y(), get_z()}; }            \
    GT200_MEMBER operator dim3() const { return {get_x(), get_y(), get_z()}; }             \
  };                                                                                       \
  extern const __attribute__((device, weak)) gt200_##NAME NAME;
GT200_INDEX(threadIdx, tid)
GT200_INDEX(blockIdx, ctaid)
GT200_INDEX(blockDim, ntid)
GT200_INDEX(gridDim, nctaid)
static constexpr int warpSize = 32;

// clang knows __syncthreads() itself.
GT200_DEVICE void __threadfence() { __nvvm_membar_gl(); }
GT200_DEVICE void __threadfence_block() { __nvvm_membar_cta(); }
GT200_DEVICE unsigned clock() { return __nvvm_read_ptx_sreg_clock(); }

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
GT200_DEVICE int atomicSub(int* p, int v) { return atomicAdd(p, static_cast<int>(0u - static_cast<unsigned>(v))); }
GT200_DEVICE unsigned atomicSub(unsigned* p, unsigned v) { return atomicAdd(p, 0u - v); }
GT200_DEVICE float atomicExch(float* p, float v) {
  return __builtin_bit_cast(float, atomicExch(reinterpret_cast<int*>(p), __builtin_bit_cast(int, v)));
}
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

// Intrinsics: one instruction, or nearly one.
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
GT200_DEVICE unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned long long>(a) * b >> 32; }
GT200_DEVICE int __mulhi(int a, int b) { return static_cast<long long>(a) * b >> 32; }
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
GT200_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
GT200_DEVICE int __clz(int x) { return x == 0 ? 32 : __builtin_clz(x); }
GT200_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
GT200_DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
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
#define GT200_CONVERT(NAME, TO, FROM, MODE, RESULT, ARGUMENT) \
  GT200_DEVICE TO NAME(FROM x) {                              \
    TO d;                                                     \
    asm("cvt." MODE " %0, %1;" : RESULT(d) : ARGUMENT(x));    \
    return d;                                                 \
  }
GT200_CONVERT(__float2int_rn, int, float, "rni.s32.f32", "=r", "f")
GT200_CONVERT(__float2int_rz, int, float, "rzi.s32.f32", "=r", "f")
GT200_CONVERT(__float2int_ru, int, float, "rpi.s32.f32", "=r", "f")
GT200_CONVERT(__float2int_rd, int, float, "rmi.s32.f32", "=r", "f")
GT200_CONVERT(__float2uint_rn, unsigned, float, "rni.u32.f32", "=r", "f")
GT200_CONVERT(__float2uint_rz, unsigned, float, "rzi.u32.f32", "=r", "f")
GT200_CONVERT(__int2float_rn, float, int, "rn.f32.s32", "=f", "r")
GT200_CONVERT(__int2float_rz, float, int, "rz.f32.s32", "=f", "r")
GT200_CONVERT(__uint2float_rn, float, unsigned, "rn.f32.u32", "=f", "r")
GT200_DEVICE int __float_as_int(float f) { return __builtin_bit_cast(int, f); }
GT200_DEVICE float __int_as_float(int i) { return __builtin_bit_cast(float, i); }

#include "gt200_fermi.h"
#include "gt200_intrinsics.h"
#include "gt200_math.h"
#include "gt200_special.h"
#include "gt200_textures.h"
#include "gt200_warp.h"
