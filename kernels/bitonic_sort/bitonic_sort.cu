// A block sorts 512 numbers in shared memory: a bitonic network, one comparison per thread and step.
constexpr int elements = 512;

extern "C" __global__ void bitonic_sort(unsigned* data) {
  __shared__ unsigned values[elements];
  const unsigned t = threadIdx.x;
  unsigned* own = data + blockIdx.x * elements;
  values[t] = own[t];
  values[t + elements / 2] = own[t + elements / 2];
  for (unsigned size = 2; size <= elements; size *= 2) {
    for (unsigned step = size / 2; step > 0; step /= 2) {
      __syncthreads();
      const unsigned low = 2 * t - (t & (step - 1));
      const bool ascending = (low & size) == 0;
      const unsigned a = values[low];
      const unsigned b = values[low + step];
      if ((a > b) == ascending) {
        values[low] = b;
        values[low + step] = a;
      }
    }
  }
  __syncthreads();
  own[t] = values[t];
  own[t + elements / 2] = values[t + elements / 2];
}
