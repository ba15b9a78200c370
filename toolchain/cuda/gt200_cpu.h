// Parts of the device's functions for the host's processor: `gt200 nvcc -cpu`. gt200_ptx.h has the same
// for the chip. Functions of the special function unit, textures and directed rounding are those of the emulator.
#pragma once

#include "gt200_cpu_runtime.h"
#include "gt200_types.h"

// The engine sets these when it has loaded the code, and on every thread that runs it.
extern "C" {
__attribute__((device, weak)) const gt200_cpu_runtime* gt200_cpu_functions = nullptr;
__attribute__((device, weak)) thread_local gt200_cpu_place* gt200_cpu_here = nullptr;
__attribute__((device, weak)) void gt200_cpu_enter(gt200_cpu_place* place) { gt200_cpu_here = place; }
}

#define GT200_SPECIAL_REGISTER(NAME, COMPONENT) (gt200_cpu_here->NAME.COMPONENT)

GT200_DEVICE void gt200_cpu_wait() { gt200_cpu_functions->meet(gt200_cpu_barrier, 0); }
// clang knows the function itself, for the chip.
#define __syncthreads gt200_cpu_wait
GT200_DEVICE int __syncthreads_count(int p) { return gt200_cpu_functions->meet(gt200_cpu_barrier_count, p); }
GT200_DEVICE int __syncthreads_and(int p) { return gt200_cpu_functions->meet(gt200_cpu_barrier_and, p); }
GT200_DEVICE int __syncthreads_or(int p) { return gt200_cpu_functions->meet(gt200_cpu_barrier_or, p); }
GT200_DEVICE int __all(int p) { return gt200_cpu_functions->meet(gt200_cpu_vote_all, p); }
GT200_DEVICE int __any(int p) { return gt200_cpu_functions->meet(gt200_cpu_vote_any, p); }
GT200_DEVICE unsigned __ballot(int p) { return gt200_cpu_functions->meet(gt200_cpu_ballot, p); }
#define GT200_KEEP_WARP_TOGETHER gt200_cpu_functions->meet(gt200_cpu_warp, 0)

// Stands in front of every volatile access, which is where threads of a warp exchange words without a barrier
// (cuda/nvcc/cpu_code.h puts the calls there).
static __attribute__((device, used, always_inline)) inline void gt200_cpu_volatile() { GT200_KEEP_WARP_TOGETHER; }

// A thread that waits for another one in a loop with a fence or an atomic operation lets it run.
GT200_DEVICE void __threadfence() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  gt200_cpu_functions->yield();
}
GT200_DEVICE void __threadfence_block() { __threadfence(); }
GT200_DEVICE void __threadfence_system() { __threadfence(); }
GT200_DEVICE unsigned clock() { return static_cast<unsigned>(gt200_cpu_functions->clock()); }
GT200_DEVICE long long clock64() { return static_cast<long long>(gt200_cpu_functions->clock()); }
GT200_DEVICE void __trap() { gt200_cpu_functions->trap(); }

// Atomic operations
GT200_DEVICE void gt200_cpu_count_atomic() {
  const unsigned steps = 64;
  if (++gt200_cpu_here->atomics % steps == 0) gt200_cpu_functions->yield();
}
#define GT200_ATOMIC(NAME, T, OPERATION)      \
  GT200_DEVICE T NAME(T* p, T v) {            \
    gt200_cpu_count_atomic();                 \
    return OPERATION(p, v, __ATOMIC_SEQ_CST); \
  }
#define GT200_ATOMICS(NAME, OPERATION) \
  GT200_ATOMIC(NAME, int, OPERATION)   \
  GT200_ATOMIC(NAME, unsigned, OPERATION)
GT200_ATOMICS(atomicAdd, __atomic_fetch_add)
GT200_ATOMICS(atomicExch, __atomic_exchange_n)
GT200_ATOMICS(atomicAnd, __atomic_fetch_and)
GT200_ATOMICS(atomicOr, __atomic_fetch_or)
GT200_ATOMICS(atomicXor, __atomic_fetch_xor)
GT200_ATOMICS(atomicMin, __atomic_fetch_min)
GT200_ATOMICS(atomicMax, __atomic_fetch_max)
GT200_ATOMIC(atomicAdd, unsigned long long, __atomic_fetch_add)
GT200_ATOMIC(atomicExch, unsigned long long, __atomic_exchange_n)
#undef GT200_ATOMICS
#undef GT200_ATOMIC
template <class T>
GT200_DEVICE T gt200_cpu_compare_and_swap(T* p, T compare, T v) {
  gt200_cpu_count_atomic();
  __atomic_compare_exchange_n(p, &compare, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
  return compare;
}
GT200_DEVICE int atomicCAS(int* p, int compare, int v) { return gt200_cpu_compare_and_swap(p, compare, v); }
GT200_DEVICE unsigned atomicCAS(unsigned* p, unsigned compare, unsigned v) {
  return gt200_cpu_compare_and_swap(p, compare, v);
}
GT200_DEVICE unsigned long long atomicCAS(unsigned long long* p, unsigned long long compare, unsigned long long v) {
  return gt200_cpu_compare_and_swap(p, compare, v);
}
// `NEXT`: the new value of a word that was `old`.
#define GT200_ATOMIC_LOOP(NAME, T, NEXT)                                                           \
  GT200_DEVICE T NAME(T* p, T v) {                                                                 \
    gt200_cpu_count_atomic();                                                                      \
    T old;                                                                                         \
    T next;                                                                                        \
    __atomic_load(p, &old, __ATOMIC_SEQ_CST);                                                      \
    do next = NEXT;                                                                                \
    while (!__atomic_compare_exchange(p, &old, &next, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)); \
    return old;                                                                                    \
  }
GT200_ATOMIC_LOOP(atomicInc, unsigned, old >= v ? 0 : old + 1)
GT200_ATOMIC_LOOP(atomicDec, unsigned, old == 0 || old > v ? v : old - 1)
GT200_ATOMIC_LOOP(atomicAdd, float, old + v)
#undef GT200_ATOMIC_LOOP

// Products of 24 bits, upper halves of products, sums of differences.
GT200_DEVICE int __mul24(int a, int b) {
  return static_cast<int>(static_cast<unsigned>(static_cast<int>(static_cast<unsigned>(a) << 8) >> 8) *
                          static_cast<unsigned>(static_cast<int>(static_cast<unsigned>(b) << 8) >> 8));
}
GT200_DEVICE unsigned __umul24(unsigned a, unsigned b) { return (a & 0xffffffu) * (b & 0xffffffu); }
GT200_DEVICE long long __mul64hi(long long a, long long b) { return static_cast<__int128>(a) * b >> 64; }
GT200_DEVICE unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return static_cast<unsigned __int128>(a) * b >> 64;
}
GT200_DEVICE unsigned __sad(int a, int b, unsigned c) {
  const unsigned difference = static_cast<unsigned>(a) - static_cast<unsigned>(b);
  return c + (a < b ? 0u - difference : difference);
}
GT200_DEVICE unsigned __usad(unsigned a, unsigned b, unsigned c) { return c + (a < b ? b - a : a - b); }

// Directed rounding: 'n' nearest, 'z' to zero, 'm' down, 'p' up. Volatile operands and results keep the operation
// between the two calls.
#define GT200_ROUNDING(MODE, T, EXPRESSION) \
  if (MODE == 'n') return EXPRESSION;       \
  gt200_cpu_functions->round(MODE);         \
  const volatile T rounded = EXPRESSION;    \
  gt200_cpu_functions->round('n');          \
  return rounded;
template <char mode, class T>
GT200_DEVICE T gt200_cpu_sum(volatile T a, volatile T b) {
  GT200_ROUNDING(mode, T, a + b)
}
template <char mode, class T>
GT200_DEVICE T gt200_cpu_product(volatile T a, volatile T b) {
  GT200_ROUNDING(mode, T, a * b)
}
template <char mode>
GT200_DEVICE double gt200_cpu_fma(volatile double a, volatile double b,
                                  volatile double c){GT200_ROUNDING(mode, double, __builtin_fma(a, b, c))}
#define __nvvm_add_rn_f(a, b) gt200_cpu_sum<'n', float>(a, b)
#define __nvvm_add_rz_f(a, b) gt200_cpu_sum<'z', float>(a, b)
#define __nvvm_mul_rn_f(a, b) gt200_cpu_product<'n', float>(a, b)
#define __nvvm_mul_rz_f(a, b) gt200_cpu_product<'z', float>(a, b)
#define __nvvm_add_rn_d(a, b) gt200_cpu_sum<'n', double>(a, b)
#define __nvvm_add_rz_d(a, b) gt200_cpu_sum<'z', double>(a, b)
#define __nvvm_add_rm_d(a, b) gt200_cpu_sum<'m', double>(a, b)
#define __nvvm_add_rp_d(a, b) gt200_cpu_sum<'p', double>(a, b)
#define __nvvm_mul_rn_d(a, b) gt200_cpu_product<'n', double>(a, b)
#define __nvvm_mul_rz_d(a, b) gt200_cpu_product<'z', double>(a, b)
#define __nvvm_mul_rm_d(a, b) gt200_cpu_product<'m', double>(a, b)
#define __nvvm_mul_rp_d(a, b) gt200_cpu_product<'p', double>(a, b)
#define __nvvm_fma_rn_d(a, b, c) gt200_cpu_fma<'n'>(a, b, c)
#define __nvvm_fma_rz_d(a, b, c) gt200_cpu_fma<'z'>(a, b, c)
#define __nvvm_fma_rm_d(a, b, c) gt200_cpu_fma<'m'>(a, b, c)
#define __nvvm_fma_rp_d(a, b, c) gt200_cpu_fma<'p'>(a, b, c)
#define __nvvm_fma_rn_f(a, b, c) __builtin_fmaf(a, b, c)
#define __nvvm_div_rn_d(a, b) static_cast<double>(static_cast<double>(a) / static_cast<double>(b))
#define __nvvm_sqrt_rn_d(x) __builtin_sqrt(x)
#define __nvvm_sqrt_rn_f(x) __builtin_sqrtf(x)
#define __nvvm_fmin_f(a, b) __builtin_fminf(a, b)
#define __nvvm_fmax_f(a, b) __builtin_fmaxf(a, b)
#define __nvvm_fmin_d(a, b) __builtin_fmin(a, b)
#define __nvvm_fmax_d(a, b) __builtin_fmax(a, b)
GT200_DEVICE float gt200_cpu_saturated(float x) {
  return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}
#define __nvvm_saturate_f(x) gt200_cpu_saturated(x)

// Approximations of the special function unit. Quotients of floats become calls of gt200_cpu_quotient() before
// clang makes machine code (cuda/nvcc/cpu_code.h), unless the chip divides exactly.
GT200_DEVICE float gt200_cpu_approximation(enum gt200_cpu_special function, float x) {
  return gt200_cpu_functions->special(function, x);
}
#define __nvvm_rsqrt_approx_f(x) gt200_cpu_approximation(gt200_cpu_rsqrt, x)
#define __nvvm_sqrt_approx_f(x) gt200_cpu_approximation(gt200_cpu_sqrt, x)
#define __nvvm_lg2_approx_f(x) gt200_cpu_approximation(gt200_cpu_lg2, x)
#define __nvvm_ex2_approx_f(x) gt200_cpu_approximation(gt200_cpu_ex2, x)
#define __nvvm_sin_approx_f(x) gt200_cpu_approximation(gt200_cpu_sin, x)
#define __nvvm_cos_approx_f(x) gt200_cpu_approximation(gt200_cpu_cos, x)
GT200_DEVICE float gt200_cpu_fast_quotient(float a, float b) {
  return a * gt200_cpu_approximation(gt200_cpu_rcp, b);
}
#define __nvvm_div_approx_f(a, b) gt200_cpu_fast_quotient(a, b)
// div.full: the reciprocal of a divisor above 2^126 would be zero.
extern "C" __attribute__((device, weak)) float gt200_cpu_quotient(float a, float b) {
  const float scale = __builtin_fabsf(b) > 8.50705917e37f ? 0.25f : 1.0f;
  return a * scale * gt200_cpu_approximation(gt200_cpu_rcp, b * scale);
}

// Conversions to whole numbers: those that are too large become the nearest that there is, NaN becomes 0. clang
// does so with -fno-strict-float-cast-overflow.
GT200_DEVICE float gt200_cpu_whole(float x, char mode) {
  return mode == 'n'   ? __builtin_rintf(x)
         : mode == 'z' ? __builtin_truncf(x)
         : mode == 'm' ? __builtin_floorf(x)
                       : __builtin_ceilf(x);
}
GT200_DEVICE double gt200_cpu_whole(double x, char mode) {
  return mode == 'n'   ? __builtin_rint(x)
         : mode == 'z' ? __builtin_trunc(x)
         : mode == 'm' ? __builtin_floor(x)
                       : __builtin_ceil(x);
}
template <class TO, class FROM>
struct gt200_cpu_conversion {
  static GT200_MEMBER TO of(volatile FROM x, char mode) { GT200_ROUNDING(mode, TO, static_cast<TO>(x)) }
};
#define GT200_FLOAT_TO_WHOLE(TO, FROM)                                                                 \
  template <>                                                                                          \
  struct gt200_cpu_conversion<TO, FROM> {                                                              \
    static GT200_MEMBER TO of(FROM x, char mode) { return static_cast<TO>(gt200_cpu_whole(x, mode)); } \
  };
#define GT200_FLOAT_TO_WHOLES(FROM)     \
  GT200_FLOAT_TO_WHOLE(int, FROM)       \
  GT200_FLOAT_TO_WHOLE(unsigned, FROM)  \
  GT200_FLOAT_TO_WHOLE(long long, FROM) \
  GT200_FLOAT_TO_WHOLE(unsigned long long, FROM)
GT200_FLOAT_TO_WHOLES(float)
GT200_FLOAT_TO_WHOLES(double)
#undef GT200_FLOAT_TO_WHOLES
#undef GT200_FLOAT_TO_WHOLE
// Half precision is kept in words of 16 bits.
template <>
struct gt200_cpu_conversion<unsigned short, float> {
  static GT200_MEMBER unsigned short of(float x, char) { return gt200_cpu_functions->to_half(x); }
};
template <>
struct gt200_cpu_conversion<float, unsigned short> {
  static GT200_MEMBER float of(unsigned short x, char) { return gt200_cpu_functions->from_half(x); }
};
// `MODE`: rounding and types of PTX. The second letter says how to round.
#define GT200_CONVERT(NAME, TO, FROM, MODE, RESULT, ARGUMENT) \
  GT200_DEVICE TO NAME(FROM x) { return gt200_cpu_conversion<TO, FROM>::of(x, MODE[1]); }

// Fetches of textures, for gt200_textures.h. A texture is known by the address of its variable.
#define GT200_COORDINATE(CONSTRAINT, X) __builtin_bit_cast(unsigned, X)
#define GT200_FETCH(NAME, DIMENSIONS, INSTRUCTION, COORDINATES, PARAMETERS, ...)                               \
  template <class T, cudaTextureReadMode mode>                                                                 \
  GT200_DEVICE typename gt200_fetched<T, mode>::type NAME(const texture<T, DIMENSIONS, mode>& t, PARAMETERS) { \
    const unsigned coordinates[] = {__VA_ARGS__};                                                              \
    const int texel_numbers = INSTRUCTION[sizeof INSTRUCTION - 4] == 's';                                      \
    gt200_texel_words words;                                                                                   \
    gt200_cpu_functions->fetch(&t, texel_numbers, DIMENSIONS, coordinates, &words);                            \
    return gt200_texel<typename gt200_fetched<T, mode>::type>::of(words);                                      \
  }
