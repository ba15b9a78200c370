// Errors are reported by their codes, and a device works again after a reset.
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

__global__ void store(int* p) { *p = 42; }

static int failures = 0;
#define EXPECT(CALL, ERROR)                                                                             \
  do {                                                                                                  \
    cudaError_t e = (CALL);                                                                             \
    if (e != (ERROR)) printf("line %d: %s: error %d, not %d\n", __LINE__, #CALL, e, ERROR), ++failures; \
  } while (0)

int main() {
  int* p = 0;
  cudaDeviceProp properties;
  EXPECT(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  if (properties.major != 1 || properties.warpSize != 32 || properties.multiProcessorCount < 1) ++failures;
  EXPECT(cudaGetDeviceProperties(&properties, 7), cudaErrorInvalidDevice);
  EXPECT(cudaMalloc(&p, (size_t)1 << 40), cudaErrorMemoryAllocation);
  EXPECT(cudaGetLastError(), cudaErrorMemoryAllocation);
  EXPECT(cudaGetLastError(), cudaSuccess);
  EXPECT(cudaMalloc(&p, 64), cudaSuccess);
  int value = 0;
  EXPECT(cudaMemcpy(p, &value, 65, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT(cudaMemcpy(p, &value, 4, (cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
  EXPECT(cudaFree((char*)p + 8), cudaErrorInvalidDevicePointer);
  EXPECT(cudaSetDevice(5), cudaErrorInvalidDevice);
  EXPECT(cudaGetLastError(), cudaErrorInvalidDevice);
  store<<<1, 1024>>>(p);
  EXPECT(cudaGetLastError(), cudaErrorInvalidConfiguration);
  store<<<1, 1, 20000>>>(p);
  if (cudaGetLastError() == cudaSuccess) ++failures;
  store<<<1, 1>>>(p);
  EXPECT(cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  if (value != 42) printf("value %d\n", value), ++failures;
  // A child has a device of its own.
  if (const pid_t child = fork()) {
    int status = 1;
    waitpid(child, &status, 0);
    if (status != 0) printf("the child ended with %d\n", status), ++failures;
  } else {
    int* own = 0;
    int got = 0;
    bool good = cudaMalloc(&own, 4) == cudaSuccess;
    store<<<1, 1>>>(own);
    good = good && cudaMemcpy(&got, own, 4, cudaMemcpyDeviceToHost) == cudaSuccess && got == 42;
    cudaThreadExit();
    _exit(good ? 0 : 3);
  }
  // A fault: later calls fail, until the reset.
  store<<<1, 1>>>((int*)16);
  EXPECT(cudaThreadSynchronize(), cudaErrorLaunchFailure);
  EXPECT(cudaMalloc(&p, 64), cudaErrorLaunchFailure);
  EXPECT(cudaDeviceReset(), cudaSuccess);
  EXPECT(cudaMalloc(&p, 64), cudaSuccess);
  store<<<1, 1>>>(p);
  value = 0;
  EXPECT(cudaMemcpy(&value, p, 4, cudaMemcpyDeviceToHost), cudaSuccess);
  if (value != 42) ++failures;
  printf("%d failures\n", failures);
  return failures != 0;
}
