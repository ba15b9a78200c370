// The interface of cuBLAS with handles: errors, where scalars are, streams, and products against loops.
#include <cmath>
#include <string>
#include <vector>

#include "testbenches/cuda/libraries/blas_checks.h"

int main() {
  cublasHandle_t none = nullptr, handle = nullptr, other = nullptr;
  float one = 1, two = 2, result = 0;
  expect(cublasSscal(none, 1, &one, nullptr, 1) == CUBLAS_STATUS_NOT_INITIALIZED, "scal without a handle");
  expect(cublasCreate(nullptr) == CUBLAS_STATUS_INVALID_VALUE, "create nowhere");
  expect_success(cublasCreate(&handle), "create");
  expect_success(cublasCreate(&other), "create another");
  expect_success(cublasDestroy(other), "destroy the other");

  constexpr int n = 20;
  std::vector<float> a(n * n), b(n * n);
  for (int k = 0; k < n * n; ++k) {
    a[k] = static_cast<float>(k % 7) - 3;
    b[k] = static_cast<float>(k % 5) - 2;
  }
  float* A = on_device(a);
  float* B = on_device(b);
  float* C = on_device(b);
  float* scalar = on_device(std::vector<float>{2});

  // C = A' B, and errors.
  expect_success(cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, n, &two, A, n, B, n, &one, C, n), "gemm");
  std::vector<float> c = from_device(C, n * n);
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x) {
      float sum = 0;
      for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[x * n + k];
      expect(c[x * n + y] == 2 * sum + b[x * n + y], "element of gemm");
    }
  expect(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, A, n - 1, B, n, &one, C, n) ==
             CUBLAS_STATUS_INVALID_VALUE,
         "short lda");
  expect(cublasSgemm(handle, static_cast<cublasOperation_t>(7), CUBLAS_OP_N, n, n, n, &one, A, n, B, n, &one, C,
                     n) == CUBLAS_STATUS_INVALID_VALUE,
         "unknown operation");
  expect(cublasSaxpy(handle, n, nullptr, A, 1, C, 1) == CUBLAS_STATUS_INVALID_VALUE, "no alpha");
  expect_success(cublasSscal(handle, 0, &one, C, 1), "an error is told once");

  // Scalars of the device.
  expect_success(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE), "pointer mode");
  float* at = on_device(std::vector<float>{0});
  expect_success(cublasSdot(handle, n, A, 1, A, 1, at), "dot to the device");
  expect_success(cublasSscal(handle, n, scalar, B, 1), "scal by the device");
  expect_success(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST), "pointer mode back");
  float squares = 0;
  for (int k = 0; k < n; ++k) squares += a[k] * a[k];
  expect(from_device(at, 1)[0] == squares, "dot");
  expect(from_device(B, n)[3] == 2 * b[3], "scal");
  expect_success(cublasSnrm2(handle, n, A, 1, &result), "nrm2");
  expect(std::fabs(result - std::sqrt(squares)) < 1e-4f, "norm");
  int index = 0;
  expect_success(cublasIsamax(handle, n, A, 1, &index), "amax");
  expect(index == 1, "index of the largest");

  // trmm beside its operand: B stays.
  const std::vector<float> before = from_device(B, n * n);
  expect_success(cublasStrmm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, n, n,
                             &one, A, n, B, n, C, n),
                 "trmm");
  expect(from_device(B, n * n) == before, "operand of trmm");
  c = from_device(C, n * n);
  float last = before[n - 1], above = before[n - 2] + a[(n - 1) * n + n - 2] * before[n - 1];
  expect(c[n - 1] == last && c[n - 2] == above, "elements of trmm");

  // A batch of two products by the identity.
  std::vector<float> unit(n * n, 0);
  for (int k = 0; k < n; ++k) unit[k * n + k] = 1;
  float* E = on_device(unit);
  const float* lefts[] = {A, E};
  const float* rights[] = {E, B};
  float* results[] = {on_device(unit), on_device(unit)};
  void *l, *r, *o;
  for (void** p : {&l, &r, &o}) cudaMalloc(p, sizeof lefts);
  cudaMemcpy(l, lefts, sizeof lefts, cudaMemcpyHostToDevice);
  cudaMemcpy(r, rights, sizeof rights, cudaMemcpyHostToDevice);
  cudaMemcpy(o, results, sizeof results, cudaMemcpyHostToDevice);
  float zero = 0;
  expect_success(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, static_cast<const float**>(l),
                                    n, static_cast<const float**>(r), n, &zero, static_cast<float**>(o), n, 2),
                 "batch");
  expect(from_device(results[0], n * n) == a && from_device(results[1], n * n) == before, "elements of a batch");

  // One identity multiplies two matrices, one after the other.
  std::vector<float> both = a;
  both.insert(both.end(), before.begin(), before.end());
  float* pair = on_device(both);
  float* products = on_device(std::vector<float>(both.size(), 0));
  expect_success(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, pair, n, n * n, E, n, 0,
                                           &zero, products, n, n * n, 2),
                 "batch by strides");
  expect(from_device(products, 2 * n * n) == both, "elements of a batch by strides");
  expect_success(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, pair, n, n * n, E, n, 0,
                                           &zero, products, n, n * n, 0),
                 "a batch of none");
  expect(std::string(cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE)) == "CUBLAS_STATUS_INVALID_VALUE" &&
             std::string(cublasGetStatusString(CUBLAS_STATUS_SUCCESS)) == "success",
         "texts of a status");

  expect_success(cublasDestroy(handle), "destroy");
  std::printf("%d failures\n", failures);
  return failures != 0;
}
