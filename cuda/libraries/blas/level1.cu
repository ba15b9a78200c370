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

template <class T, class R>
__global__ void rotate(int n, T* x, int incx, T* y, int incy, R c, R s) {
  GT200_BLAS_FOR(i, n) {
    const T a = x[i * incx];
    const T b = y[i * incy];
    x[i * incx] = multiply_add(c, a, multiply(s, b));
    y[i * incy] = multiply_add(c, b, multiply(-s, a));
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

template <class T, class R>
void rot(int n, T* x, int incx, T* y, int incy, R c, R s) {
  if (!in_use() || n <= 0) return;
  run(rotate<T, R>, grid_for(n), threads, n, first(x, n, incx), incx, first(y, n, incy), incy, c, s);
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
  void cublas##L##rotg(T* a, T* b, T* c, T* s) { rotg(a, b, c, s); }
#define GT200_BLAS_COMPLEX(T, R, L, MIXED)                                                                     \
  T cublas##L##dotu(int n, const T* x, int incx, const T* y, int incy) { return dot(n, x, incx, y, incy, 0); } \
  T cublas##L##dotc(int n, const T* x, int incx, const T* y, int incy) { return dot(n, x, incx, y, incy, 1); } \
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
