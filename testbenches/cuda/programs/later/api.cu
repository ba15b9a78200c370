// Calls of later runtimes that every chip has: attributes, streams, events, host functions, occupancy, texture objects.
#include <cstdio>
#include <cstring>

__global__ void add(int* d, int v) { d[threadIdx.x] += v; }
__global__ void fetch(cudaTextureObject_t a, float* d, cudaTextureObject_t b) {
  d[threadIdx.x] = tex1Dfetch<float>(a, threadIdx.x) + 100 * tex1Dfetch<float>(b, threadIdx.x);
}
static void note(void* data) { ++*static_cast<int*>(data); }
static void called(cudaStream_t, cudaError_t error, void* data) { *static_cast<int*>(data) += error == cudaSuccess; }

static cudaTextureObject_t object_of(float* memory, size_t bytes) {
  cudaResourceDesc resource;
  memset(&resource, 0, sizeof resource);
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = bytes;
  cudaTextureDesc reading;
  memset(&reading, 0, sizeof reading);
  cudaTextureObject_t object = 0;
  if (cudaCreateTextureObject(&object, &resource, &reading, nullptr) != cudaSuccess) puts("no texture object");
  return object;
}

int main() {
  int wrong = 0, notes = 0;
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  int value = 0;
  cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0);
  wrong += value != p.multiProcessorCount;
  cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0);
  wrong += value != p.major;
  wrong += cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0) != cudaErrorInvalidValue;
  wrong += strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue") != 0;
  wrong += strcmp(cudaGetErrorName(cudaErrorAlreadyMapped), "cudaErrorAlreadyMapped") != 0;
  wrong += strcmp(cudaGetErrorName(cudaErrorTextureNotBound), "cudaErrorTextureNotBound") != 0;

  cudaStream_t a, b;
  cudaEvent_t e;
  wrong += cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking) != cudaSuccess;
  wrong += cudaStreamCreateWithPriority(&b, cudaStreamDefault, 0) != cudaSuccess;
  unsigned flags = 9;
  wrong += cudaStreamGetFlags(a, &flags) != cudaSuccess || flags != cudaStreamNonBlocking;
  cudaEventCreateWithFlags(&e, cudaEventDisableTiming);
  int *d, h[64];
  cudaMalloc(&d, sizeof h);
  cudaMemsetAsync(d, 0, sizeof h, a);
  add<<<1, 64, 0, a>>>(d, 1);
  cudaEventRecord(e, a);
  cudaStreamWaitEvent(b, e, 0);
  add<<<1, 64, 0, b>>>(d, 2);
  wrong += cudaStreamAddCallback(b, called, &notes, 0) != cudaSuccess;
  wrong += cudaLaunchHostFunc(b, note, &notes) != cudaSuccess || notes != 2;
  cudaMemcpyAsync(h, d, sizeof h, cudaMemcpyDeviceToHost, cudaStreamPerThread);
  wrong += cudaStreamQuery(b) != cudaSuccess || h[63] != 3;

  int blocks = 0, grid = 0, block = 0;
  wrong += cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 64, 0) != cudaSuccess;
  wrong += blocks < 1 || blocks > p.maxBlocksPerMultiProcessor ||
           blocks * 64 > p.maxThreadsPerMultiProcessor;
  // Half of the shared memory for each block: at most two of them.
  wrong += cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 64, p.sharedMemPerBlock / 3 * 2) != cudaSuccess;
  wrong += blocks != static_cast<int>(p.sharedMemPerMultiprocessor / (p.sharedMemPerBlock / 3 * 2));
  wrong += cudaOccupancyMaxPotentialBlockSize(&grid, &block, add) != cudaSuccess || grid % p.multiProcessorCount != 0;

  float *one, *two, *sums, f[64];
  cudaMalloc(&one, sizeof f);
  cudaMalloc(&two, sizeof f);
  cudaMalloc(&sums, sizeof f);
  for (int k = 0; k < 64; ++k) f[k] = k;
  cudaMemcpy(one, f, sizeof f, cudaMemcpyHostToDevice);
  for (int k = 0; k < 64; ++k) f[k] = 2 * k;
  cudaMemcpy(two, f, sizeof f, cudaMemcpyHostToDevice);
  const cudaTextureObject_t x = object_of(one, sizeof f), y = object_of(two, sizeof f);
  for (int round = 0; round < 2; ++round) {
    fetch<<<1, 64>>>(round == 0 ? x : y, sums, round == 0 ? y : x);
    cudaMemcpy(f, sums, sizeof f, cudaMemcpyDeviceToHost);
    for (int k = 0; k < 64; ++k) wrong += f[k] != (round == 0 ? k + 200.0f * k : 2.0f * k + 100.0f * k);
  }
  wrong += cudaDestroyTextureObject(x) != cudaSuccess || cudaDestroyTextureObject(x) == cudaSuccess;
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
