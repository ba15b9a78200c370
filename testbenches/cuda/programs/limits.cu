// Limits of a device: before compute capability 2.0 it has none; from then on those of the stack, of the buffer of
// printf and of the heap of kernels.
#include <stdio.h>

static int failures;
static void expect(bool good, const char* what) {
  if (!good) printf("wrong: %s\n", what), ++failures;
}

int main() {
  cudaDeviceProp properties;
  cudaGetDeviceProperties(&properties, 0);
  const bool has_stack = properties.major >= 2;
  size_t value = 0;
  expect(cudaDeviceGetLimit(0, cudaLimitStackSize) == cudaErrorInvalidValue, "no place for a value");
  for (int k = 0; k < 2; ++k) {
    const cudaLimit limit = k == 0 ? cudaLimitPrintfFifoSize : cudaLimitMallocHeapSize;
    const size_t at_first = k == 0 ? 1 << 20 : 8 << 20;
    if (!has_stack) {
      expect(cudaDeviceGetLimit(&value, limit) == cudaErrorUnsupportedLimit, "a limit of what does not exist");
      expect(cudaDeviceSetLimit(limit, 1 << 20) == cudaErrorUnsupportedLimit, "a limit of what does not exist is set");
    } else {
      expect(cudaDeviceGetLimit(&value, limit) == cudaSuccess && value == at_first, "a limit at first");
      expect(cudaDeviceSetLimit(limit, 1 << 21) == cudaSuccess, "a limit is set");
      expect(cudaDeviceGetLimit(&value, limit) == cudaSuccess && value == 1 << 21, "the limit that was set");
    }
  }
  if (!has_stack) {
    expect(cudaDeviceGetLimit(&value, cudaLimitStackSize) == cudaErrorUnsupportedLimit, "a limit of Tesla");
    expect(cudaDeviceSetLimit(cudaLimitStackSize, 2048) == cudaErrorUnsupportedLimit, "a limit of Tesla is set");
  } else {
    expect(cudaDeviceGetLimit(&value, cudaLimitStackSize) == cudaSuccess && value == 1024, "the stack at first");
    expect(cudaThreadSetLimit(cudaLimitStackSize, 8192) == cudaSuccess, "a larger stack");
    expect(cudaDeviceSetLimit(cudaLimitStackSize, 1 << 20) == cudaErrorInvalidValue,
           "a stack that is larger than local memory");
    expect(cudaThreadGetLimit(&value, cudaLimitStackSize) == cudaSuccess && value == 8192, "the stack that was set");
    cudaDeviceReset();
    expect(cudaDeviceGetLimit(&value, cudaLimitStackSize) == cudaSuccess && value == 1024, "the stack after a reset");
  }
  printf("%d failures\n", failures);
  return failures;
}
