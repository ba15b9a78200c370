// Inclusive sums of blocks of 256 integers (Hillis and Steele), of the block totals, and both together.
constexpr int threads = 256;

extern "C" __global__ void scan_blocks(const int* in, int* out, int* totals) {
  __shared__ int sums[2][threads];
  const int t = threadIdx.x;
  const int i = blockIdx.x * threads + t;
  int from = 0;
  sums[0][t] = in[i];
  __syncthreads();
  for (int step = 1; step < threads; step *= 2) {
    int sum = sums[from][t];
    if (t >= step) sum += sums[from][t - step];
    from = 1 - from;
    sums[from][t] = sum;
    __syncthreads();
  }
  out[i] = sums[from][t];
  if (t == threads - 1) totals[blockIdx.x] = sums[from][t];
}

extern "C" __global__ void add_totals(int* out, const int* totals) {
  if (blockIdx.x > 0) out[blockIdx.x * threads + threadIdx.x] += totals[blockIdx.x - 1];
}
