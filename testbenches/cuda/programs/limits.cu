// Limits of a device: before compute capability 2.0 it has none; from then on that of the stack. Its heap and its buffer
// for printf do not exist, and have none.
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
    const cudaLimit absent = k == 0 ? cudaLimitPrintfFifoSize : cudaLimitMallocHeapSize;
    expect(cudaDeviceGetLimit(&value, absent) == cudaErrorUnsupportedLimit, "a limit of what does not exist");
    expect(cudaDeviceSetLimit(absent, 1 << 20) == cudaErrorUnsupportedLimit, "a limit of what does not exist is set");
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
