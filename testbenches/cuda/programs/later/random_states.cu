// Random numbers within kernels. Philox has published words; of all generators mean and variance are as wanted, and
// offsets and subsequences lead to the same numbers as drawing does. Code 0 if right.
#include <cmath>
#include <cstdio>

#include <curand_kernel.h>

constexpr int threads = 64;
constexpr int draws = 64;

template <class STATE>
__global__ void draw(float* sums, int* bad) {
  STATE s, ahead;
  curand_init(1234ull, threadIdx.x, 0ull, &s);
  curand_init(1234ull, threadIdx.x, 10ull, &ahead);
  float u = 0, n = 0, n2 = 0, p = 0;
  for (int k = 0; k < draws; ++k) {
    STATE before = s;
    const float x = curand_uniform(&s);
    if (!(x > 0.0f && x <= 1.0f)) atomicAdd(bad, 1);
    if (k == 10 && curand(&before) != curand(&ahead)) atomicAdd(bad, 1000);
    u += x;
  }
  for (int k = 0; k < draws; ++k) {
    const float x = curand_normal(&s);
    n += x;
    n2 += x * x;
    p += curand_poisson(&s, k % 2 == 0 ? 3.0 : 30.0);
  }
  atomicAdd(&sums[0], u);
  atomicAdd(&sums[1], n);
  atomicAdd(&sums[2], n2);
  atomicAdd(&sums[3], p);
}

__global__ void published(int* bad) {
  // Known answers of Random123: counter and key of zeros, of ones.
  const uint4 zeros = curand_Philox4x32_10(make_uint4(0, 0, 0, 0), make_uint2(0, 0));
  if (zeros.x != 0x6627e8d5u || zeros.y != 0xe169c58du || zeros.z != 0xbc57ac4cu || zeros.w != 0x9b00dbd8u)
    atomicAdd(bad, 1);
  const unsigned m = 0xffffffffu;
  const uint4 ones = curand_Philox4x32_10(make_uint4(m, m, m, m), make_uint2(m, m));
  if (ones.x != 0x408f276du || ones.y != 0x41c83b0eu || ones.z != 0xa20bc7c6u || ones.w != 0x6d5451fdu)
    atomicAdd(bad, 1);
  // Four at once are four in turn.
  curandStatePhilox4_32_10_t a, b;
  curand_init(7, 3, 5, &a);
  b = a;
  const uint4 four = curand4(&a);
  if (four.x != curand(&b) || four.y != curand(&b) || four.z != curand(&b) || four.w != curand(&b) ||
      curand(&a) != curand(&b))
    atomicAdd(bad, 1);
}

template <class STATE>
int check(const char* name) {
  float* sums;
  int* bad;
  cudaMallocManaged(&sums, 4 * sizeof *sums);
  cudaMallocManaged(&bad, sizeof *bad);
  for (int k = 0; k < 4; ++k) sums[k] = 0;
  *bad = 0;
  draw<STATE><<<1, threads>>>(sums, bad);
  published<<<1, 1>>>(bad);
  cudaDeviceSynchronize();
  // Five times the standard error.
  const double n = threads * draws;
  const bool right = *bad == 0 && std::fabs(sums[0] / n - 0.5) < 5 * 0.2887 / std::sqrt(n) &&
                     std::fabs(sums[1] / n) < 5 / std::sqrt(n) &&
                     std::fabs(sums[2] / n - 1) < 5 * 1.4142 / std::sqrt(n) &&
                     std::fabs(sums[3] / n - 16.5) < 5 * std::sqrt(16.5 / n);
  if (!right) std::printf("%s: %d %g %g %g %g\n", name, *bad, sums[0] / n, sums[1] / n, sums[2] / n, sums[3] / n);
  return right ? 0 : 1;
}

int main() {
  const int failures = check<curandState>("XORWOW") + check<curandStateMRG32k3a_t>("MRG32k3a") +
                       check<curandStatePhilox4_32_10_t>("Philox");
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures;
}
