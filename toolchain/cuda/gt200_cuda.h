// CUDA C for compute capability 1.3 on clang: index variables, synchronisation, atomic operations, mathematical
// functions, textures. `gt200` puts this header in front of every .cu file, so that no CUDA toolkit is needed.
#pragma once

#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define GT200_MEMBER __inline__ __attribute__((always_inline, device))
#define GT200_DEVICE static __inline__ __attribute__((always_inline, device))

typedef __SIZE_TYPE__ size_t;

struct __attribute__((aligned(8))) int2 {
  int x, y;
};
struct __attribute__((aligned(16))) int4 {
  int x, y, z, w;
};
struct __attribute__((aligned(8))) uint2 {
  unsigned x, y;
};
struct __attribute__((aligned(16))) uint4 {
  unsigned x, y, z, w;
};
struct __attribute__((aligned(8))) float2 {
  float x, y;
};
struct int3 {
  int x, y, z;
};
struct uint3 {
  unsigned x, y, z;
};
struct __attribute__((aligned(2))) char2 {
  signed char x, y;
};
struct __attribute__((aligned(2))) uchar2 {
  unsigned char x, y;
};
struct __attribute__((aligned(4))) char4 {
  signed char x, y, z, w;
};
struct __attribute__((aligned(4))) uchar4 {
  unsigned char x, y, z, w;
};
struct __attribute__((aligned(4))) short2 {
  short x, y;
};
struct __attribute__((aligned(4))) ushort2 {
  unsigned short x, y;
};
struct __attribute__((aligned(16))) double2 {
  double x, y;
};
struct float3 {
  float x, y, z;
};
struct __attribute__((aligned(16))) float4 {
  float x, y, z, w;
};
GT200_DEVICE float2 make_float2(float x, float y) { return {x, y}; }
GT200_DEVICE float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
GT200_DEVICE float3 make_float3(float x, float y, float z) { return {x, y, z}; }
GT200_DEVICE int2 make_int2(int x, int y) { return {x, y}; }
GT200_DEVICE int3 make_int3(int x, int y, int z) { return {x, y, z}; }
GT200_DEVICE int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
GT200_DEVICE uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
GT200_DEVICE uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
GT200_DEVICE double2 make_double2(double x, double y) { return {x, y}; }

// threadIdx.x and the like are read from the hardware at each use.
#define GT200_INDEX(NAME, REGISTER)                                                        \
  struct gt200_##NAME {                                                                    \
    __declspec(property(get = get_x)) unsigned x;                                          \
    __declspec(property(get = get_y)) unsigned y;                                          \
    __declspec(property(get = get_z)) unsigned z;                                          \
    static GT200_MEMBER unsigned get_x() { return __nvvm_read_ptx_sreg_##REGISTER##_x(); } \
    static GT200_MEMBER unsigned get_y() { return __nvvm_read_ptx_sreg_##REGISTER##_y(); } \
    static GT200_MEMBER unsigned get_z() { return __nvvm_read_ptx_sreg_##REGISTER##_z(); } \
  };                                                                                       \
  extern const __attribute__((device, weak)) gt200_##NAME NAME;
GT200_INDEX(threadIdx, tid)
GT200_INDEX(blockIdx, ctaid)
GT200_INDEX(blockDim, ntid)
GT200_INDEX(gridDim, nctaid)
#define warpSize 32

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
GT200_DEVICE float __fdividef(float a, float b) { return __nvvm_div_approx_f(a, b); }
GT200_DEVICE float __sinf(float x) { return __nvvm_sin_approx_f(x); }
GT200_DEVICE float __cosf(float x) { return __nvvm_cos_approx_f(x); }
GT200_DEVICE float exp2f(float x) { return __nvvm_ex2_approx_f(x); }
GT200_DEVICE float __log2f(float x) { return __nvvm_lg2_approx_f(x); }
GT200_DEVICE float __expf(float x) { return __nvvm_ex2_approx_f(x * 1.4426950408889634f); }
GT200_DEVICE float __logf(float x) { return __nvvm_lg2_approx_f(x) * 0.6931471805599453f; }
GT200_DEVICE float __powf(float x, float y) { return __nvvm_ex2_approx_f(y * __nvvm_lg2_approx_f(x)); }
GT200_DEVICE float rsqrtf(float x) { return __nvvm_rsqrt_approx_f(x); }
GT200_DEVICE float sqrtf(float x) { return __nvvm_sqrt_approx_f(x); }
GT200_DEVICE double sqrt(double x) { return __nvvm_sqrt_rn_d(x); }
GT200_DEVICE double fabs(double x) { return __builtin_fabs(x); }
GT200_DEVICE float floorf(float x) { return __builtin_floorf(x); }
GT200_DEVICE float ceilf(float x) { return __builtin_ceilf(x); }
GT200_DEVICE float truncf(float x) { return __builtin_truncf(x); }
GT200_DEVICE float fabsf(float x) { return __builtin_fabsf(x); }
GT200_DEVICE float fminf(float a, float b) { return __nvvm_fmin_f(a, b); }
GT200_DEVICE float fmaxf(float a, float b) { return __nvvm_fmax_f(a, b); }
GT200_DEVICE int min(int a, int b) { return a < b ? a : b; }
GT200_DEVICE int max(int a, int b) { return a > b ? a : b; }
GT200_DEVICE unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
GT200_DEVICE unsigned max(unsigned a, unsigned b) { return a > b ? a : b; }

// Textures: `texture<float, 2> image;` outside functions declares a texture of the program, which the launch
// description binds by name or unit. Texels are float, int, unsigned, or vectors of them; with
// cudaReadModeNormalizedFloat any type that reads as float.
enum cudaTextureReadMode { cudaReadModeElementType, cudaReadModeNormalizedFloat };
template <class T, int dimensions = 1, cudaTextureReadMode mode = cudaReadModeElementType>
struct texture {
  typedef T texel;
};
template <class T, int dimensions>
struct texture<T, dimensions, cudaReadModeNormalizedFloat> {
  typedef float texel;
};
// A fetch gives four words, whatever their type.
template <class T>
struct gt200_texel;
template <>
struct gt200_texel<float> {
  static GT200_MEMBER float of(float4 t) { return t.x; }
};
template <>
struct gt200_texel<float2> {
  static GT200_MEMBER float2 of(float4 t) { return {t.x, t.y}; }
};
template <>
struct gt200_texel<float4> {
  static GT200_MEMBER float4 of(float4 t) { return t; }
};
template <>
struct gt200_texel<int> {
  static GT200_MEMBER int of(float4 t) { return __float_as_int(t.x); }
};
template <>
struct gt200_texel<unsigned> {
  static GT200_MEMBER unsigned of(float4 t) { return __builtin_bit_cast(unsigned, t.x); }
};
template <>
struct gt200_texel<int4> {
  static GT200_MEMBER int4 of(float4 t) { return __builtin_bit_cast(int4, t); }
};
template <>
struct gt200_texel<uint4> {
  static GT200_MEMBER uint4 of(float4 t) { return __builtin_bit_cast(uint4, t); }
};
#define GT200_FETCH(NAME, INSTRUCTION, COORDINATES, ...)                     \
  ({                                                                         \
    float4 gt200_t;                                                          \
    asm(INSTRUCTION " {%0, %1, %2, %3}, [" #NAME ", " COORDINATES "];"       \
        : "=f"(gt200_t.x), "=f"(gt200_t.y), "=f"(gt200_t.z), "=f"(gt200_t.w) \
        : __VA_ARGS__);                                                      \
    gt200_texel<decltype(NAME)::texel>::of(gt200_t);                         \
  })
#define tex1Dfetch(NAME, X) GT200_FETCH(NAME, "tex.1d.v4.f32.s32", "{%4, %4, %4, %4}", "r"(static_cast<int>(X)))
#define tex1D(NAME, X) GT200_FETCH(NAME, "tex.1d.v4.f32.f32", "{%4, %4, %4, %4}", "f"(static_cast<float>(X)))
#define tex2D(NAME, X, Y) \
  GT200_FETCH(NAME, "tex.2d.v4.f32.f32", "{%4, %5, %5, %5}", "f"(static_cast<float>(X)), "f"(static_cast<float>(Y)))
#define tex3D(NAME, X, Y, Z)                                                             \
  GT200_FETCH(NAME, "tex.3d.v4.f32.f32", "{%4, %5, %6, %6}", "f"(static_cast<float>(X)), \
              "f"(static_cast<float>(Y)), "f"(static_cast<float>(Z)))
