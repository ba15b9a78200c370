// Memory of the host that kernels access: allocated and registered, changed by both sides in turn and at the same
// time.
#include <stdio.h>
#include <stdlib.h>

#define COUNT 5000

__global__ void add(int* p, int first, int count, int v) {
  for (int k = threadIdx.x; k < count; k += blockDim.x) p[first + k] += v;
}

static int failures = 0;
static void expect(bool good, const char* what) {
  if (good) return;
  printf("wrong: %s\n", what);
  ++failures;
}

static void work(int* host) {
  int* device = NULL;
  expect(cudaHostGetDevicePointer((void**)&device, host, 0) == cudaSuccess, "the device's address");
  for (int k = 0; k < COUNT; ++k) host[k] = k;
  add<<<1, 64>>>(device, 0, COUNT, 10);
  expect(cudaThreadSynchronize() == cudaSuccess, "the first launch");
  for (int k = 0; k < COUNT; ++k) expect(host[k] == k + 10, "what the device wrote");
  // The host changes its half of the same page while the device works on the other.
  add<<<1, 64>>>(device, 0, 100, 1);
  for (int k = 100; k < 200; ++k) host[k] = -k;
  expect(cudaThreadSynchronize() == cudaSuccess, "the second launch");
  for (int k = 0; k < 100; ++k) expect(host[k] == k + 11, "the device's half");
  for (int k = 100; k < 200; ++k) expect(host[k] == -k, "the host's half");
  add<<<1, 64>>>(device, 50, 100, 1);
  add<<<1, 64>>>(device + 50, 0, 100, 1);
  cudaEvent_t event;
  cudaEventCreate(&event);
  cudaEventRecord(event, 0);
  expect(cudaEventSynchronize(event) == cudaSuccess, "two launches");
  for (int k = 50; k < 100; ++k) expect(host[k] == k + 13, "two launches on the device's half");
  for (int k = 100; k < 150; ++k) expect(host[k] == -k + 2, "two launches on the host's half");
  cudaEventDestroy(event);
}

int main() {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  expect(properties.canMapHostMemory == 1, "the property");
  expect(cudaSetDeviceFlags(cudaDeviceMapHost) == cudaSuccess, "flags after asking for properties");
  int* host = NULL;
  expect(cudaHostAlloc((void**)&host, COUNT * sizeof(int), cudaHostAllocMapped) == cudaSuccess, "an allocation");
  work(host);
  unsigned flags = 0;
  expect(cudaHostGetFlags(&flags, host) == cudaSuccess && flags == cudaHostAllocMapped, "the flags");
  cudaPointerAttributes attributes;
  expect(cudaPointerGetAttributes(&attributes, host) == cudaSuccess && attributes.memoryType == cudaMemoryTypeHost,
         "the attributes");
  expect(cudaFreeHost(host) == cudaSuccess, "the release");
  expect(cudaFreeHost(host) == cudaErrorInvalidValue, "the second release");

  host = (int*)malloc(COUNT * sizeof(int));
  int* device = NULL;
  expect(cudaHostGetDevicePointer((void**)&device, host, 0) == cudaErrorInvalidValue,
         "memory that is not registered");
  expect(cudaHostRegister(host, COUNT * sizeof(int), cudaHostRegisterMapped) == cudaSuccess, "a registration");
  expect(cudaHostRegister(host, 4, cudaHostRegisterMapped) == cudaErrorHostMemoryAlreadyRegistered, "a second one");
  work(host);
  expect(cudaFreeHost(host) == cudaErrorInvalidValue, "the release of registered memory");
  expect(cudaHostUnregister(host) == cudaSuccess, "the end of the registration");
  expect(cudaHostUnregister(host) == cudaErrorHostMemoryNotRegistered, "the second end");
  free(host);

  expect(cudaHostAlloc((void**)&host, 64, cudaHostAllocDefault) == cudaSuccess, "pinned memory");
  // From Fermi on all pinned memory has an address that both sides use.
  const bool mapped = cudaHostGetDevicePointer((void**)&device, host, 0) == cudaSuccess;
  expect(mapped == (properties.unifiedAddressing != 0), "pinned memory");
  cudaFreeHost(host);
  printf("%d failures\n", failures);
  return failures != 0;
}
