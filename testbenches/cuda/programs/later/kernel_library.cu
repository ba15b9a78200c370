// printf, malloc and free, new and delete, memcpy and memset in kernels. Compute capability 2.0.
#include <cstdio>
#include <cstring>

struct node {
  int value;
  node* next;
};

__global__ void talk() {
  if (threadIdx.x < 2)
    printf("thread %d of %u: %5.2f %s %c %llx %% %p\n", threadIdx.x, blockDim.x, 1.5f, "text", 'x', 1ull << 40,
           static_cast<void*>(nullptr));
}
__global__ void allocate(int* d) {
  node* list = nullptr;
  for (int k = 0; k < 5; ++k) list = new node{k + static_cast<int>(threadIdx.x), list};
  int sum = 0;
  while (list != nullptr) {
    sum += list->value;
    node* const next = list->next;
    delete list;
    list = next;
  }
  char* const text = static_cast<char*>(malloc(100));
  memset(text, 7, 100);
  int copied[3] = {1, 2, 3}, to[3];
  memcpy(to, copied, sizeof to);
  d[threadIdx.x] = sum + text[99] + to[2] + (malloc(1u << 30) == nullptr ? 1000 : 0);
  free(text);
}

int main() {
  int *d, h[96], wrong = 0;
  cudaMalloc(&d, sizeof h);
  talk<<<1, 32>>>();
  cudaDeviceSynchronize();
  puts("after the kernel");
  for (int round = 0; round < 2; ++round) {
    allocate<<<1, 96>>>(d);
    if (const cudaError_t e = cudaDeviceSynchronize()) return puts(cudaGetErrorName(e)), 1;
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    for (int t = 0; t < 96; ++t)
      if (h[t] != 10 + 5 * t + 7 + 3 + 1000 && ++wrong < 10) printf("thread %d: %d\n", t, h[t]);
  }
  puts(wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
