// The first program of every course: allocation, copies, a launch, a check.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

__global__ void vector_add(const float* a, const float* b, float* c, int n) {
  int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

int main(int argc, char** argv) {
  const int n = argc > 1 ? atoi(argv[1]) : 3000;
  const size_t bytes = n * sizeof(float);
  float* a = (float*)malloc(bytes);
  float* b = (float*)malloc(bytes);
  float* c = (float*)malloc(bytes);
  for (int i = 0; i < n; ++i) {
    a[i] = i * 0.5f;
    b[i] = 3 * i;
  }
  float *device_a = NULL, *device_b = NULL, *device_c = NULL;
  cudaMalloc((void**)&device_a, bytes);
  cudaMalloc(&device_b, bytes);
  cudaMalloc(&device_c, bytes);
  cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice);
  vector_add<<<(n + 255) / 256, 256>>>(device_a, device_b, device_c, n);
  cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) {
    printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += c[i] != i * 0.5f + 3 * i;
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_c);
  printf("%d wrong\n", wrong);
  return wrong != 0;
}
