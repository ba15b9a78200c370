// Constants, variables of the device, structs and pointers as parameters.
#include <stdio.h>

struct body {
  char kind;
  double mass;
  float* place;
  short counts[3];
  float2 speed;
};

__constant__ float factors[4];
__constant__ int offset = 5;
__device__ int total;
__device__ float table[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static __device__ int hidden = 3;

__global__ void use(body b, int* out) {
  int i = threadIdx.x;
  out[i] = (int)(factors[i & 3] * b.mass) + offset + (int)b.place[i] + b.counts[2] + b.kind + (int)b.speed.y +
           (int)table[i] + hidden;
  atomicAdd(&total, out[i]);
}

int main() {
  const float factors_of_host[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(factors, factors_of_host, sizeof factors_of_host);
  const int zero = 0, ten = 10;
  cudaMemcpyToSymbol("total", &zero, sizeof zero);
  const float nine = 9;
  cudaMemcpyToSymbol(table, &nine, sizeof nine, 2 * sizeof(float));
  float place[8];
  for (int i = 0; i < 8; ++i) place[i] = 100 * i;
  body b;
  b.kind = 7;
  b.mass = 10;
  b.counts[2] = -4;
  b.speed = make_float2(1, 2);
  cudaMalloc(&b.place, sizeof place);
  cudaMemcpy(b.place, place, sizeof place, cudaMemcpyHostToDevice);
  int* out;
  cudaMalloc(&out, 8 * sizeof(int));
  int wrong = 0, sum = 0;
  for (int round = 0; round < 2; ++round) {
    use<<<1, 8>>>(b, out);
    int got[8];
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    const float now[8] = {1, 2, 9, 4, 5, 6, 7, 8};
    for (int i = 0; i < 8; ++i) {
      int expected =
          10 * (i % 4 + 1) + (round == 0 ? 5 : 10) + 100 * i - 4 + 7 + 2 + (int)now[i] + (round == 0 ? 3 : 10);
      wrong += got[i] != expected;
      sum += expected;
    }
    cudaMemcpyToSymbol(offset, &ten, sizeof ten);
    cudaMemcpyToSymbol(hidden, &ten, sizeof ten);
  }
  int counted = 0;
  cudaMemcpyFromSymbol(&counted, total, sizeof counted);
  void* address = 0;
  size_t bytes = 0;
  cudaGetSymbolAddress(&address, table);
  cudaGetSymbolSize(&bytes, table);
  float third = 0;
  cudaMemcpy(&third, (float*)address + 2, sizeof third, cudaMemcpyDeviceToHost);
  printf("%d wrong, sum %d of %d, %g, %d bytes\n", wrong, counted, sum, third, (int)bytes);
  return wrong != 0 || counted != sum || third != 9 || bytes != sizeof table;
}
