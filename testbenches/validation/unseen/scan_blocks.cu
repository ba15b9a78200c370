// Exclusive prefix sums of an array (Harris, Sengupta and Owens, GPU Gems 3, chapter 39): a block of 256 threads scans 512
// elements, up and down a balanced tree with an index offset that avoids bank conflicts, and stores the block's total; a
// second kernel adds the scanned totals.
constexpr int elements = 512;

__device__ int spread(int i) { return i + (i >> 4); }

extern "C" __global__ void scan_blocks(float* out, const float* in, float* totals) {
  __shared__ float sums[elements + elements / 16];
  const int t = threadIdx.x;
  const int first = blockIdx.x * elements;
  const int a = t;
  const int b = t + elements / 2;
  sums[spread(a)] = in[first + a];
  sums[spread(b)] = in[first + b];
  int offset = 1;
  for (int d = elements / 2; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) {
      const int i = spread(offset * (2 * t + 1) - 1);
      const int j = spread(offset * (2 * t + 2) - 1);
      sums[j] += sums[i];
    }
    offset *= 2;
  }
  if (t == 0) {
    totals[blockIdx.x] = sums[spread(elements - 1)];
    sums[spread(elements - 1)] = 0;
  }
  for (int d = 1; d < elements; d *= 2) {
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

extern "C" __global__ void add_totals(float* data, const float* totals) {
  __shared__ float total;
  if (threadIdx.x == 0) total = totals[blockIdx.x];
  const int i = blockIdx.x * elements + threadIdx.x;
  __syncthreads();
  data[i] += total;
  data[i + elements / 2] += total;
}
