// Constants by their addresses: what the host copies there and what a kernel stores there is what the next launch reads,
// as after a copy to the symbol.
#include <stdio.h>

__constant__ float factors[4] = {1, 2, 3, 4};
__constant__ int offset = 5;

__global__ void use(float* out) { out[threadIdx.x] = factors[threadIdx.x] + offset; }
__global__ void doubles(float* numbers) { numbers[threadIdx.x] *= 2; }

static float* out;
static int failures;

static void expect(const char* what, float first, float last) {
  float got[4];
  use<<<1, 4>>>(out);
  cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
  if (got[0] == first && got[3] == last) return;
  printf("%s: %g and %g instead of %g and %g\n", what, got[0], got[3], first, last), ++failures;
}
static void expect(const char* what, bool good) {
  if (!good) printf("%s\n", what), ++failures;
}

int main() {
  cudaMalloc((void**)&out, 4 * sizeof(float));
  float *address = 0, *again = 0;
  size_t bytes = 0;
  expect("a launch before", 6, 9);
  expect("address", cudaGetSymbolAddress((void**)&address, factors) == cudaSuccess && address != 0);
  expect("size", cudaGetSymbolSize(&bytes, factors) == cudaSuccess && bytes == sizeof factors);
  expect("one address", cudaGetSymbolAddress((void**)&again, "factors") == cudaSuccess && again == address);
  expect("the first content", 6, 9);

  const float tens[4] = {10, 20, 30, 40};
  expect("copy", cudaMemcpy(address, tens, sizeof tens, cudaMemcpyHostToDevice) == cudaSuccess);
  expect("a copy to the address", 15, 45);
  float found[4];
  cudaMemcpyFromSymbol(found, factors, sizeof found);
  expect("the symbol has what was copied to the address", found[3] == 40);

  doubles<<<1, 4>>>(address);
  expect("a kernel's stores", 25, 85);

  const float last = 7;
  cudaMemcpyToSymbol(factors, &last, sizeof last, 3 * sizeof last);
  expect("a copy to the symbol", 25, 12);
  cudaMemcpy(found, address, sizeof found, cudaMemcpyDeviceToHost);
  expect("the address has what was copied to the symbol", found[0] == 20 && found[3] == 7);
  const int zero = 0;
  cudaMemcpyToSymbol(offset, &zero, sizeof zero);
  expect("a constant without an address", 20, 7);

  expect("too many bytes", cudaMemcpy(address, tens, 2 * sizeof tens, cudaMemcpyHostToDevice) == cudaErrorInvalidValue);
  expect("nothing to free", cudaFree(address) == cudaErrorInvalidDevicePointer);
  printf("%d failures\n", failures);
  return failures;
}
