// cuBLAS against loops in double precision. The argument names a part; `small` is one case of each part, for the
// model, and `first` the same for chips without double precision.
#include "testbenches/cuda/libraries/blas_unread.h"
#include "testbenches/cuda/libraries/blas_vectors.h"

// Errors, before and while the library is in use.
static void check_errors() {
  float* p = nullptr;
  expect(cublasAlloc(4, 4, reinterpret_cast<void**>(&p)) == CUBLAS_STATUS_NOT_INITIALIZED, "alloc before init");
  expect(cublasSdot(1, nullptr, 1, nullptr, 1) == 0, "dot before init");
  expect(cublasGetError() == CUBLAS_STATUS_NOT_INITIALIZED, "error before init");
  expect(cublasGetError() == CUBLAS_STATUS_SUCCESS, "an error is told once");
  expect(cublasInit() == CUBLAS_STATUS_SUCCESS, "init");
  expect(cublasInit() == CUBLAS_STATUS_SUCCESS, "init again");
  cublasSgemm('N', 'X', 1, 1, 1, 1, nullptr, 1, nullptr, 1, 0, nullptr, 1);
  expect(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE, "unknown transposition");
  cublasSgemm('N', 'N', 4, 4, 4, 1, nullptr, 3, nullptr, 4, 0, nullptr, 4);
  expect(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE, "lda less than the rows");
  cublasStrsm('L', 'Q', 'N', 'N', 4, 4, 1, nullptr, 4, nullptr, 4);
  expect(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE, "unknown triangle");
  cublasSgemv('N', 4, 4, 1, nullptr, 4, nullptr, 0, 0, nullptr, 1);
  expect(cublasGetError() == CUBLAS_STATUS_INVALID_VALUE, "increment 0");
  expect(cublasAlloc(0, 4, reinterpret_cast<void**>(&p)) == CUBLAS_STATUS_INVALID_VALUE, "alloc of nothing");
  expect(cublasAlloc(0x7fffffff, 16, reinterpret_cast<void**>(&p)) == CUBLAS_STATUS_ALLOC_FAILED,
         "alloc of too much");
  // Errors of arguments, not of the device: it still works.
  expect(cublasAlloc(4, 4, reinterpret_cast<void**>(&p)) == CUBLAS_STATUS_SUCCESS, "alloc");
  const float host[7] = {1, 2, 3, 4, 5, 6, 7};
  float back[3] = {};
  expect(cublasSetVector(2, 4, host, 0, p, 1) == CUBLAS_STATUS_INVALID_VALUE, "set with increment 0");
  expect(cublasSetMatrix(2, 2, 4, host, 1, p, 2) == CUBLAS_STATUS_INVALID_VALUE, "set with a short lda");
  expect(cublasSetVector(4, 4, host, 2, p, 1) == CUBLAS_STATUS_SUCCESS, "set every second one");
  expect(cublasSasum(4, p, 1) == 16, "sum of every second one");
  expect(cublasSetMatrix(2, 2, 4, host, 3, p, 2) == CUBLAS_STATUS_SUCCESS, "set a matrix");
  expect(cublasGetMatrix(1, 2, 4, p + 1, 2, back, 2) == CUBLAS_STATUS_SUCCESS, "get a row");
  expect(back[0] == 2 && back[1] == 0 && back[2] == 5, "elements of a row");
  expect(cublasFree(p) == CUBLAS_STATUS_SUCCESS, "free");
  expect_success("errors");
}

template <class T>
static void check_all(const std::string& part, const char* type) {
  const std::vector<int> sizes = {1, 2, 15, 16, 17, 33, 100, 300};
  if (part == "vectors") {
    check_vectors<T>(sizes, type);
    check_vectors<T>({20000}, type);
  }
  if (part == "level2") check_level2<T>(sizes, type);
  if (part == "products") check_products<T>(sizes, type);
  if (part == "triangles") check_triangles<T>(sizes, type);
  if (part == "shapes") {
    check_shapes<T>({1, 2, 17, 40, 130});
    check_products_by_zero<T>(17, 1, -2);
  }
  if (part == "small" || part == "first") {
    check_changes<T>(33, 3, -2, type);
    check_reductions<T>(33, 2, 1, type);
    check_gemv<T>('T', 17, 5, 1, 1, false, type);
    check_ger<T>(5, 17, 1, 2, true, type);
    check_gemm<T>('N', 'C', 17, 33, 9, false, type);
    check_syrk<T>('U', 'T', 17, 5, type);
    check_trsm<T>('R', 'U', 'T', 'N', 5, 18, type);
    check_symmetric_product<T>(packed, 'L', 9, 0, 1, 2);
    check_ranks<T>(full, 'U', 9, 2, 1, true);
    check_triangle<T>(banded, true, 'U', 'C', 'N', 11, 3, 1);
    check_triangle<T>(full, false, 'L', 'T', 'N', 11, 0, -1);
    check_band<T>('T', 8, 11, 2, 3, 1, 1);
    check_symm<T>(false, 'L', 'U', 9, 5);
    check_trmm<T>('R', 'U', 'C', 'N', 5, 9);
    check_rank_k<T>(element<T>::is_complex, true, 'L', 'N', 9, 4);
    expect_success("small");
  }
}

int main(int, char** words) {
  const std::string part = words[1];
  check_errors();
  check_all<float>(part, "S");
  check_all<cuComplex>(part, "C");
  if (part == "first") {
    cublasDscal(1, 2.0, nullptr, 1);
    expect(cublasGetError() == CUBLAS_STATUS_ARCH_MISMATCH, "double precision before 1.3");
    // The large blocks of other chips do not fit.
    check_gemm<float>('N', 'N', 260, 257, 20, false, "S");
  } else {
    check_all<double>(part, "D");
    check_all<cuDoubleComplex>(part, "Z");
  }
  if (part == "shapes") {
    check_large_diagonal<cuComplex>();
    check_large_diagonal<cuDoubleComplex>();
  }
  if (part == "vectors") {
    check_extremes<float>(1e30, 1e-35);
    check_extremes<double>(1e300, 1e-305);
    check_extremes<cuComplex>(1e30, 1e-35);
    check_extremes<cuDoubleComplex>(1e300, 1e-305);
    check_rotg<float>();
    check_rotg<double>();
    check_complex_rotg<cuComplex>();
    check_complex_rotg<cuDoubleComplex>();
    check_rotm<float>();
    check_rotm<double>();
  }
  expect(cublasShutdown() == CUBLAS_STATUS_SUCCESS, "shutdown");
  expect(cublasShutdown() == CUBLAS_STATUS_NOT_INITIALIZED, "shutdown again");
  std::printf("%d failures\n", failures);
  return failures != 0;
}
