// One call of cuBLAS or cuFFT, and its time on the device by events, in microseconds.
#include <cublas.h>
#include <cufft.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

template <class T>
static T* numbers(size_t count) {
  T* device;
  if (cudaMalloc((void**)&device, count * sizeof(T)) != cudaSuccess) exit(2);
  T* host = new T[count];
  for (size_t i = 0; i < count; ++i) host[i] = static_cast<T>(i % 7);
  cudaMemcpy(device, host, count * sizeof(T), cudaMemcpyHostToDevice);
  delete[] host;
  return device;
}

int main(int count, char** words) {
  if (count != 6) return 2;
  const char* function = words[1];
  const int m = atoi(words[2]), n = atoi(words[3]), k = atoi(words[4]);
  const char a_form = words[5][0], b_form = words[5][1];
  cublasInit();
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  bool good = true;
  if (strcmp(function, "sgemm") == 0) {
    float *a = numbers<float>(m * k), *b = numbers<float>(k * n), *c = numbers<float>(m * n);
    cudaEventRecord(begin, 0);
    cublasSgemm(a_form, b_form, m, n, k, 1.0f, a, a_form == 'N' ? m : k, b, b_form == 'N' ? k : n, 0.0f, c, m);
    cudaEventRecord(end, 0);
    good = cublasGetError() == CUBLAS_STATUS_SUCCESS;
  } else if (strcmp(function, "dgemm") == 0) {
    double *a = numbers<double>(m * k), *b = numbers<double>(k * n), *c = numbers<double>(m * n);
    cudaEventRecord(begin, 0);
    cublasDgemm(a_form, b_form, m, n, k, 1.0, a, a_form == 'N' ? m : k, b, b_form == 'N' ? k : n, 0.0, c, m);
    cudaEventRecord(end, 0);
    good = cublasGetError() == CUBLAS_STATUS_SUCCESS;
  } else {
    cufftComplex* x = reinterpret_cast<cufftComplex*>(numbers<float>(2 * m * n));
    cufftHandle plan;
    good = cufftPlan1d(&plan, m, CUFFT_C2C, n) == CUFFT_SUCCESS;
    cudaEventRecord(begin, 0);
    good = good && cufftExecC2C(plan, x, x, CUFFT_FORWARD) == CUFFT_SUCCESS;
    cudaEventRecord(end, 0);
  }
  cudaEventSynchronize(end);
  float milliseconds = 0;
  good = good && cudaEventElapsedTime(&milliseconds, begin, end) == cudaSuccess;
  printf("%.3f\n", milliseconds * 1000);
  return !good;
}
