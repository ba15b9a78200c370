// Shuffles, votes and matches of a warp, of every form and width, against what the guide says. Compute capability 7.0.
#include <cstdio>

__global__ void results(int* d, unsigned long long* wide, double* real) {
  const int lane = threadIdx.x % 32;
  const unsigned all = 0xffffffffu;
  int* const own = d + 12 * threadIdx.x;
  own[0] = __shfl_sync(all, lane, 5);
  own[1] = __shfl_up_sync(all, lane, 3);
  own[2] = __shfl_down_sync(all, lane, 3, 8);
  own[3] = __shfl_xor_sync(all, lane, 6);
  own[4] = __shfl(lane * 2, lane + 1, 16);
  own[5] = static_cast<int>(__ballot_sync(all, lane % 3 == 0));
  own[6] = __all_sync(all, lane < 32) + 2 * __any_sync(all, lane == 31) + 4 * __all_sync(all, lane < 31);
  own[7] = static_cast<int>(__match_any_sync(all, lane % 4));
  int agree = 0;
  own[8] = static_cast<int>(__match_all_sync(all, threadIdx.x / 32, &agree)) + agree;
  own[9] = lane % 2 != 0 ? __popc(__activemask()) : 0;
  __syncwarp();
  own[10] = static_cast<int>(__funnelshift_l(0x80000001u, 0x2u, 1 + lane));
  own[11] = __ldg(&own[0]);
  wide[threadIdx.x] = __shfl_xor_sync(all, 1ull << 40 | static_cast<unsigned>(lane), 1);
  real[threadIdx.x] = __shfl_down_sync(all, lane + 0.5, 1);
}

int main() {
  const int threads = 64;
  int *d, h[12 * threads];
  unsigned long long *w, wide[threads];
  double *r, real[threads];
  cudaMalloc(&d, sizeof h);
  cudaMalloc(&w, sizeof wide);
  cudaMalloc(&r, sizeof real);
  results<<<1, threads>>>(d, w, r);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error != cudaSuccess) return puts(cudaGetErrorName(error)), 1;
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  cudaMemcpy(wide, w, sizeof wide, cudaMemcpyDeviceToHost);
  cudaMemcpy(real, r, sizeof real, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int t = 0; t < threads; ++t) {
    const int lane = t % 32;
    const unsigned shift = (1 + lane) & 31;
    const unsigned long long both = 0x280000001ull << shift;
    const int expected[] = {5,
                            lane < 3 ? lane : lane - 3,
                            lane % 8 + 3 < 8 ? lane + 3 : lane,
                            lane ^ 6,
                            2 * (lane / 16 * 16 + (lane + 1) % 16),
                            0x49249249,
                            3,
                            0x11111111 << lane % 4,
                            -1 + 1,
                            lane % 2 != 0 ? 16 : 0,
                            static_cast<int>(both >> 32),
                            5};
    for (int k = 0; k < 12; ++k)
      if (h[12 * t + k] != expected[k] && ++wrong < 10)
        printf("thread %d, value %d: %d instead of %d\n", t, k, h[12 * t + k], expected[k]);
    if (wide[t] != (1ull << 40 | static_cast<unsigned>(lane ^ 1))) ++wrong;
    if (real[t] != (lane < 31 ? lane + 1.5 : 31.5)) ++wrong;
  }
  puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
