// Managed variables: host and kernels have one content, from the first line of the program on. Code 0 if right.
#include <cstdio>

__managed__ int counter = 5;
__managed__ float table[3] = {1.0f, 2.0f, 3.0f};
static __managed__ int untouched;

__global__ void change() {
  counter *= 2;
  for (int k = 0; k < 3; ++k) table[k] += 0.5f;
}
__global__ void read_by_pointer(const float* p, int* to) { *to = static_cast<int>(p[2] * 2); }

int main() {
  bool right = counter == 5 && table[2] == 3.0f && untouched == 0;
  change<<<1, 1>>>();
  cudaDeviceSynchronize();
  right = right && counter == 10 && table[0] == 1.5f && table[2] == 3.5f;
  counter = 21;
  change<<<1, 1>>>();
  cudaDeviceSynchronize();
  right = right && counter == 42;
  read_by_pointer<<<1, 1>>>(table, &untouched);
  cudaDeviceSynchronize();
  right = right && untouched == 8;
  std::puts(right ? "PASS" : "FAIL");
  return !right;
}
