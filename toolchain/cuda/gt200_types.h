// Attributes of CUDA C, vector types and dim3, for host and device. Sizes and alignments are those of the CUDA C
// Programming Guide 4.2, table B-1, for both sides.
#pragma once

// Libraries look for this name.
#define __HOST_DEFINES_H__

#ifdef __CUDA__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __host__ __attribute__((host))
#ifdef GT200_CPU
// A thread of the host runs one block at a time: what the block shares is what that thread has.
#define __shared__ __attribute__((shared)) thread_local
#else
#define __shared__ __attribute__((shared))
#endif
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#ifdef __CUDA_ARCH__
#define __managed__ __attribute__((device))
#else
// The runtime finds those variables of the host by their section (cuda_runtime.h).
#define __managed__ __attribute__((device)) __attribute__((section("gt200_managed")))
#endif
#else
#define __global__
#define __device__
#define __host__
#define __shared__
#define __constant__
#define __launch_bounds__(...)
#define __managed__
#endif
// Parameters of kernels are constant anyway; blocks have no clusters before compute capability 9.0.
#define __grid_constant__
#define __cluster_dims__(...)
#define __maxnreg__(...)
#define __nv_pure__
#define __forceinline__ __inline__ __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define CUDARTAPI
#define GT200_BOTH static __inline__ __attribute__((always_inline)) __host__ __device__

struct char1 {
  signed char x;
};
struct __align__(2) char2 {
  signed char x, y;
};
struct char3 {
  signed char x, y, z;
};
struct __align__(4) char4 {
  signed char x, y, z, w;
};
struct uchar1 {
  unsigned char x;
};
struct __align__(2) uchar2 {
  unsigned char x, y;
};
struct uchar3 {
  unsigned char x, y, z;
};
struct __align__(4) uchar4 {
  unsigned char x, y, z, w;
};
struct short1 {
  short x;
};
struct __align__(4) short2 {
  short x, y;
};
struct short3 {
  short x, y, z;
};
struct __align__(8) short4 {
  short x, y, z, w;
};
struct ushort1 {
  unsigned short x;
};
struct __align__(4) ushort2 {
  unsigned short x, y;
};
struct ushort3 {
  unsigned short x, y, z;
};
struct __align__(8) ushort4 {
  unsigned short x, y, z, w;
};
struct int1 {
  int x;
};
struct __align__(8) int2 {
  int x, y;
};
struct int3 {
  int x, y, z;
};
struct __align__(16) int4 {
  int x, y, z, w;
};
struct uint1 {
  unsigned x;
};
struct __align__(8) uint2 {
  unsigned x, y;
};
struct uint3 {
  unsigned x, y, z;
};
struct __align__(16) uint4 {
  unsigned x, y, z, w;
};
struct long1 {
  long x;
};
struct __align__(16) long2 {
  long x, y;
};
struct long3 {
  long x, y, z;
};
struct __align__(16) long4 {
  long x, y, z, w;
};
struct ulong1 {
  unsigned long x;
};
struct __align__(16) ulong2 {
  unsigned long x, y;
};
struct ulong3 {
  unsigned long x, y, z;
};
struct __align__(16) ulong4 {
  unsigned long x, y, z, w;
};
struct longlong1 {
  long long x;
};
struct __align__(16) longlong2 {
  long long x, y;
};
struct longlong3 {
  long long x, y, z;
};
struct __align__(16) longlong4 {
  long long x, y, z, w;
};
struct ulonglong1 {
  unsigned long long x;
};
struct __align__(16) ulonglong2 {
  unsigned long long x, y;
};
struct ulonglong3 {
  unsigned long long x, y, z;
};
struct __align__(16) ulonglong4 {
  unsigned long long x, y, z, w;
};
struct float1 {
  float x;
};
struct __align__(8) float2 {
  float x, y;
};
struct float3 {
  float x, y, z;
};
struct __align__(16) float4 {
  float x, y, z, w;
};
struct double1 {
  double x;
};
struct __align__(16) double2 {
  double x, y;
};
struct double3 {
  double x, y, z;
};
struct __align__(16) double4 {
  double x, y, z, w;
};

#ifdef __cplusplus
typedef __SIZE_TYPE__ size_t;

struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
  __host__ __device__ constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
  __host__ __device__ constexpr operator uint3() const { return {x, y, z}; }
};

GT200_BOTH char1 make_char1(signed char x) { return {x}; }
GT200_BOTH char2 make_char2(signed char x, signed char y) { return {x, y}; }
GT200_BOTH char3 make_char3(signed char x, signed char y, signed char z) { return {x, y, z}; }
GT200_BOTH char4 make_char4(signed char x, signed char y, signed char z, signed char w) { return {x, y, z, w}; }
GT200_BOTH uchar1 make_uchar1(unsigned char x) { return {x}; }
GT200_BOTH uchar2 make_uchar2(unsigned char x, unsigned char y) { return {x, y}; }
GT200_BOTH uchar3 make_uchar3(unsigned char x, unsigned char y, unsigned char z) { return {x, y, z}; }
GT200_BOTH uchar4 make_uchar4(unsigned char x, unsigned char y, unsigned char z, unsigned char w) {
  return {x, y, z, w};
}
GT200_BOTH short1 make_short1(short x) { return {x}; }
GT200_BOTH short2 make_short2(short x, short y) { return {x, y}; }
GT200_BOTH short3 make_short3(short x, short y, short z) { return {x, y, z}; }
GT200_BOTH short4 make_short4(short x, short y, short z, short w) { return {x, y, z, w}; }
GT200_BOTH ushort1 make_ushort1(unsigned short x) { return {x}; }
GT200_BOTH ushort2 make_ushort2(unsigned short x, unsigned short y) { return {x, y}; }
GT200_BOTH ushort3 make_ushort3(unsigned short x, unsigned short y, unsigned short z) { return {x, y, z}; }
GT200_BOTH ushort4 make_ushort4(unsigned short x, unsigned short y, unsigned short z, unsigned short w) {
  return {x, y, z, w};
}
GT200_BOTH int1 make_int1(int x) { return {x}; }
GT200_BOTH int2 make_int2(int x, int y) { return {x, y}; }
GT200_BOTH int3 make_int3(int x, int y, int z) { return {x, y, z}; }
GT200_BOTH int4 make_int4(int x, int y, int z, int w) { return {x, y, z, w}; }
GT200_BOTH uint1 make_uint1(unsigned x) { return {x}; }
GT200_BOTH uint2 make_uint2(unsigned x, unsigned y) { return {x, y}; }
GT200_BOTH uint3 make_uint3(unsigned x, unsigned y, unsigned z) { return {x, y, z}; }
GT200_BOTH uint4 make_uint4(unsigned x, unsigned y, unsigned z, unsigned w) { return {x, y, z, w}; }
GT200_BOTH long1 make_long1(long x) { return {x}; }
GT200_BOTH long2 make_long2(long x, long y) { return {x, y}; }
GT200_BOTH long3 make_long3(long x, long y, long z) { return {x, y, z}; }
GT200_BOTH long4 make_long4(long x, long y, long z, long w) { return {x, y, z, w}; }
GT200_BOTH ulong1 make_ulong1(unsigned long x) { return {x}; }
GT200_BOTH ulong2 make_ulong2(unsigned long x, unsigned long y) { return {x, y}; }
GT200_BOTH ulong3 make_ulong3(unsigned long x, unsigned long y, unsigned long z) { return {x, y, z}; }
GT200_BOTH ulong4 make_ulong4(unsigned long x, unsigned long y, unsigned long z, unsigned long w) {
  return {x, y, z, w};
}
GT200_BOTH longlong1 make_longlong1(long long x) { return {x}; }
GT200_BOTH longlong2 make_longlong2(long long x, long long y) { return {x, y}; }
GT200_BOTH longlong3 make_longlong3(long long x, long long y, long long z) { return {x, y, z}; }
GT200_BOTH longlong4 make_longlong4(long long x, long long y, long long z, long long w) { return {x, y, z, w}; }
GT200_BOTH ulonglong1 make_ulonglong1(unsigned long long x) { return {x}; }
GT200_BOTH ulonglong2 make_ulonglong2(unsigned long long x, unsigned long long y) { return {x, y}; }
GT200_BOTH ulonglong3 make_ulonglong3(unsigned long long x, unsigned long long y, unsigned long long z) {
  return {x, y, z};
}
GT200_BOTH ulonglong4 make_ulonglong4(unsigned long long x, unsigned long long y, unsigned long long z,
                                      unsigned long long w) {
  return {x, y, z, w};
}
GT200_BOTH float1 make_float1(float x) { return {x}; }
GT200_BOTH float2 make_float2(float x, float y) { return {x, y}; }
GT200_BOTH float3 make_float3(float x, float y, float z) { return {x, y, z}; }
GT200_BOTH float4 make_float4(float x, float y, float z, float w) { return {x, y, z, w}; }
GT200_BOTH double1 make_double1(double x) { return {x}; }
GT200_BOTH double2 make_double2(double x, double y) { return {x, y}; }
GT200_BOTH double3 make_double3(double x, double y, double z) { return {x, y, z}; }
GT200_BOTH double4 make_double4(double x, double y, double z, double w) { return {x, y, z, w}; }
#else
typedef struct char1 char1;
typedef struct char2 char2;
typedef struct char3 char3;
typedef struct char4 char4;
typedef struct uchar1 uchar1;
typedef struct uchar2 uchar2;
typedef struct uchar3 uchar3;
typedef struct uchar4 uchar4;
typedef struct short1 short1;
typedef struct short2 short2;
typedef struct short3 short3;
typedef struct short4 short4;
typedef struct ushort1 ushort1;
typedef struct ushort2 ushort2;
typedef struct ushort3 ushort3;
typedef struct ushort4 ushort4;
typedef struct int1 int1;
typedef struct int2 int2;
typedef struct int3 int3;
typedef struct int4 int4;
typedef struct uint1 uint1;
typedef struct uint2 uint2;
typedef struct uint3 uint3;
typedef struct uint4 uint4;
typedef struct long1 long1;
typedef struct long2 long2;
typedef struct long3 long3;
typedef struct long4 long4;
typedef struct ulong1 ulong1;
typedef struct ulong2 ulong2;
typedef struct ulong3 ulong3;
typedef struct ulong4 ulong4;
typedef struct longlong1 longlong1;
typedef struct longlong2 longlong2;
typedef struct longlong3 longlong3;
typedef struct longlong4 longlong4;
typedef struct ulonglong1 ulonglong1;
typedef struct ulonglong2 ulonglong2;
typedef struct ulonglong3 ulonglong3;
typedef struct ulonglong4 ulonglong4;
typedef struct float1 float1;
typedef struct float2 float2;
typedef struct float3 float3;
typedef struct float4 float4;
typedef struct double1 double1;
typedef struct double2 double2;
typedef struct double3 double3;
typedef struct double4 double4;
typedef struct dim3 {
  unsigned x, y, z;
} dim3;
#endif
