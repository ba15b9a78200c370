// Cooperative groups: blocks, tiles, the active threads, scans and sums. Compute capability 7.0.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void results(int* d) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<8>(block);
  int* const own = d + 6 * block.thread_rank();
  own[0] = cg::reduce(tile, static_cast<int>(block.thread_rank()), cg::plus<int>());
  own[1] = static_cast<int>(tile.ballot(block.thread_rank() % 2));
  own[2] = cg::inclusive_scan(tile, 1);
  own[3] = own[4] = 0;
  if (block.thread_rank() % 3 == 0) {
    const cg::coalesced_group active = cg::coalesced_threads();
    own[3] = static_cast<int>(active.size());
    own[4] = active.shfl(static_cast<int>(block.thread_rank()), 1);
  }
  block.sync();
  own[5] = static_cast<int>(tile.meta_group_rank() * 100 + tile.size());
}

int main() {
  const int threads = 64;
  int *d, h[6 * threads], wrong = 0;
  cudaMalloc(&d, sizeof h);
  results<<<1, threads>>>(d);
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaDeviceSynchronize();
  if (error != cudaSuccess) return puts(cudaGetErrorName(error)), 1;
  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  for (int t = 0; t < threads; ++t) {
    const int first = t / 8 * 8;
    const bool third = t % 3 == 0;
    const int expected[] = {8 * first + 28,
                            0xaa,
                            t % 8 + 1,
                            third ? (t < 32 ? 11 : 10) + (t < 32 ? 0 : 1) : 0,
                            third ? (t < 32 ? 3 : 36) : 0,
                            t / 8 * 100 + 8};
    for (int k = 0; k < 6; ++k)
      if (h[6 * t + k] != expected[k] && ++wrong < 10)
        printf("thread %d, value %d: %d instead of %d\n", t, k, h[6 * t + k], expected[k]);
  }
  puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
