// One program for two generations: a device runs the code that was compiled for it. On compute capability 2.0 blocks of
// 1,024 threads, grids of three dimensions, votes, and an L2 cache; before, none.
#include <stdio.h>

__global__ void describe(int* out) {
#ifdef __CUDA_ARCH__
  if (threadIdx.x == 0) out[0] = __CUDA_ARCH__;
#endif
#if __CUDA_ARCH__ >= 200
  const unsigned odd = __ballot(threadIdx.x & 1), lane = threadIdx.x % 32;
  const int votes = __uni_sync(0xffffffffu, lane < 32) + 2 * __uni_sync(0xffffffffu, lane < 31) +
                    4 * __uni_sync(0xffffffffu, lane > 31);
  if (threadIdx.x == blockDim.x - 1) atomicAdd(out + 1, blockIdx.z + (odd == 0xaaaaaaaau && votes == 5 ? 1000 : 0));
#endif
}

static int launched(int* device, dim3 grid, int threads) {
  describe<<<grid, threads>>>(device);
  return cudaGetLastError() == cudaSuccess && cudaThreadSynchronize() == cudaSuccess;
}

int main() {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  const bool is_fermi = properties.major == 2;
  int found[2] = {0, 0};
  int* device = 0;
  cudaMalloc((void**)&device, sizeof found);
  cudaMemcpy(device, found, sizeof found, cudaMemcpyHostToDevice);
  const int large = launched(device, dim3(2, 1, 3), 1024);
  const int small = launched(device, dim3(1, 1, 1), 64);
  cudaMemcpy(found, device, sizeof found, cudaMemcpyDeviceToHost);
  printf("compute capability %d.%d, code for %d, large launch %d, sum %d\n", properties.major, properties.minor, found[0],
         large, found[1]);
  const bool right = is_fermi ? found[0] == 200 && large && found[1] == 2 * (0 + 1 + 2) + 6 * 1000 + 1000
                              : found[0] == 130 && !large && found[1] == 0;
  const bool knows_l2 = properties.l2CacheSize == (is_fermi ? 6 * 128 * 1024 : 0);
  return small && right && knows_l2 ? 0 : 1;
}
