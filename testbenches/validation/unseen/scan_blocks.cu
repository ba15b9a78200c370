// Exclusive prefix sums of an array (Harris, Sengupta and Owens, GPU Gems 3, chapter 39): a block of n / 2 threads scans n
// elements, up and down a balanced tree with an index offset that avoids bank conflicts, and stores the block's total; a
// second kernel adds the scanned totals. As in the chapter, n is an argument and shared memory belongs to the launch, so
// that the compiler knows neither the number of steps nor their offsets.
extern __shared__ float sums[];

__device__ int spread(int i) { return i + (i >> 4); }

extern "C" __global__ void scan_blocks(float* out, const float* in, float* totals, int n) {
  const int t = threadIdx.x;
  const int first = blockIdx.x * n;
  const int a = t;
  const int b = t + n / 2;
  sums[spread(a)] = in[first + a];
  sums[spread(b)] = in[first + b];
  int offset = 1;
  for (int d = n / 2; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      const int i = spread(offset * (2 * t + 1) - 1);
      const int j = spread(offset * (2 * t + 2) - 1);
      sums[j] += sums[i];
    }
    offset *= 2;
  }
  if (t == 0) {
    totals[blockIdx.x] = sums[spread(n - 1)];
    sums[spread(n - 1)] = 0;
  }
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      const int i = spread(offset * (2 * t + 1) - 1);
      const int j = spread(offset * (2 * t + 2) - 1);
      const float left = sums[i];
      sums[i] = sums[j];
      sums[j] += left;
    }
  }
  __syncthreads();
  out[first + a] = sums[spread(a)];
  out[first + b] = sums[spread(b)];
}

extern "C" __global__ void add_totals(float* data, const float* totals, int n) {
  __shared__ float total;
  if (threadIdx.x == 0) total = totals[blockIdx.x];
  const int i = blockIdx.x * n + threadIdx.x;
  __syncthreads();
  data[i] += total;
  data[i + n / 2] += total;
}
