// Atomic instructions of 64 bits in PTX, in global, shared and generic addresses, with a result and without.
// Compute capability 6.0. Code 0 if right.
#include <cstdio>
#include <cstring>

typedef unsigned long long word;
enum { operations = 7, spaces = 3 };
__device__ word in_global[operations + 1];

#define APPLY(SPACE, OPERATION, KIND, PLACE, VALUE)                                            \
  {                                                                                            \
    word old;                                                                                  \
    asm volatile("atom" SPACE "." OPERATION " %0, [%1], %2;"                                   \
                 : "=" KIND(old)                                                               \
                 : "l"(PLACE), KIND(VALUE)                                                     \
                 : "memory");                                                                  \
    seen ^= old;                                                                               \
    asm volatile("red" SPACE "." OPERATION " [%0], %1;" ::"l"(PLACE), KIND(VALUE) : "memory"); \
  }
#define APPLY_DOUBLE(SPACE, PLACE, VALUE)                                                                \
  {                                                                                                      \
    double old;                                                                                          \
    asm volatile("atom" SPACE ".add.f64 %0, [%1], %2;" : "=d"(old) : "l"(PLACE), "d"(VALUE) : "memory"); \
    seen ^= __double_as_longlong(old);                                                                   \
    asm volatile("red" SPACE ".add.f64 [%0], %1;" ::"l"(PLACE), "d"(VALUE) : "memory");                  \
  }
#define ALL(SPACE, PLACE)                                                     \
  APPLY(SPACE, "max.u64", "l", (PLACE) + 0 * 8, value)                        \
  APPLY(SPACE, "min.u64", "l", (PLACE) + 1 * 8, value)                        \
  APPLY(SPACE, "max.s64", "l", (PLACE) + 2 * 8, value)                        \
  APPLY(SPACE, "min.s64", "l", (PLACE) + 3 * 8, value)                        \
  APPLY(SPACE, "and.b64", "l", (PLACE) + 4 * 8, value | 0xff00000000ffull)    \
  APPLY(SPACE, "or.b64", "l", (PLACE) + 5 * 8, value & 0xf0f0f0f0f0f0f0f0ull) \
  APPLY_DOUBLE(SPACE, (PLACE) + 6 * 8, 0.5 * (t + 1))

__host__ __device__ word value_of(int t) { return (t + 1) * 0x9e3779b97f4a7c15ull; }
__host__ __device__ word start_of(int k) {
  return k == 1 ? ~0ull : k == 2 ? 1ull << 63 : k == 3 ? ~0ull >> 1 : k == 4 ? ~0ull : 0;
}

__global__ void apply(word* out) {
  __shared__ word in_shared[operations];
  __shared__ word by_pointer[operations];
  const int t = threadIdx.x;
  const word value = value_of(t);
  if (t < operations) in_global[t] = in_shared[t] = by_pointer[t] = start_of(t);
  __syncthreads();
  word seen = 0;
  ALL(".global", __cvta_generic_to_global(in_global))
  ALL(".shared", __cvta_generic_to_shared(in_shared))
  ALL("", reinterpret_cast<word>(by_pointer))
  // Only some threads, and the same place for all: the sum of what they saw is that of the steps.
  if (t % 3 == 0) {
    word old;
    asm volatile("atom.global.xor.b64 %0, [%1], %2;"
                 : "=l"(old)
                 : "l"(__cvta_generic_to_global(in_global + operations)), "l"(1ull << t % 64)
                 : "memory");
    out[spaces * operations + 1 + t] = old;
  }
  __syncthreads();
  if (t < operations) {
    out[t] = in_global[t];
    out[operations + t] = in_shared[t];
    out[2 * operations + t] = by_pointer[t];
  }
  if (t == 0) out[spaces * operations] = in_global[operations];
}

int main() {
  enum { threads = 64, count = spaces * operations + 1 + threads };
  word *d, h[count] = {}, expected[operations], toggled = 0;
  double sum = 0;
  for (int k = 0; k < operations; ++k) expected[k] = start_of(k);
  for (int t = 0; t < threads; ++t) {
    const word v = value_of(t);
    if (v > expected[0]) expected[0] = v;
    if (v < expected[1]) expected[1] = v;
    if (static_cast<long long>(v) > static_cast<long long>(expected[2])) expected[2] = v;
    if (static_cast<long long>(v) < static_cast<long long>(expected[3])) expected[3] = v;
    expected[4] &= v | 0xff00000000ffull;
    expected[5] |= v & 0xf0f0f0f0f0f0f0f0ull;
    sum += 2 * 0.5 * (t + 1);
    if (t % 3 == 0) toggled ^= 1ull << t;
  }
  std::memcpy(&expected[6], &sum, sizeof sum);
  cudaMalloc(&d, sizeof h);
  apply<<<1, threads>>>(d);
  int wrong = cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) != cudaSuccess;
  for (int s = 0; s < spaces; ++s)
    for (int k = 0; k < operations; ++k)
      if (h[s * operations + k] != expected[k])
        std::printf("space %d, operation %d: %llx instead of %llx\n", s, k, h[s * operations + k], expected[k]),
            ++wrong;
  wrong += h[spaces * operations] != toggled;
  // Every thread saw another value: that before its own bit.
  for (int t = 0; t < threads; t += 3)
    for (int u = 0; u < t; u += 3) wrong += h[spaces * operations + 1 + t] == h[spaces * operations + 1 + u];
  std::puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
