// Shuffles, votes and matches of a warp, of every form and width, against what the guide says. Compute
// capability 7.0.
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

// Lanes of several masks come to the same instruction; each counts only those of its own mask.
__host__ __device__ unsigned mask_of(int lane) { return lane < 8 ? 0xffu : lane < 20 ? 0xfff00u : 0xfff00000u; }

__global__ void parts_of_a_warp(int* d) {
  const int lane = threadIdx.x % 32;
  const unsigned mask = mask_of(lane);
  int* const own = d + 6 * threadIdx.x;
  own[0] = __any_sync(mask, lane == 9) + 2 * __all_sync(mask, lane >= 8) + 4 * __uni_sync(mask, lane < 20);
  own[1] = static_cast<int>(__ballot_sync(mask, lane % 2));
  own[2] = static_cast<int>(__match_any_sync(mask, lane % 2));
  int agree = 0;
  own[3] = static_cast<int>(__match_all_sync(mask, mask, &agree));
  own[4] = agree;
  int pairs;
  asm("{ .reg .pred p, q; setp.lt.s32 p, %1, 8; vote.sync.all.pred q, p, %2; selp.s32 %0, 1, 0, q;"
      "  vote.sync.any.pred q, !p, %2; @q add.s32 %0, %0, 2; vote.sync.uni.pred q, p, %2; @q add.s32 %0, %0, 4; }"
      : "=r"(pairs)
      : "r"(lane), "r"(mask));
  own[5] = pairs;
}

int wrong_of_parts(int* d) {
  static int h[6 * 64];
  parts_of_a_warp<<<1, 64>>>(d);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int t = 0; t < 64; ++t) {
    const int lane = t % 32;
    const unsigned mask = mask_of(lane);
    const int expected[] = {(lane >= 8 && lane < 20) + (lane >= 8 ? 2 : 0) + 4,
                            static_cast<int>(mask & 0xaaaaaaaau),
                            static_cast<int>(mask & (lane % 2 != 0 ? 0xaaaaaaaau : 0x55555555u)),
                            static_cast<int>(mask),
                            1,
                            lane < 8 ? 5 : 6};
    for (int k = 0; k < 6; ++k)
      if (h[6 * t + k] != expected[k] && ++wrong < 10)
        printf("part, thread %d, value %d: %d instead of %d\n", t, k, h[6 * t + k], expected[k]);
  }
  return wrong;
}

// One thread adds for all that are there; the others have no value before the shuffle.
__device__ int place_in(int* counter) {
  const unsigned active = __activemask();
  const int leader = __ffs(static_cast<int>(active)) - 1;
  const int rank = __popc(active & ((1u << threadIdx.x % 32) - 1));
  int place;
  if (rank == 0) place = atomicAdd(counter, __popc(active));
  place = __shfl_sync(active, place, leader);
  return place + rank;
}
__global__ void chosen(int* counter, int* places) {
  if (threadIdx.x % 8 > 3) places[place_in(counter)] = static_cast<int>(threadIdx.x);
}

int wrong_of_chosen(int* d) {
  int h[33];
  cudaMemset(d, 0, sizeof h);
  chosen<<<1, 64>>>(d, d + 1);
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  int sum = 0;
  for (int k = 1; k < 33; ++k) sum += h[k];
  if (h[0] == 32 && sum == 1072) return 0;
  printf("%d threads instead of 32, sum %d instead of 1072\n", h[0], sum);
  return 1;
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
  wrong += wrong_of_parts(d) + wrong_of_chosen(d);
  puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
