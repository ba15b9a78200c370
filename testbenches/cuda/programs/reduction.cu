// Templates, extern shared memory, several launches, events.
#include <stdio.h>
#include <vector>

template <class T, unsigned block_size>
__global__ void reduce(const T* in, T* out, unsigned n) {
  extern __shared__ T partial[];
  unsigned t = threadIdx.x;
  T sum = 0;
  for (unsigned i = blockIdx.x * block_size + t; i < n; i += block_size * gridDim.x) sum += in[i];
  partial[t] = sum;
  __syncthreads();
  for (unsigned s = block_size / 2; s > 0; s >>= 1) {
    if (t < s) partial[t] += partial[t + s];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = partial[0];
}

int main() {
  const unsigned n = 10000, blocks = 16, threads = 128;
  std::vector<int> in(n);
  int expected = 0;
  for (unsigned i = 0; i < n; ++i) expected += in[i] = (int)(i * 7 % 31) - 9;
  int *device_in, *partial, *device_out;
  cudaMalloc(&device_in, n * sizeof(int));
  cudaMalloc(&partial, blocks * sizeof(int));
  cudaMalloc(&device_out, sizeof(int));
  cudaMemcpy(device_in, &in[0], n * sizeof(int), cudaMemcpyHostToDevice);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  cudaEventRecord(begin, 0);
  dim3 grid(blocks), block(threads);
  reduce<int, threads><<<grid, block, threads * sizeof(int)>>>(device_in, partial, n);
  reduce<int, threads><<<1, block, threads * sizeof(int)>>>(partial, device_out, blocks);
  cudaEventRecord(end, 0);
  cudaEventSynchronize(end);
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, begin, end);
  int sum = 0;
  cudaMemcpy(&sum, device_out, sizeof sum, cudaMemcpyDeviceToHost);
  printf("sum %d, expected %d\n", sum, expected);
  // Two launches take at least their overhead, and less than a second.
  return !(sum == expected && milliseconds > 0.01f && milliseconds < 1000);
}
