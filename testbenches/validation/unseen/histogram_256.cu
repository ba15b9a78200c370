// 256 bins per warp, as the white paper of the CUDA SDK describes histogram256: without atomic operations, a thread writes
// its bin with a tag of its own and tries again until the tag is there.
constexpr int threads = 192;
constexpr int bins = 256;

__device__ void count(volatile unsigned* own, unsigned value, unsigned tag) {
  unsigned n;
  do {
    n = tag | ((own[value] & 0x07ffffffu) + 1);
    own[value] = n;
  } while (own[value] != n);
}

extern "C" __global__ void histogram_256(unsigned* out, const unsigned* data, int words) {
  __shared__ volatile unsigned counts[threads / 32 * bins];
  const unsigned tag = threadIdx.x << 27;
  volatile unsigned* own = counts + (threadIdx.x >> 5) * bins;
  for (int i = threadIdx.x; i < threads / 32 * bins; i += threads) counts[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * threads + threadIdx.x; i < words; i += threads * gridDim.x) {
    const unsigned four = data[i];
    count(own, four & 255, tag);
    count(own, (four >> 8) & 255, tag);
    count(own, (four >> 16) & 255, tag);
    count(own, four >> 24, tag);
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < bins; bin += threads) {
    unsigned sum = 0;
    for (int first = 0; first < threads / 32 * bins; first += bins) sum += counts[first + bin] & 0x07ffffffu;
    out[blockIdx.x * bins + bin] = sum;
  }
}
