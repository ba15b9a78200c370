// Handles of a context that cudaDeviceReset() has ended: they are refused, and their addresses, which the program's
// own memory has by then, are neither written nor freed. New ones work.
#include <cublas.h>
#include <cublas_handle.h>
#include <cuda_runtime.h>
#include <cudpp.h>
#include <cufft.h>
#include <curand.h>

#include <cstdio>
#include <vector>

static int failures = 0;
static void expect(bool good, const char* what) {
  if (good) return;
  ++failures;
  std::printf("wrong: %s\n", what);
}

struct handles {
  cublasHandle_t blas = nullptr;
  cufftHandle fft = 0, trivial_fft = 0;
  CUDPPHandle scan = 0, small_scan = 0;
  curandGenerator_t random = nullptr, host_random = nullptr;
};

static const CUDPPConfiguration scan_of_words = {CUDPP_SCAN, CUDPP_ADD, CUDPP_UINT, CUDPP_OPTION_FORWARD};

static void make(handles& h) {
  expect(cublasInit() == CUBLAS_STATUS_SUCCESS, "cublasInit");
  expect(cublasCreate_v2(&h.blas) == CUBLAS_STATUS_SUCCESS, "cublasCreate");
  expect(cufftPlan1d(&h.fft, 100, CUFFT_C2C, 1) == CUFFT_SUCCESS, "cufftPlan1d");
  expect(cufftPlan1d(&h.trivial_fft, 1, CUFFT_C2C, 1) == CUFFT_SUCCESS, "cufftPlan1d of one");
  expect(cudppPlan(&h.scan, scan_of_words, 5000, 1, 0) == CUDPP_SUCCESS, "cudppPlan");
  expect(cudppPlan(&h.small_scan, scan_of_words, 4, 1, 0) == CUDPP_SUCCESS, "cudppPlan of four");
  expect(curandCreateGenerator(&h.random, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS, "create");
  expect(curandGenerateSeeds(h.random) == CURAND_STATUS_SUCCESS, "seeds");
}

// All functions that look at a handle, with the program's own 4,096 words.
static void use(const handles& h, float* x, bool is_ended) {
  unsigned* const words = reinterpret_cast<unsigned*>(x);
  cufftComplex* const numbers = reinterpret_cast<cufftComplex*>(x);
  const cublasStatus_t blas = is_ended ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
  const cufftResult fft = is_ended ? CUFFT_INVALID_PLAN : CUFFT_SUCCESS;
  const CUDPPResult scan = is_ended ? CUDPP_ERROR_INVALID_HANDLE : CUDPP_SUCCESS;
  const curandStatus_t random = is_ended ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS;
  float result = 0;
  expect(cublasSdot_v2(h.blas, 256, x, 1, x + 512, 1, &result) == blas, "dot of a handle");
  expect(cublasSetStream_v2(h.blas, nullptr) == blas, "stream of a handle");
  expect((cublasSdot(256, x, 1, x + 512, 1) == 0) == is_ended, "dot");
  expect(cublasGetError() == blas, "error of dot");
  expect(cufftExecC2C(h.fft, numbers, numbers, CUFFT_FORWARD) == fft, "transform");
  expect(cufftExecC2C(h.trivial_fft, numbers, numbers, CUFFT_FORWARD) == fft, "transform of one");
  expect(cufftSetStream(h.fft, nullptr) == fft, "stream of a plan");
  expect(cudppScan(h.scan, x, x, 4096) == scan, "scan");
  expect(cudppScan(h.small_scan, x, x, 4) == scan, "scan of four");
  expect(curandSetStream(h.random, nullptr) == random, "stream of a generator");
  expect(curandGenerate(h.random, words, 4096) == random, "numbers");
}

static void destroy(const handles& h, bool is_ended) {
  expect(cublasDestroy_v2(h.blas) == (is_ended ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS),
         "cublasDestroy");
  for (const cufftHandle p : {h.fft, h.trivial_fft})
    expect(cufftDestroy(p) == (is_ended ? CUFFT_INVALID_PLAN : CUFFT_SUCCESS), "cufftDestroy");
  for (const CUDPPHandle p : {h.scan, h.small_scan})
    expect(cudppDestroyPlan(p) == (is_ended ? CUDPP_ERROR_INVALID_HANDLE : CUDPP_SUCCESS), "cudppDestroyPlan");
  expect(curandDestroyGenerator(h.random) == (is_ended ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS),
         "curandDestroyGenerator");
}

int main() {
  handles old, now;
  make(old);
  expect(curandCreateGeneratorHost(&old.host_random, CURAND_RNG_PSEUDO_DEFAULT) == CURAND_STATUS_SUCCESS,
         "on the host");
  expect(cudaDeviceReset() == cudaSuccess, "reset");

  // Blocks of many sizes: some have addresses of the libraries' memory.
  std::vector<float*> blocks;
  const std::vector<float> sevens(4096, 7);
  for (const size_t words : {256, 256, 512, 1024, 4096, 24576, 4096, 4096}) {
    float* x = nullptr;
    expect(cudaMalloc(reinterpret_cast<void**>(&x), (words < 4096 ? 4096 : words) * sizeof(float)) == cudaSuccess,
           "cudaMalloc");
    expect(cudaMemcpy(x, sevens.data(), 4096 * sizeof(float), cudaMemcpyHostToDevice) == cudaSuccess, "send");
    blocks.push_back(x);
  }
  expect(cublasShutdown() == CUBLAS_STATUS_NOT_INITIALIZED, "cublasShutdown of a context that has ended");
  use(old, blocks[0], true);
  destroy(old, true);
  for (float* x : blocks) {
    std::vector<float> got(4096);
    expect(cudaMemcpy(got.data(), x, 4096 * sizeof(float), cudaMemcpyDeviceToHost) == cudaSuccess, "fetch");
    expect(got == sevens, "memory of the program");
  }
  // It has no device memory.
  unsigned word = 0;
  expect(curandGenerate(old.host_random, &word, 1) == CURAND_STATUS_SUCCESS, "numbers of the host");
  expect(curandDestroyGenerator(old.host_random) == CURAND_STATUS_SUCCESS, "destroy on the host");

  make(now);
  expect(cublasSdot(256, blocks[0], 1, blocks[0] + 512, 1) == 7 * 7 * 256, "dot in the new context");
  use(now, blocks[0], false);
  destroy(now, false);
  expect(cublasShutdown() == CUBLAS_STATUS_SUCCESS, "cublasShutdown");
  for (float* x : blocks) expect(cudaFree(x) == cudaSuccess, "the program's memory is still its own");
  std::printf("%d failures\n", failures);
  return failures != 0;
}
