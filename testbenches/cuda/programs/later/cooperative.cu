// Blocks that wait for each other, tiles of several warps, groups that move values of any type, and registers that asm
// statements name with one percent sign. Code 0 if right.
#include <cstdio>

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

// Every block adds to what all blocks have written before.
__global__ void rounds(int* values, int count) {
  const auto grid = cg::this_grid();
  for (int r = 0; r < 3; ++r) {
    int sum = 0;
    for (unsigned b = 0; b < gridDim.x; ++b) sum += values[b];
    grid.sync();
    if (threadIdx.x == 0) values[blockIdx.x] = sum + count;
    grid.sync();
  }
}

struct wide {
  double a;
  int b;
};
__global__ void tiles(int* out) {
  __shared__ cg::block_tile_memory<256> memory;
  const auto block = cg::this_thread_block(memory);
  const auto tile = cg::tiled_partition<64>(block);
  out[threadIdx.x] = cg::reduce(tile, static_cast<int>(threadIdx.x), cg::plus<int>());
  if (tile.shfl(static_cast<int>(threadIdx.x), 5) != static_cast<int>(threadIdx.x / 64 * 64 + 5)) out[threadIdx.x] = -1;
  if (tile.any(threadIdx.x == 70) != (threadIdx.x / 64 == 1)) out[threadIdx.x] = -2;
  const auto warp = cg::tiled_partition<32>(block);
  const wide w = warp.shfl_xor(wide{threadIdx.x * 0.5, static_cast<int>(threadIdx.x)}, 1);
  if (w.b != static_cast<int>(threadIdx.x ^ 1) || w.a != w.b * 0.5) out[threadIdx.x] = -3;
  unsigned lane;
  asm("mov.u32 %0, %laneid;" : "=r"(lane));
  if (lane != threadIdx.x % 32) out[threadIdx.x] = -4;
}

__global__ void copied(const int* from, int* to) {
  __shared__ int part[64];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, part, from, sizeof part);
  cg::wait(block);
  to[threadIdx.x] = part[63 - threadIdx.x];
}

int main() {
  int failures = 0;
  int* d;
  cudaMallocManaged(&d, 256 * sizeof *d);
  for (int k = 0; k < 256; ++k) d[k] = 1;
  int count = 2;
  void* arguments[] = {&d, &count};
  if (cudaLaunchCooperativeKernel(rounds, dim3(4), dim3(64), arguments) != cudaSuccess) ++failures;
  cudaDeviceSynchronize();
  // 4 * 1 + 2 = 6, 4 * 6 + 2 = 26, 4 * 26 + 2 = 106
  for (int k = 0; k < 4; ++k) failures += d[k] != 106;
  tiles<<<1, 256>>>(d);
  cudaDeviceSynchronize();
  for (int k = 0; k < 256; ++k) failures += d[k] != k / 64 * 64 * 64 + 63 * 32;
  for (int k = 0; k < 64; ++k) d[k] = 3 * k;
  copied<<<1, 64>>>(d, d + 64);
  cudaDeviceSynchronize();
  for (int k = 0; k < 64; ++k) failures += d[64 + k] != 3 * (63 - k);
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
