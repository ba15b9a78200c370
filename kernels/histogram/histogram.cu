// Every block counts its values in 64 bins of shared memory, then adds the bins to those in device memory.
extern "C" __global__ void histogram(const unsigned* data, unsigned* bins, unsigned n) {
  __shared__ unsigned counts[64];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 64) counts[threadIdx.x] = 0;
  __syncthreads();
  if (i < n) atomicAdd(&counts[data[i] & 63], 1u);
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], counts[threadIdx.x]);
}
