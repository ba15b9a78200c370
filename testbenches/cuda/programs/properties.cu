// What a board says about itself, by both APIs: the largest block in x, y, z and threads, the clock in kHz, and the
// bandwidth that follows from clock and width of the memory.
#include <cuda.h>
#include <stdio.h>

static double gigabytes_per_second(int clock_khz, int bits) { return 2.0 * clock_khz * bits / 8 / 1e6; }

int main() {
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  const int* d = p.maxThreadsDim;
  const double bandwidth = gigabytes_per_second(p.memoryClockRate, p.memoryBusWidth);
  printf("%d %d %d %d %d %.1f\n", d[0], d[1], d[2], p.maxThreadsPerBlock, p.clockRate, bandwidth);
  static const CUdevice_attribute attributes[] = {
      CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X,   CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y,
      CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z,   CU_DEVICE_ATTRIBUTE_CLOCK_RATE,
      CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH};
  const int wanted[] = {d[0], d[1], d[2], p.clockRate, p.memoryClockRate, p.memoryBusWidth};
  int failures = 0;
  for (int k = 0; k < 6; ++k) {
    int value = -1;
    cuDeviceGetAttribute(&value, attributes[k], 0);
    if (value != wanted[k]) printf("attribute %d is %d, not %d\n", attributes[k], value, wanted[k]), ++failures;
  }
  return failures;
}
