// 64 bins of one byte per thread, as the white paper of the CUDA SDK describes histogram64: the upper six bits of every
// byte are counted; a thread's column is chosen so that a half-warp never meets in a bank.
constexpr int threads = 192;
constexpr int bins = 64;

__device__ void count(unsigned char* column, unsigned value) { ++column[value * threads]; }

extern "C" __global__ void histogram_64(unsigned* out, const unsigned* data, int words) {
  __shared__ unsigned char counts[threads * bins];
  const int t = threadIdx.x;
  const int column = (t & ~63) | ((t & 15) << 2) | ((t & 48) >> 4);
  for (int i = t; i < threads * bins / 4; i += threads) reinterpret_cast<unsigned*>(counts)[i] = 0;
  __syncthreads();
  const int first = words * threads * blockIdx.x;
  for (int i = 0; i < words; ++i) {
    const unsigned four = data[first + i * threads + t];
    count(counts + column, (four >> 2) & 63);
    count(counts + column, (four >> 10) & 63);
    count(counts + column, (four >> 18) & 63);
    count(counts + column, four >> 26);
  }
  __syncthreads();
  if (t < bins) {
    unsigned sum = 0;
    int at = 4 * (t & 15);
    for (int i = 0; i < threads; ++i) {
      sum += counts[t * threads + at];
      if (++at == threads) at = 0;
    }
    out[blockIdx.x * bins + t] = sum;
  }
}
