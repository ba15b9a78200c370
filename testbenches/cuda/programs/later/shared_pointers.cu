// Pointers that host and kernels share: managed, pinned and registered memory; and what the API says of them.
// Compute capability 2.0.
#include <cstdio>
#include <cstdlib>

struct item {
  int value;
  item* next;
};
__global__ void increment(item* list) {
  for (; list != nullptr; list = list->next) ++list->value;
}
__global__ void add(int* d, int v) { d[threadIdx.x] += v; }

int main() {
  int wrong = 0;
  item* items;
  if (cudaMallocManaged(&items, 10 * sizeof(item)) != cudaSuccess) return puts("no managed memory"), 1;
  for (int k = 0; k < 10; ++k) items[k] = {k, k < 9 ? items + k + 1 : nullptr};
  increment<<<1, 1>>>(items);
  cudaDeviceSynchronize();
  for (int k = 0; k < 10; ++k) wrong += items[k].value != k + 1;
  for (int k = 0; k < 10; ++k) items[k].value = 0;
  increment<<<1, 1>>>(items);
  cudaDeviceSynchronize();
  for (int k = 0; k < 10; ++k) wrong += items[k].value != 1;
  int *pinned, *plain = static_cast<int*>(malloc(256)), *device;
  cudaMallocHost(&pinned, 256);
  cudaHostRegister(plain, 256, cudaHostRegisterDefault);
  cudaMalloc(&device, 256);
  for (int k = 0; k < 64; ++k) pinned[k] = plain[k] = k;
  add<<<1, 64>>>(pinned, 1);
  add<<<1, 64>>>(plain, 2);
  cudaDeviceSynchronize();
  for (int k = 0; k < 64; ++k) wrong += pinned[k] != k + 1 || plain[k] != k + 2;
  cudaMemcpy(device, pinned, 256, cudaMemcpyDefault);
  cudaMemset(pinned, 0, 256);
  cudaMemcpy(pinned, device, 256, cudaMemcpyDefault);
  for (int k = 0; k < 64; ++k) wrong += pinned[k] != k + 1;
  cudaPointerAttributes a;
  wrong += cudaPointerGetAttributes(&a, items + 3) != cudaSuccess || a.type != cudaMemoryTypeManaged;
  wrong += cudaPointerGetAttributes(&a, pinned) != cudaSuccess || a.type != cudaMemoryTypeHost;
  int local = 0;
  for (void* unknown : {static_cast<void*>(&local), static_cast<void*>(nullptr)})
    wrong += cudaPointerGetAttributes(&a, unknown) != cudaSuccess || a.type != cudaMemoryTypeUnregistered ||
             a.device != cudaInvalidDeviceId || a.devicePointer != nullptr || a.hostPointer != unknown;
  wrong += cudaFree(items) != cudaSuccess || cudaFreeHost(pinned) != cudaSuccess;
  wrong += cudaHostUnregister(plain) != cudaSuccess;
  puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
