// Functions of cuBLAS that have a handle alone, against loops on the host: sums of matrices, diagonals, symmetric
// matrices, rotations, and batches of factors, solutions and inverses.
#include <cmath>
#include <complex>
#include <vector>

#include "testbenches/cuda/libraries/blas_checks.h"

// Differs from column to column and from matrix to matrix; the diagonal does not dominate, so rows are exchanged.
template <class T>
static std::vector<T> matrix(int n, int seed) {
  std::vector<T> a(static_cast<size_t>(n) * n);
  for (int k = 0; k < n * n; ++k) a[k] = T((k * 37 + seed * 11) % 23 - 11) / T(4);
  for (int k = 0; k < n; ++k) a[k * n + (k + 1) % n] += T(9);
  return a;
}
template <class T>
static bool is_near(T a, T b) {
  return std::abs(a - b) <= 2e-3 * (1 + std::abs(b));
}

template <class T, class D>
struct functions {
  cublasStatus_t (*getrf)(cublasHandle_t, int, D* const[], int, int*, int*, int);
  cublasStatus_t (*getrs)(cublasHandle_t, cublasOperation_t, int, int, const D* const[], int, const int*,
                          D* const[], int, int*, int);
  cublasStatus_t (*getri)(cublasHandle_t, int, const D* const[], int, const int*, D* const[], int, int*, int);
  cublasStatus_t (*matinv)(cublasHandle_t, int, const D* const[], int, D* const[], int, int*, int);
};

template <class T, class D>
static void try_batches(cublasHandle_t handle, const functions<T, D>& f, const char* what) {
  constexpr int n = 9, count = 5, columns = 3;
  std::vector<std::vector<T>> a, b;
  std::vector<D*> A, B, C, I;
  for (int m = 0; m < count; ++m) {
    a.push_back(matrix<T>(n, m));
    b.push_back(matrix<T>(n, m + 50));
    b.back().resize(n * columns);
    A.push_back(reinterpret_cast<D*>(on_device(a[m])));
    B.push_back(reinterpret_cast<D*>(on_device(b[m])));
    C.push_back(reinterpret_cast<D*>(on_device(a[m])));
    I.push_back(reinterpret_cast<D*>(on_device(a[m])));
  }
  D** const PA = on_device(A);
  D** const PB = on_device(B);
  D** const PC = on_device(C);
  D** const PI = on_device(I);
  int* const pivots = on_device(std::vector<int>(n * count));
  int* const info = on_device(std::vector<int>(count, 77));
  expect_success(f.matinv(handle, n, const_cast<const D* const*>(PA), n, PI, n, info, count), what);
  expect_success(f.getrf(handle, n, PA, n, pivots, info, count), what);
  expect(from_device(info, count) == std::vector<int>(count, 0), "info of getrf");
  int wrong = 9;
  expect_success(
      f.getrs(handle, CUBLAS_OP_N, n, columns, const_cast<const D* const*>(PA), n, pivots, PB, n, &wrong, count),
      what);
  expect(wrong == 0, "info of getrs");
  expect_success(f.getri(handle, n, const_cast<const D* const*>(PA), n, pivots, PC, n, info, count), what);
  for (int m = 0; m < count; ++m) {
    const std::vector<T> x = from_device(reinterpret_cast<T*>(B[m]), n * columns);
    const std::vector<T> inverse = from_device(reinterpret_cast<T*>(C[m]), n * n);
    expect(inverse == from_device(reinterpret_cast<T*>(I[m]), n * n), "matinv and getri");
    for (int column = 0; column < n; ++column)
      for (int row = 0; row < n; ++row) {
        T product = 0, unit = 0;
        for (int k = 0; k < n; ++k) {
          if (column < columns) product += a[m][k * n + row] * x[column * n + k];
          unit += a[m][k * n + row] * inverse[column * n + k];
        }
        if (column < columns) expect(is_near(product, b[m][column * n + row]), what);
        expect(is_near(unit, T(row == column ? 1 : 0)), what);
      }
  }
  // A' X = B.
  D* const again = reinterpret_cast<D*>(on_device(b[0]));
  D** const one = on_device(std::vector<D*>{again});
  expect_success(
      f.getrs(handle, CUBLAS_OP_T, n, columns, const_cast<const D* const*>(PA), n, pivots, one, n, &wrong, 1),
      what);
  const std::vector<T> x = from_device(reinterpret_cast<T*>(again), n * columns);
  for (int column = 0; column < columns; ++column)
    for (int row = 0; row < n; ++row) {
      T product = 0;
      for (int k = 0; k < n; ++k) product += a[0][row * n + k] * x[column * n + k];
      expect(is_near(product, b[0][column * n + row]), what);
    }
  expect(f.getrs(handle, CUBLAS_OP_N, n, columns, const_cast<const D* const*>(PA), n - 1, pivots, PB, n, &wrong,
                 count) == CUBLAS_STATUS_INVALID_VALUE &&
             wrong == -5,
         "a wrong leading dimension");
  // A singular matrix is named by its pivot.
  std::vector<T> zeros(n * n, T(0));
  for (int k = 0; k < n; ++k) zeros[k * n + k] = T(k == 4 ? 0 : 2);
  D** const singular = on_device(std::vector<D*>{reinterpret_cast<D*>(on_device(zeros))});
  expect_success(f.getrf(handle, n, singular, n, pivots, info, 1), what);
  expect(from_device(info, 1)[0] == 5, "number of the pivot that is 0");
}

int main() {
  cublasHandle_t handle = nullptr;
  expect_success(cublasCreate(&handle), "create");
  try_batches<float, float>(handle,
                            {cublasSgetrfBatched, cublasSgetrsBatched, cublasSgetriBatched, cublasSmatinvBatched},
                            "batches of float");
  try_batches<std::complex<float>, cuComplex>(
      handle, {cublasCgetrfBatched, cublasCgetrsBatched, cublasCgetriBatched, cublasCmatinvBatched},
      "batches of complex");
  cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  if (p.major > 1 || p.minor >= 3)
    try_batches<double, double>(
        handle, {cublasDgetrfBatched, cublasDgetrsBatched, cublasDgetriBatched, cublasDmatinvBatched},
        "batches of double");

  constexpr int m = 7, n = 5;
  std::vector<float> a(m * n), b(m * n), v(m), w(m);
  for (int k = 0; k < m * n; ++k) a[k] = static_cast<float>(k % 9) - 4, b[k] = static_cast<float>(k % 6);
  for (int k = 0; k < m; ++k) v[k] = static_cast<float>(k + 1), w[k] = static_cast<float>(2 * k - 3);
  float* const A = on_device(a);
  float* const B = on_device(b);
  float* const C = on_device(std::vector<float>(m * n));
  float* const V = on_device(v);
  float* const W = on_device(w);
  const float two = 2, three = 3, zero = 0, one = 1;

  // B is n x m: C = 2 A + 3 B'.
  expect_success(cublasSgeam(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, n, &two, A, m, &three, B, n, C, m), "geam");
  std::vector<float> c = from_device(C, m * n);
  for (int x = 0; x < n; ++x)
    for (int y = 0; y < m; ++y) expect(c[x * m + y] == 2 * a[x * m + y] + 3 * b[y * n + x], "element of geam");
  // What is multiplied by 0 is not read: NaN stays out.
  float* const nothing = on_device(std::vector<float>(m * n, NAN));
  expect_success(cublasSgeam(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, &one, A, m, &zero, nothing, m, C, m),
                 "geam of one");
  expect(from_device(C, m * n) == a, "a copy by geam");
  expect(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, &one, A, m, &zero, B, n, A, n) ==
             CUBLAS_STATUS_INVALID_VALUE,
         "geam in place of what it transposes");

  expect_success(cublasSdgmm(handle, CUBLAS_SIDE_LEFT, m, n, A, m, V, 1, C, m), "dgmm");
  c = from_device(C, m * n);
  for (int k = 0; k < m * n; ++k) expect(c[k] == a[k] * v[k % m], "element of dgmm");
  expect_success(cublasSdgmm(handle, CUBLAS_SIDE_RIGHT, m, n, A, m, V, 1, C, m), "dgmm on the right");
  c = from_device(C, m * n);
  for (int k = 0; k < m * n; ++k) expect(c[k] == a[k] * v[k / m], "element of dgmm on the right");

  // The upper triangle of the first n columns; what lies below is not read.
  std::vector<float> s = a;
  for (int x = 0; x < n; ++x)
    for (int y = x + 1; y < m; ++y) s[x * m + y] = NAN;
  float* const S = on_device(s);
  expect_success(cublasSsymv(handle, CUBLAS_FILL_MODE_UPPER, n, &two, S, m, V, 1, &three, W, 1), "symv");
  const std::vector<float> y = from_device(W, m);
  for (int row = 0; row < n; ++row) {
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += (row <= k ? a[k * m + row] : a[row * m + k]) * v[k];
    expect(y[row] == 2 * sum + 3 * w[row], "element of symv");
  }
  expect(y[n] == w[n], "behind symv");

  expect_success(cublasSsyr(handle, CUBLAS_FILL_MODE_LOWER, n, &two, V, 1, A, m), "syr");
  c = from_device(A, m * n);
  for (int x = 0; x < n; ++x)
    for (int row = 0; row < n; ++row)
      expect(c[x * m + row] == a[x * m + row] + (row >= x ? 2 * v[x] * v[row] : 0), "element of syr");

  const float cosine = 0.5f, sine = 2;
  float* const X = on_device(v);
  float* const Y = on_device(w);
  expect_success(cublasSrot(handle, m, X, 1, Y, 1, &cosine, &sine), "rot");
  const std::vector<float> rx = from_device(X, m), ry = from_device(Y, m);
  for (int k = 0; k < m; ++k)
    expect(rx[k] == 0.5f * v[k] + 2 * w[k] && ry[k] == 0.5f * w[k] - 2 * v[k], "element of rot");

  expect_success(
      cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, m, n, &one, A, CUDA_R_32F, m, B, CUDA_R_32F, n, &zero,
                   on_device(std::vector<float>(m * m)), CUDA_R_32F, m, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
      "gemm by types");
  expect(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, m, n, &one, A, CUDA_R_16F, m, B, CUDA_R_16F, n, &zero, C,
                      CUDA_R_32F, m, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_NOT_SUPPORTED,
         "products of halves");
  cublasMath_t mode = CUBLAS_DEFAULT_MATH;
  expect_success(cublasSetMathMode(handle, CUBLAS_TENSOR_OP_MATH), "set the way of calculating");
  expect(cublasGetMathMode(handle, &mode) == CUBLAS_STATUS_SUCCESS && mode == CUBLAS_TENSOR_OP_MATH,
         "the way of calculating");
  expect_success(cublasDestroy(handle), "destroy");
  std::printf("%d failures\n", failures);
  return failures != 0;
}
