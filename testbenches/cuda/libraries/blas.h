// The functions of cuBLAS under names without the letter of the type, and vectors and matrices on both sides.
#pragma once

#include "cublas.h"
#include "testbenches/cuda/libraries/reference.h"

#define BLAS_NAMES(T, R, L, M, N)                                                                                 \
  inline void axpy(int n, T a, const T* x, int ix, T* y, int iy) { cublas##L##axpy(n, a, x, ix, y, iy); }         \
  inline void copy(int n, const T* x, int ix, T* y, int iy) { cublas##L##copy(n, x, ix, y, iy); }                 \
  inline void swap(int n, T* x, int ix, T* y, int iy) { cublas##L##swap(n, x, ix, y, iy); }                       \
  inline void scal(int n, T a, T* x, int ix) { cublas##L##scal(n, a, x, ix); }                                    \
  inline R nrm2(int n, const T* x, int ix) { return cublas##N##nrm2(n, x, ix); }                                  \
  inline R asum(int n, const T* x, int ix) { return cublas##N##asum(n, x, ix); }                                  \
  inline int amax(int n, const T* x, int ix) { return cublasI##M##amax(n, x, ix); }                               \
  inline int amin(int n, const T* x, int ix) { return cublasI##M##amin(n, x, ix); }                               \
  inline void gemv(char t, int m, int n, T a, const T* A, int lda, const T* x, int ix, T b, T* y, int iy) {       \
    cublas##L##gemv(t, m, n, a, A, lda, x, ix, b, y, iy);                                                         \
  }                                                                                                               \
  inline void gemm(char s, char t, int m, int n, int k, T a, const T* A, int lda, const T* B, int ldb, T b, T* C, \
                   int ldc) {                                                                                     \
    cublas##L##gemm(s, t, m, n, k, a, A, lda, B, ldb, b, C, ldc);                                                 \
  }                                                                                                               \
  inline void syrk(char u, char t, int n, int k, T a, const T* A, int lda, T b, T* C, int ldc) {                  \
    cublas##L##syrk(u, t, n, k, a, A, lda, b, C, ldc);                                                            \
  }                                                                                                               \
  inline void trsm(char s, char u, char t, char d, int m, int n, T a, const T* A, int lda, T* B, int ldb) {       \
    cublas##L##trsm(s, u, t, d, m, n, a, A, lda, B, ldb);                                                         \
  }
BLAS_NAMES(float, float, S, s, S)
BLAS_NAMES(double, double, D, d, D)
BLAS_NAMES(cuComplex, float, C, c, Sc)
BLAS_NAMES(cuDoubleComplex, double, Z, z, Dz)
#define BLAS_REAL(T, L)                                                                                         \
  inline T dot(int n, const T* x, int ix, const T* y, int iy, bool) { return cublas##L##dot(n, x, ix, y, iy); } \
  inline void rot(int n, T* x, int ix, T* y, int iy, T c, T s) { cublas##L##rot(n, x, ix, y, iy, c, s); }       \
  inline void rotg(T* a, T* b, T* c, T* s) { cublas##L##rotg(a, b, c, s); }                                     \
  inline void rotm(int n, T* x, int ix, T* y, int iy, const T* p) { cublas##L##rotm(n, x, ix, y, iy, p); }      \
  inline void rotmg(T* d, T* e, T* x, const T* y, T* p) { cublas##L##rotmg(d, e, x, y, p); }                    \
  inline void ger(int m, int n, T a, const T* x, int ix, const T* y, int iy, T* A, int lda, bool) {             \
    cublas##L##ger(m, n, a, x, ix, y, iy, A, lda);                                                              \
  }
BLAS_REAL(float, S)
BLAS_REAL(double, D)
#define BLAS_COMPLEX(T, R, L, MIXED)                                                                           \
  inline T dot(int n, const T* x, int ix, const T* y, int iy, bool conjugated) {                               \
    return conjugated ? cublas##L##dotc(n, x, ix, y, iy) : cublas##L##dotu(n, x, ix, y, iy);                   \
  }                                                                                                            \
  inline void rot(int n, T* x, int ix, T* y, int iy, R c, R s) { cublas##MIXED##rot(n, x, ix, y, iy, c, s); }  \
  inline void rot(int n, T* x, int ix, T* y, int iy, R c, T s) { cublas##L##rot(n, x, ix, y, iy, c, s); }      \
  inline void rotg(T* a, T b, R* c, T* s) { cublas##L##rotg(a, b, c, s); }                                     \
  inline void scal(int n, R a, T* x, int ix) { cublas##MIXED##scal(n, a, x, ix); }                             \
  inline void ger(int m, int n, T a, const T* x, int ix, const T* y, int iy, T* A, int lda, bool conjugated) { \
    (conjugated ? cublas##L##gerc : cublas##L##geru)(m, n, a, x, ix, y, iy, A, lda);                           \
  }
BLAS_COMPLEX(cuComplex, float, C, Cs)
BLAS_COMPLEX(cuDoubleComplex, double, Z, Zd)

inline void expect_success(const std::string& what) {
  const cublasStatus status = cublasGetError();
  expect(status == CUBLAS_STATUS_SUCCESS, what + ": status " + std::to_string(status));
}

// Rows x columns by columns, `ld` apart, with an element in front and behind that must not change.
template <class T>
class matrix {
 public:
  matrix(int rows, int columns, int ld) : rows_(rows), columns_(columns), ld_(ld), host_(ld * columns + 2) {
    for (T& x : host_) x = element<T>::of(random_element<T>());
    expect(cublasAlloc(size(), sizeof(T), reinterpret_cast<void**>(&device_)) == CUBLAS_STATUS_SUCCESS, "alloc");
    send();
  }
  matrix(const matrix&) = delete;
  ~matrix() { cublasFree(device_); }
  T* device() { return device_ + 1; }
  int ld() const { return ld_; }
  wide operator()(int i, int j) const { return element<T>::read(host_[1 + i + j * ld_]); }
  void set(int i, int j, wide x) { host_[1 + i + j * ld_] = element<T>::of(x); }
  void send() {
    expect(cublasSetVector(size(), sizeof(T), host_.data(), 1, device_, 1) == CUBLAS_STATUS_SUCCESS, "set");
  }
  // What the device has, in the order of the host's; everything between the columns must be as it was.
  std::vector<wide> result(const std::string& what) const {
    std::vector<T> got(host_.size());
    expect(cublasGetVector(size(), sizeof(T), device_, 1, got.data(), 1) == CUBLAS_STATUS_SUCCESS, "get");
    std::vector<wide> all(rows_ * columns_);
    for (int e = 0; e < size(); ++e) {
      const int place = e - 1;
      const bool inside = place >= 0 && place < ld_ * columns_ && place % ld_ < rows_;
      if (inside)
        all[place % ld_ + place / ld_ * rows_] = element<T>::read(got[e]);
      else
        expect(element<T>::read(got[e]) == element<T>::read(host_[e]), what + ": writes outside the matrix");
    }
    return all;
  }

 private:
  int size() const { return static_cast<int>(host_.size()); }
  int rows_, columns_, ld_;
  std::vector<T> host_;
  T* device_ = nullptr;
};

// A vector with an increment is a row of a matrix of |increment| rows; downwards, its first element is the last.
template <class T>
class line {
 public:
  line(int n, int increment) : n_(n), increment_(increment), elements_(1, n, std::abs(increment)) {}
  T* device() { return elements_.device(); }
  int increment() const { return increment_; }
  wide operator[](int i) const { return elements_(0, place(i)); }
  void set(int i, wide x) { elements_.set(0, place(i), x); }
  void send() { elements_.send(); }
  std::vector<wide> result(const std::string& what) const {
    const std::vector<wide> got = elements_.result(what);
    std::vector<wide> all(n_);
    for (int i = 0; i < n_; ++i) all[i] = got[place(i)];
    return all;
  }

 private:
  int place(int i) const { return increment_ < 0 ? n_ - 1 - i : i; }
  int n_, increment_;
  matrix<T> elements_;
};

inline wide taken(char trans, wide x) { return trans == 'C' ? std::conj(x) : x; }
