// Arithmetic of vector types, by the names of the utilities of NVIDIA's SDKs, for host and device.
#pragma once

#include <math.h>

#include "cuda_runtime.h"

#define GT200_VECTOR static __inline__ __host__ __device__

GT200_VECTOR float lerp(float a, float b, float t) { return a + t * (b - a); }
GT200_VECTOR float clamp(float x, float low, float high) { return x < low ? low : x > high ? high : x; }
GT200_VECTOR int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }

// `EACH(F)`: F for every component, with commas.
#define GT200_EACH2(F) F(x), F(y)
#define GT200_EACH3(F) F(x), F(y), F(z)
#define GT200_EACH4(F) F(x), F(y), F(z), F(w)
#define GT200_SUM(C) a.C + b.C
#define GT200_DIFFERENCE(C) a.C - b.C
#define GT200_PRODUCT(C) a.C* b.C
#define GT200_QUOTIENT(C) a.C / b.C
#define GT200_SUM_S(C) a.C + s
#define GT200_DIFFERENCE_S(C) a.C - s
#define GT200_PRODUCT_S(C) a.C* s
#define GT200_QUOTIENT_S(C) a.C / s
#define GT200_NEGATED(C) -a.C
#define GT200_LESSER(C) a.C < b.C ? a.C : b.C
#define GT200_GREATER(C) a.C < b.C ? b.C : a.C
#define GT200_LERP(C) a.C + s*(b.C - a.C)
#define GT200_CLAMP(C) clamp(a.C, low, high)
#define GT200_CLAMP_V(C) clamp(a.C, low.C, high.C)
#define GT200_FLOOR(C) floorf(a.C)
#define GT200_ABSOLUTE(C) fabsf(a.C)
#define GT200_SAME(C) s

#define GT200_VECTOR_FUNCTIONS(V, T, EACH)                                          \
  GT200_VECTOR V make_##V(T s) { return make_##V(EACH(GT200_SAME)); }               \
  GT200_VECTOR V operator+(V a, V b) { return make_##V(EACH(GT200_SUM)); }          \
  GT200_VECTOR V operator-(V a, V b) { return make_##V(EACH(GT200_DIFFERENCE)); }   \
  GT200_VECTOR V operator*(V a, V b) { return make_##V(EACH(GT200_PRODUCT)); }      \
  GT200_VECTOR V operator+(V a, T s) { return make_##V(EACH(GT200_SUM_S)); }        \
  GT200_VECTOR V operator-(V a, T s) { return make_##V(EACH(GT200_DIFFERENCE_S)); } \
  GT200_VECTOR V operator*(V a, T s) { return make_##V(EACH(GT200_PRODUCT_S)); }    \
  GT200_VECTOR V operator*(T s, V a) { return make_##V(EACH(GT200_PRODUCT_S)); }    \
  GT200_VECTOR void operator+=(V& a, V b) { a = a + b; }                            \
  GT200_VECTOR void operator-=(V& a, V b) { a = a - b; }                            \
  GT200_VECTOR void operator*=(V& a, V b) { a = a * b; }                            \
  GT200_VECTOR void operator+=(V& a, T s) { a = a + s; }                            \
  GT200_VECTOR void operator-=(V& a, T s) { a = a - s; }                            \
  GT200_VECTOR void operator*=(V& a, T s) { a = a * s; }                            \
  GT200_VECTOR V min(V a, V b) { return make_##V(EACH(GT200_LESSER)); }             \
  GT200_VECTOR V max(V a, V b) { return make_##V(EACH(GT200_GREATER)); }
#define GT200_FLOAT_VECTOR(V, EACH)                                                        \
  GT200_VECTOR_FUNCTIONS(V, float, EACH)                                                   \
  GT200_VECTOR V operator-(V a) { return make_##V(EACH(GT200_NEGATED)); }                  \
  GT200_VECTOR V operator/(V a, V b) { return make_##V(EACH(GT200_QUOTIENT)); }            \
  GT200_VECTOR V operator/(V a, float s) { return make_##V(EACH(GT200_QUOTIENT_S)); }      \
  GT200_VECTOR void operator/=(V& a, V b) { a = a / b; }                                   \
  GT200_VECTOR void operator/=(V& a, float s) { a = a / s; }                               \
  GT200_VECTOR V fminf(V a, V b) { return min(a, b); }                                     \
  GT200_VECTOR V fmaxf(V a, V b) { return max(a, b); }                                     \
  GT200_VECTOR V lerp(V a, V b, float s) { return make_##V(EACH(GT200_LERP)); }            \
  GT200_VECTOR V clamp(V a, float low, float high) { return make_##V(EACH(GT200_CLAMP)); } \
  GT200_VECTOR V clamp(V a, V low, V high) { return make_##V(EACH(GT200_CLAMP_V)); }       \
  GT200_VECTOR V floor(V a) { return make_##V(EACH(GT200_FLOOR)); }                        \
  GT200_VECTOR V fabs(V a) { return make_##V(EACH(GT200_ABSOLUTE)); }                      \
  GT200_VECTOR float length(V a) { return sqrtf(dot(a, a)); }                              \
  GT200_VECTOR V normalize(V a) { return a * (1.0f / sqrtf(dot(a, a))); }                  \
  GT200_VECTOR V reflect(V i, V n) { return i - 2.0f * n * dot(n, i); }
GT200_VECTOR float dot(float2 a, float2 b) { return a.x * b.x + a.y * b.y; }
GT200_VECTOR float dot(float3 a, float3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
GT200_VECTOR float dot(float4 a, float4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
GT200_FLOAT_VECTOR(float2, GT200_EACH2)
GT200_FLOAT_VECTOR(float3, GT200_EACH3)
GT200_FLOAT_VECTOR(float4, GT200_EACH4)
GT200_VECTOR_FUNCTIONS(int2, int, GT200_EACH2)
GT200_VECTOR_FUNCTIONS(int3, int, GT200_EACH3)
GT200_VECTOR_FUNCTIONS(int4, int, GT200_EACH4)
GT200_VECTOR_FUNCTIONS(uint2, unsigned, GT200_EACH2)
GT200_VECTOR_FUNCTIONS(uint3, unsigned, GT200_EACH3)
GT200_VECTOR_FUNCTIONS(uint4, unsigned, GT200_EACH4)
GT200_VECTOR float3 cross(float3 a, float3 b) {
  return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
GT200_VECTOR float2 make_float2(float3 a) { return make_float2(a.x, a.y); }
GT200_VECTOR float2 make_float2(int2 a) { return make_float2(static_cast<float>(a.x), static_cast<float>(a.y)); }
GT200_VECTOR int2 make_int2(float2 a) { return make_int2(static_cast<int>(a.x), static_cast<int>(a.y)); }
GT200_VECTOR float3 make_float3(float2 a, float z = 0.0f) { return make_float3(a.x, a.y, z); }
GT200_VECTOR float3 make_float3(float4 a) { return make_float3(a.x, a.y, a.z); }
GT200_VECTOR float3 make_float3(int3 a) {
  return make_float3(static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z));
}
GT200_VECTOR float4 make_float4(float3 a, float w = 0.0f) { return make_float4(a.x, a.y, a.z, w); }
GT200_VECTOR float4 make_float4(int4 a) {
  return make_float4(static_cast<float>(a.x), static_cast<float>(a.y), static_cast<float>(a.z),
                     static_cast<float>(a.w));
}
GT200_VECTOR int3 make_int3(float3 a) {
  return make_int3(static_cast<int>(a.x), static_cast<int>(a.y), static_cast<int>(a.z));
}

#undef GT200_FLOAT_VECTOR
#undef GT200_VECTOR_FUNCTIONS
#undef GT200_EACH2
#undef GT200_EACH3
#undef GT200_EACH4
#undef GT200_SUM
#undef GT200_DIFFERENCE
#undef GT200_PRODUCT
#undef GT200_QUOTIENT
#undef GT200_SUM_S
#undef GT200_DIFFERENCE_S
#undef GT200_PRODUCT_S
#undef GT200_QUOTIENT_S
#undef GT200_NEGATED
#undef GT200_LESSER
#undef GT200_GREATER
#undef GT200_LERP
#undef GT200_CLAMP
#undef GT200_CLAMP_V
#undef GT200_FLOOR
#undef GT200_ABSOLUTE
#undef GT200_SAME
#undef GT200_VECTOR
