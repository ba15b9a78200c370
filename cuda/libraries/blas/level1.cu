// Vectors. Compiled twice: real and complex numbers of one precision each (GT200_LIBRARY_DOUBLE).
//
// A reduction leaves a partial result per block, which the host adds up in the order of the blocks: the result does
// not depend on which block ends first.
#include <math.h>

#include "cuda/libraries/blas/element.h"
#include "cuda/libraries/blas/state.h"

namespace gt200_blas {

enum { threads = 128 };

#define GT200_BLAS_FOR(i, n) for (int i = blockIdx.x * threads + threadIdx.x; i < (n); i += gridDim.x * threads)

template <class T>
__global__ void add_multiple(int n, T alpha, const T* x, int incx, T* y, int incy) {
  GT200_BLAS_FOR(i, n) y[i * incy] = multiply_add(alpha, x[i * incx], y[i * incy]);
}

template <class T>
__global__ void copy_elements(int n, const T* x, int incx, T* y, int incy) {
  GT200_BLAS_FOR(i, n) y[i * incy] = x[i * incx];
}

template <class T>
__global__ void exchange(int n, T* x, int incx, T* y, int incy) {
  GT200_BLAS_FOR(i, n) {
    const T old = x[i * incx];
    x[i * incx] = y[i * incy];
    y[i * incy] = old;
  }
}

template <class T, class A>
__global__ void scale(int n, A alpha, T* x, int incx) {
  GT200_BLAS_FOR(i, n) x[i * incx] = multiply(alpha, x[i * incx]);
}

// S: the real type, or a complex one.
template <class T, class R, class S>
__global__ void rotate(int n, T* x, int incx, T* y, int incy, R c, S s) {
  GT200_BLAS_FOR(i, n) {
    const T a = x[i * incx];
    const T b = y[i * incy];
    x[i * incx] = multiply_add(c, a, multiply(s, b));
    y[i * incy] = multiply_add(c, b, multiply(multiply(R(-1), conjugate(s, 1)), a));
  }
}

// By a matrix of four elements.
template <class T>
__global__ void transform(int n, T* x, int incx, T* y, int incy, T h11, T h21, T h12, T h22) {
  GT200_BLAS_FOR(i, n) {
    const T a = x[i * incx];
    const T b = y[i * incy];
    x[i * incx] = h11 * a + h12 * b;
    y[i * incy] = h21 * a + h22 * b;
  }
}

// What a sum is of.
struct product_of_elements {
  int conjugated;
  template <class T>
  __device__ T operator()(T x, T y) const {
    return multiply(conjugate(x, conjugated), y);
  }
};
struct sum_of_magnitudes {
  template <class T>
  __device__ typename real_of<T>::type operator()(T x, T) const {
    return magnitude(x);
  }
};
template <class R>
struct sum_of_squares {
  R factor;
  template <class T>
  __device__ R operator()(T x, T) const {
    return scaled_square(x, factor);
  }
};

template <class T, class R, class F>
__global__ void sum(int n, F of, const T* x, int incx, const T* y, int incy, R* partial) {
  __shared__ R s[threads];
  R own = R();
  GT200_BLAS_FOR(i, n) own = add(own, of(x[i * incx], y[i * incy]));
  s[threadIdx.x] = own;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) s[threadIdx.x] = add(s[threadIdx.x], s[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = s[0];
}

template <class R>
struct extreme {
  R value;
  int index;
};

// Whether b is before a: more extreme, or as extreme and earlier. Index -1 is of no element.
template <class R>
__host__ __device__ inline bool is_before(const extreme<R>& b, const extreme<R>& a, int largest) {
  if (b.index < 0) return false;
  if (a.index < 0) return true;
  if (b.value != a.value) return largest ? b.value > a.value : b.value < a.value;
  return b.index < a.index;
}

template <class T, class R>
__global__ void find_extreme(int n, int largest, const T* x, int incx, extreme<R>* partial) {
  __shared__ R value[threads];
  __shared__ int index[threads];
  extreme<R> own = {R(), -1};
  GT200_BLAS_FOR(i, n) {
    const extreme<R> next = {magnitude(x[i * incx]), i};
    if (is_before(next, own, largest)) own = next;
  }
  value[threadIdx.x] = own.value;
  index[threadIdx.x] = own.index;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) {
      const extreme<R> other = {value[threadIdx.x + half], index[threadIdx.x + half]};
      if (is_before(other, own, largest)) {
        own = other;
        value[threadIdx.x] = own.value;
        index[threadIdx.x] = own.index;
      }
    }
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = own;
}

// Vectors that are only changed; increments as BLAS has them.
inline dim3 grid_for(int n) { return blocks_for(n, threads, 1024); }

template <class T>
void axpy(int n, T alpha, const T* x, int incx, T* y, int incy) {
  if (!in_use() || n <= 0 || is_real(alpha, 0)) return;
  run(add_multiple<T>, grid_for(n), threads, n, alpha, first(x, n, incx), incx, first(y, n, incy), incy);
}

template <class T>
void copy(int n, const T* x, int incx, T* y, int incy) {
  if (!in_use() || n <= 0) return;
  run(copy_elements<T>, grid_for(n), threads, n, first(x, n, incx), incx, first(y, n, incy), incy);
}

template <class T>
void swap(int n, T* x, int incx, T* y, int incy) {
  if (!in_use() || n <= 0) return;
  run(exchange<T>, grid_for(n), threads, n, first(x, n, incx), incx, first(y, n, incy), incy);
}

template <class T, class A>
void scal(int n, A alpha, T* x, int incx) {
  if (!in_use() || n <= 0 || incx <= 0) return;
  run(scale<T, A>, grid_for(n), threads, n, alpha, x, incx);
}

template <class T, class R, class S>
void rot(int n, T* x, int incx, T* y, int incy, R c, S s) {
  if (!in_use() || n <= 0) return;
  run(rotate<T, R, S>, grid_for(n), threads, n, first(x, n, incx), incx, first(y, n, incy), incy, c, s);
}

// The first parameter says which of the others are 1, 0 or -1 instead.
template <class T>
void rotm(int n, T* x, int incx, T* y, int incy, const T* param) {
  if (!in_use() || !valid(param != nullptr)) return;
  if (n <= 0 || param[0] == -2) return;
  const bool all = param[0] == -1;
  const bool off_diagonal = param[0] == 0;
  const T h11 = off_diagonal ? 1 : param[1];
  const T h21 = all || off_diagonal ? param[2] : -1;
  const T h12 = all || off_diagonal ? param[3] : 1;
  const T h22 = off_diagonal ? 1 : param[4];
  run(transform<T>, grid_for(n), threads, n, first(x, n, incx), incx, first(y, n, incy), incy, h11, h21, h12, h22);
}

template <class R, class T, class F>
R reduce(int n, F of, const T* x, int incx, const T* y, int incy) {
  const int blocks = blocks_for(n, threads, most_partials);
  R host[most_partials] = {};
  run(sum<T, R, F>, blocks, threads, n, of, x, incx, y, incy, static_cast<R*>(partials()));
  check(cudaMemcpy(host, partials(), blocks * sizeof(R), cudaMemcpyDeviceToHost));
  R total = R();
  for (int b = 0; b < blocks; ++b) total = add(total, host[b]);
  return total;
}

template <class T>
T dot(int n, const T* x, int incx, const T* y, int incy, int conjugated) {
  if (!in_use() || n <= 0) return T();
  const product_of_elements of = {conjugated};
  return reduce<T>(n, of, first(x, n, incx), incx, first(y, n, incy), incy);
}

template <class R, class T>
R asum(int n, const T* x, int incx) {
  if (!in_use() || n <= 0 || incx <= 0) return 0;
  return reduce<R>(n, sum_of_magnitudes(), x, incx, x, incx);
}

// A second pass, with scaled elements, if the sum of squares overflows or may have lost what underflows.
template <class R, class T>
R nrm2(int n, const T* x, int incx) {
  if (!in_use() || n <= 0 || incx <= 0) return 0;
  const bool wide = sizeof(R) == sizeof(double);
  const R small = static_cast<R>(ldexp(1.0, wide ? -800 : -80));
  R factor = 1;
  R squares = reduce<R>(n, sum_of_squares<R>{factor}, x, incx, x, incx);
  if (isinf(squares)) factor = static_cast<R>(ldexp(1.0, wide ? -600 : -100));
  if (squares < small) factor = static_cast<R>(ldexp(1.0, wide ? 900 : 100));
  if (factor != 1) squares = reduce<R>(n, sum_of_squares<R>{factor}, x, incx, x, incx);
  return static_cast<R>(sqrt(static_cast<double>(squares)) / factor);
}

template <class R, class T>
int amax(int n, int largest, const T* x, int incx) {
  if (!in_use() || n <= 0 || incx <= 0) return 0;
  static_assert(sizeof(extreme<R>) <= bytes_of_partial, "partial results have room");
  const int blocks = blocks_for(n, threads, most_partials);
  extreme<R> host[most_partials] = {};
  run(find_extreme<T, R>, blocks, threads, n, largest, x, incx, static_cast<extreme<R>*>(partials()));
  const cudaError_t error = cudaMemcpy(host, partials(), blocks * sizeof(extreme<R>), cudaMemcpyDeviceToHost);
  check(error);
  if (error != cudaSuccess) return 0;
  extreme<R> found = {R(), -1};
  for (int b = 0; b < blocks; ++b)
    if (is_before(host[b], found, largest)) found = host[b];
  return found.index + 1;
}

// As the reference BLAS: r takes the sign of the larger of a and b.
template <class R>
void rotg(R* a, R* b, R* c, R* s) {
  if (!in_use()) return;
  const R size = magnitude(*a) + magnitude(*b);
  if (size == 0) {
    *c = 1;
    *s = *a = *b = 0;
    return;
  }
  const bool a_is_larger = magnitude(*a) > magnitude(*b);
  const R x = *a / size;
  const R y = *b / size;
  const R length = size * sqrt(x * x + y * y);
  const R r = (a_is_larger ? *a : *b) < 0 ? -length : length;
  *c = *a / r;
  *s = *b / r;
  *b = a_is_larger ? *s : *c != 0 ? 1 / *c : 1;
  *a = r;
}

// Of complex numbers, as the reference BLAS: c is real, and r has the direction of a.
template <class R, class T>
void rotg(T* a, T b, R* c, T* s) {
  if (!in_use()) return;
  const R size_a = hypot(a->x, a->y);
  if (size_a == 0) {
    *c = 0;
    *s = number<T>(1);
    *a = b;
    return;
  }
  const R length = hypot(size_a, hypot(b.x, b.y));
  const T direction = multiply(1 / size_a, *a);
  *c = size_a / length;
  *s = multiply(1 / length, multiply(direction, conjugate(b, 1)));
  *a = multiply(length, direction);
}

// The matrix that makes the second element of (sqrt(d1) x1, sqrt(d2) y1) zero, with d1, d2 and x1 after it; d1 and
// d2 stay between 2^-24 and 2^24.
template <class R>
void rotmg(R* d1, R* d2, R* x1, const R* y1, R* param) {
  if (!in_use() || !valid(d1 != nullptr && d2 != nullptr && x1 != nullptr && y1 != nullptr && param != nullptr))
    return;
  const R p2 = *d2 * *y1;
  if (*d1 >= 0 && p2 == 0) {
    param[0] = -2;
    return;
  }
  const R p1 = *d1 * *x1;
  const R q1 = p1 * *x1;
  const R q2 = p2 * *y1;
  R h11 = 0, h21 = 0, h12 = 0, h22 = 0;
  const bool first_is_larger = magnitude(q1) > magnitude(q2);
  const R u = first_is_larger ? 1 + q2 / q1 : 1 + q1 / q2;
  if (*d1 < 0 || (first_is_larger ? u <= 0 : q2 < 0)) {
    // There is none.
    *d1 = *d2 = *x1 = 0;
    param[0] = -1;
    param[1] = param[2] = param[3] = param[4] = 0;
    return;
  }
  if (first_is_larger) {
    h11 = h22 = 1;
    h21 = -*y1 / *x1;
    h12 = p2 / p1;
    *d1 /= u;
    *d2 /= u;
    *x1 *= u;
    param[0] = 0;
  } else {
    h11 = p1 / p2;
    h22 = *x1 / *y1;
    h21 = -1;
    h12 = 1;
    const R old = *d1;
    *d1 = *d2 / u;
    *d2 = old / u;
    *x1 = *y1 * u;
    param[0] = 1;
  }
  const R step = 4096;
  const auto rescaled = [&](R* d, R& a, R& b, R* x) {
    while (*d != 0 && (magnitude(*d) <= 1 / (step * step) || magnitude(*d) >= step * step)) {
      const bool grows = magnitude(*d) < 1;
      const R factor = grows ? 1 / step : step;
      *d *= grows ? step * step : 1 / (step * step);
      if (x != nullptr) *x *= factor;
      a *= factor;
      b *= factor;
      param[0] = -1;
    }
  };
  rescaled(d1, h11, h12, x1);
  rescaled(d2, h21, h22, static_cast<R*>(nullptr));
  param[1] = h11;
  param[2] = h21;
  param[3] = h12;
  param[4] = h22;
}

}  // namespace gt200_blas

using namespace gt200_blas;

#define GT200_BLAS(T, R, L, M, N)                                                                                  \
  void cublas##L##axpy(int n, T alpha, const T* x, int incx, T* y, int incy) { axpy(n, alpha, x, incx, y, incy); } \
  void cublas##L##copy(int n, const T* x, int incx, T* y, int incy) { gt200_blas::copy(n, x, incx, y, incy); }     \
  void cublas##L##swap(int n, T* x, int incx, T* y, int incy) { gt200_blas::swap(n, x, incx, y, incy); }           \
  void cublas##L##scal(int n, T alpha, T* x, int incx) { scal(n, alpha, x, incx); }                                \
  R cublas##N##nrm2(int n, const T* x, int incx) { return nrm2<R>(n, x, incx); }                                   \
  R cublas##N##asum(int n, const T* x, int incx) { return asum<R>(n, x, incx); }                                   \
  int cublasI##M##amax(int n, const T* x, int incx) { return amax<R>(n, 1, x, incx); }                             \
  int cublasI##M##amin(int n, const T* x, int incx) { return amax<R>(n, 0, x, incx); }
#define GT200_BLAS_REAL(T, L)                                                                                 \
  T cublas##L##dot(int n, const T* x, int incx, const T* y, int incy) { return dot(n, x, incx, y, incy, 0); } \
  void cublas##L##rot(int n, T* x, int incx, T* y, int incy, T c, T s) { rot(n, x, incx, y, incy, c, s); }    \
  void cublas##L##rotg(T* a, T* b, T* c, T* s) { rotg(a, b, c, s); }                                          \
  void cublas##L##rotm(int n, T* x, int incx, T* y, int incy, const T* sparam) {                              \
    rotm(n, x, incx, y, incy, sparam);                                                                        \
  }                                                                                                           \
  void cublas##L##rotmg(T* d1, T* d2, T* x1, const T* y1, T* sparam) { rotmg(d1, d2, x1, y1, sparam); }
#define GT200_BLAS_COMPLEX(T, R, L, MIXED)                                                                     \
  T cublas##L##dotu(int n, const T* x, int incx, const T* y, int incy) { return dot(n, x, incx, y, incy, 0); } \
  T cublas##L##dotc(int n, const T* x, int incx, const T* y, int incy) { return dot(n, x, incx, y, incy, 1); } \
  void cublas##L##rot(int n, T* x, int incx, T* y, int incy, R c, T s) { rot(n, x, incx, y, incy, c, s); }     \
  void cublas##L##rotg(T* a, T b, R* c, T* s) { rotg(a, b, c, s); }                                            \
  void cublas##MIXED##scal(int n, R alpha, T* x, int incx) { scal(n, alpha, x, incx); }                        \
  void cublas##MIXED##rot(int n, T* x, int incx, T* y, int incy, R c, R s) { rot(n, x, incx, y, incy, c, s); }

extern "C" {
#ifdef GT200_LIBRARY_DOUBLE
GT200_BLAS(double, double, D, d, D)
GT200_BLAS(cuDoubleComplex, double, Z, z, Dz)
GT200_BLAS_REAL(double, D)
GT200_BLAS_COMPLEX(cuDoubleComplex, double, Z, Zd)
#else
GT200_BLAS(float, float, S, s, S)
GT200_BLAS(cuComplex, float, C, c, Sc)
GT200_BLAS_REAL(float, S)
GT200_BLAS_COMPLEX(cuComplex, float, C, Cs)
#endif
}
