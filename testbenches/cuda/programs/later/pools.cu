// Pools of device memory: what is used and the most that was, limits, the pool in use, and what is gone after a
// reset. Compute capability 2.0. Code 0 if right.
#include <cstdio>

static int failures = 0;
static void is(bool holds, const char* what) {
  if (!holds) std::printf("%s\n", what), ++failures;
}
static unsigned long long number(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  unsigned long long value = 12345;
  is(cudaMemPoolGetAttribute(pool, attribute, &value) == cudaSuccess, "attribute");
  return value;
}
static bool has(cudaMemPool_t pool, unsigned long long used, unsigned long long high) {
  return number(pool, cudaMemPoolAttrUsedMemCurrent) == used && number(pool, cudaMemPoolAttrUsedMemHigh) == high &&
         number(pool, cudaMemPoolAttrReservedMemCurrent) >= used;
}

__global__ void triple(int* d) { d[threadIdx.x] *= 3; }

int main() {
  cudaMemPool_t standard, own, in_use;
  is(cudaDeviceGetDefaultMemPool(&standard, 0) == cudaSuccess, "default pool");
  is(cudaDeviceGetMemPool(&in_use, 0) == cudaSuccess && in_use == standard, "the default is in use");
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.maxSize = 4096;
  is(cudaMemPoolCreate(&own, &properties) == cudaSuccess && own != standard, "another pool");
  unsigned long long threshold = 1ull << 40, none = 0, one = 1;
  is(cudaMemPoolSetAttribute(standard, cudaMemPoolAttrReleaseThreshold, &threshold) == cudaSuccess, "threshold");
  is(number(standard, cudaMemPoolAttrReleaseThreshold) == threshold, "threshold is kept");
  is(number(own, cudaMemPoolAttrReleaseThreshold) == 0, "thresholds are of one pool");

  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int *a, *b, h[64];
  for (int k = 0; k < 64; ++k) h[k] = k;
  is(cudaMallocAsync(&a, sizeof h, stream) == cudaSuccess && has(standard, 256, 256), "allocation");
  is(cudaMallocFromPoolAsync(&b, 4000, own, stream) == cudaSuccess && has(own, 4000, 4000), "from a pool");
  void* more = nullptr;
  is(cudaMallocFromPoolAsync(&more, 97, own, stream) == cudaErrorMemoryAllocation, "more than the pool has");
  cudaMemcpyAsync(a, h, sizeof h, cudaMemcpyHostToDevice, stream);
  triple<<<1, 64, 0, stream>>>(a);
  cudaMemcpyAsync(b, a, sizeof h, cudaMemcpyDeviceToDevice, stream);
  cudaMemcpyAsync(h, b, sizeof h, cudaMemcpyDeviceToHost, stream);
  is(cudaFreeAsync(b, stream) == cudaSuccess && has(own, 0, 4000), "freed");
  is(cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &one) == cudaErrorInvalidValue, "a high mark of 1");
  is(cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemHigh, &none) == cudaSuccess && has(own, 0, 0), "high mark");
  is(cudaMemPoolSetAttribute(own, cudaMemPoolAttrUsedMemCurrent, &none) == cudaErrorInvalidValue, "what is used");
  is(cudaFree(a) == cudaSuccess && has(standard, 0, 256), "freed without a stream");
  is(cudaStreamSynchronize(stream) == cudaSuccess, "work");
  for (int k = 0; k < 64; ++k) is(h[k] == 3 * k, "content");

  is(cudaDeviceSetMemPool(0, own) == cudaSuccess, "use");
  is(cudaMallocAsync(&a, 100, stream) == cudaSuccess && has(own, 100, 100) && has(standard, 0, 256), "pool in use");
  is(cudaMemPoolDestroy(own) == cudaSuccess && cudaMemPoolDestroy(own) == cudaErrorInvalidValue, "destroy");
  is(cudaMemPoolDestroy(standard) == cudaErrorInvalidValue, "the default pool stays");
  is(cudaDeviceGetMemPool(&in_use, 0) == cudaSuccess && in_use == standard, "the default is in use again");
  is(cudaFreeAsync(a, stream) == cudaSuccess, "memory outlives its pool");
  is(cudaMallocAsync(&a, 50, stream) == cudaSuccess && has(standard, 50, 256), "from the default pool");
  is(cudaDeviceReset() == cudaSuccess && has(standard, 0, 256), "reset");
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
