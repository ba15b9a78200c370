// Checks of test programs for cuBLAS: failures are counted and told, and memory of the device is filled and read.
#pragma once

#include <cublas_v2.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

static int failures = 0;
static void expect(bool good, const char* what) {
  if (good) return;
  ++failures;
  std::printf("%s\n", what);
}
static void expect_success(cublasStatus_t status, const char* what) {
  expect(status == CUBLAS_STATUS_SUCCESS, what);
}

template <class T>
static T* on_device(const std::vector<T>& v) {
  T* p = nullptr;
  cudaMalloc(reinterpret_cast<void**>(&p), v.size() * sizeof(T));
  cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}
template <class T>
static std::vector<T> from_device(const T* p, size_t n) {
  std::vector<T> v(n);
  cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost);
  return v;
}
