// CUDA C on clang: index variables, synchronisation, atomic operations, mathematical
// functions, textures. `gt200` puts this header in front of every .cu file, so that no CUDA toolkit is needed.
#pragma once

#include "gt200_types.h"

#define GT200_MEMBER __inline__ __attribute__((always_inline, device))
#define GT200_DEVICE static __inline__ __attribute__((always_inline, device))

static constexpr int warpSize = 32;

#ifdef GT200_CPU
#include "gt200_cpu.h"
#else
#include "gt200_ptx.h"
#endif

// threadIdx.x and the like are read from the hardware at each use.
#define GT200_INDEX(NAME, REGISTER)                                                      \
  struct gt200_##NAME {                                                                  \
    __declspec(property(get = get_x)) unsigned x;                                        \
    __declspec(property(get = get_y)) unsigned y;                                        \
    __declspec(property(get = get_z)) unsigned z;                                        \
    static GT200_MEMBER unsigned get_x() { return GT200_SPECIAL_REGISTER(REGISTER, x); } \
    static GT200_MEMBER unsigned get_y() { return GT200_SPECIAL_REGISTER(REGISTER, y); } \
    static GT200_MEMBER unsigned get_z() { return GT200_SPECIAL_REGISTER(REGISTER, z); } \
    GT200_MEMBER operator uint3() const { return {get_x(), get_y(), get_z()}; }          \
    GT200_MEMBER operator dim3() const { return {get_x(), get_y(), get_z()}; }           \
  };                                                                                     \
  extern const __attribute__((device, weak)) gt200_##NAME NAME;
GT200_INDEX(threadIdx, tid)
GT200_INDEX(blockIdx, ctaid)
GT200_INDEX(blockDim, ntid)
GT200_INDEX(gridDim, nctaid)

GT200_DEVICE int atomicSub(int* p, int v) { return atomicAdd(p, static_cast<int>(0u - static_cast<unsigned>(v))); }
GT200_DEVICE unsigned atomicSub(unsigned* p, unsigned v) { return atomicAdd(p, 0u - v); }
GT200_DEVICE float atomicExch(float* p, float v) {
  return __builtin_bit_cast(float, atomicExch(reinterpret_cast<int*>(p), __builtin_bit_cast(int, v)));
}

// Intrinsics: one instruction, or nearly one.
GT200_DEVICE unsigned __umulhi(unsigned a, unsigned b) { return static_cast<unsigned long long>(a) * b >> 32; }
GT200_DEVICE int __mulhi(int a, int b) { return static_cast<long long>(a) * b >> 32; }
GT200_DEVICE int __popc(unsigned x) { return __builtin_popcount(x); }
GT200_DEVICE int __clz(int x) { return x == 0 ? 32 : __builtin_clz(x); }
GT200_DEVICE int __ffs(int x) { return __builtin_ffs(x); }
GT200_DEVICE unsigned __brev(unsigned x) { return __builtin_bitreverse32(x); }
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

#include "gt200_intrinsics.h"
#include "gt200_math.h"
#include "gt200_simd.h"
#include "gt200_special.h"
#include "gt200_surfaces.h"
#include "gt200_textures.h"
#include "gt200_warp.h"
#ifndef GT200_CPU
#include "gt200_kernel_library.h"
#include "gt200_later.h"
#endif
#include "gt200_missing.h"
