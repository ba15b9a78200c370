// Matrices. Compiled twice: real and complex numbers of one precision each (GT200_LIBRARY_DOUBLE).
//
// Every matrix is taken by two strides, so transposition is an exchange of strides, and the order of rows is turned
// round by negative ones. One kernel of products and one of small triangles then serve all functions.
#include "cuda/libraries/blas/element.h"
#include "cuda/libraries/blas/state.h"

namespace gt200_blas {

// Element (i, j) is at first[i * row + j * column].
template <class T>
struct view {
  T* first;
  int row, column;
  int conjugated;
  view<T> turned() const { return {first, column, row, conjugated}; }
  view<T> from(int i, int j) const { return {first + i * row + j * column, row, column, conjugated}; }
  // The last row and column first.
  view<T> reversed(int rows, int columns) const {
    return {first + (rows - 1) * row + (columns - 1) * column, -row, -column, conjugated};
  }
};

// The part of a square result that is written.
enum part { whole, lower, upper };

enum { side = 16 };  // threads of a block in each direction

// c = alpha a b + beta c. A thread makes `each` x `each` elements, `side` apart; the block goes along k in pieces
// of both operands in shared memory. Rows of c are neighbours in memory.
template <class T, int each>
__global__ void add_product(int m, int n, int k, T alpha, view<const T> a, view<const T> b, T beta, view<T> c,
                            int written) {
  enum { tile = each * side, depth = sizeof(T) > 8 ? 8 : 16, threads = side * side };
  // One more than a tile, so that a piece that is read along k is written to different banks.
  __shared__ T rows[depth][tile + 1];
  __shared__ T columns[depth][tile + 1];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int top = blockIdx.x * tile;
  const int left = blockIdx.y * tile;
  if (written == lower && top + tile <= left) return;
  if (written == upper && left + tile <= top) return;
  const bool a_by_rows = a.row == 1 || a.row == -1;
  const bool b_by_rows = b.row == 1 || b.row == -1;
  T sum[each][each] = {};
  for (int start = 0; start < k; start += depth) {
    for (int e = ty * side + tx; e < tile * depth; e += threads) {
      const int i = a_by_rows ? e % tile : e / depth;
      const int l = a_by_rows ? e / tile : e % depth;
      rows[l][i] = top + i < m && start + l < k
                       ? conjugate(a.first[(top + i) * a.row + (start + l) * a.column], a.conjugated)
                       : T();
    }
    for (int e = ty * side + tx; e < tile * depth; e += threads) {
      const int j = b_by_rows ? e / depth : e % tile;
      const int l = b_by_rows ? e % depth : e / tile;
      columns[l][j] = left + j < n && start + l < k
                          ? conjugate(b.first[(start + l) * b.row + (left + j) * b.column], b.conjugated)
                          : T();
    }
    __syncthreads();
#pragma unroll
    for (int l = 0; l < depth; ++l) {
      T x[each];
#pragma unroll
      for (int p = 0; p < each; ++p) x[p] = rows[l][tx + p * side];
#pragma unroll
      for (int q = 0; q < each; ++q) {
        const T y = columns[l][ty + q * side];
#pragma unroll
        for (int p = 0; p < each; ++p) sum[p][q] = multiply_add(x[p], y, sum[p][q]);
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int q = 0; q < each; ++q)
#pragma unroll
    for (int p = 0; p < each; ++p) {
      const int i = top + tx + p * side;
      const int j = left + ty + q * side;
      if (i >= m || j >= n || (written == lower && i < j) || (written == upper && i > j)) continue;
      T* element = &c.first[i * c.row + j * c.column];
      const T product = multiply(alpha, sum[p][q]);
      *element = is_real(beta, 0) ? product : multiply_add(beta, *element, product);
    }
}

// Solves a x = b for a lower triangle of at most `side` rows, in place. A thread has a column of b.
template <class T>
__global__ void solve_triangle(int m, int n, int unit, view<const T> a, view<T> b) {
  __shared__ T s[side][side];
  for (int e = threadIdx.x; e < side * side; e += blockDim.x) {
    const int i = e / side;
    const int j = e % side;
    s[i][j] = i < m && j <= i ? conjugate(a.first[i * a.row + j * a.column], a.conjugated) : T();
  }
  __syncthreads();
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= n) return;
  T x[side];
#pragma unroll
  for (int i = 0; i < side; ++i) {
    if (i < m) {
      T value = b.first[i * b.row + j * b.column];
      T known = T();
#pragma unroll
      for (int l = 0; l < i; ++l) known = multiply_add(s[i][l], x[l], known);
      value = add(value, multiply(number<T>(-1), known));
      x[i] = unit ? value : divide(value, s[i][i]);
      b.first[i * b.row + j * b.column] = x[i];
    }
  }
}

// What is multiplied by 0 is not read.
template <class T>
__global__ void scale_matrix(int m, int n, T alpha, T* b, int ldb) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m) return;
  for (int j = blockIdx.y; j < n; j += gridDim.y)
    b[i + j * ldb] = is_real(alpha, 0) ? T() : multiply(alpha, b[i + j * ldb]);
}

enum { most_blocks = 65535, large = 256 };

template <class T>
void multiply_matrices(int m, int n, int k, T alpha, view<const T> a, view<const T> b, T beta, view<T> c,
                       part written = whole) {
  if (c.row != 1 && c.row != -1) {
    const part turned = written == lower ? upper : written == upper ? lower : whole;
    const view<const T> old = a;
    a = b.turned();
    b = old.turned();
    c = c.turned();
    const int rows = m;
    m = n;
    n = rows;
    written = turned;
  }
  const dim3 block(side, side);
  // Four times as many multiplications per element that is read from shared memory, where there are blocks enough
  // and the sums have room in registers.
  constexpr int most = sizeof(T) == 4 ? 4 : 2;
  if (m >= large && n >= large)
    run(add_product<T, most>, dim3(blocks_for(m, most * side), blocks_for(n, most * side)), block, m, n, k, alpha,
        a, b, beta, c, static_cast<int>(written));
  else
    run(add_product<T, 2>, dim3(blocks_for(m, 2 * side), blocks_for(n, 2 * side)), block, m, n, k, alpha, a, b,
        beta, c, static_cast<int>(written));
}

// As it is stored, or as `trans` takes it.
template <class T>
view<T> taken(T* matrix, int ld, char trans) {
  const view<T> stored = {matrix, 1, ld, conjugates(trans)};
  return transposes(trans) ? stored.turned() : stored;
}

inline bool fits(int ld, int rows) { return ld >= (rows > 1 ? rows : 1); }

template <class T>
void gemm(char transa, char transb, int m, int n, int k, T alpha, const T* a, int lda, const T* b, int ldb, T beta,
          T* c, int ldc) {
  if (!in_use() ||
      !valid(is_transposition(transa) && is_transposition(transb) && m >= 0 && n >= 0 && k >= 0 &&
             fits(lda, transposes(transa) ? k : m) && fits(ldb, transposes(transb) ? n : k) && fits(ldc, m)))
    return;
  if (m == 0 || n == 0 || ((k == 0 || is_real(alpha, 0)) && is_real(beta, 1))) return;
  multiply_matrices(m, n, is_real(alpha, 0) ? 0 : k, alpha, taken(a, lda, transa), taken(b, ldb, transb), beta,
                    taken(c, ldc, 'N'));
}

// The conjugate transpose is none of these functions' for complex numbers; for real ones it is the transpose.
template <class T>
void syrk(char uplo, char trans, int n, int k, T alpha, const T* a, int lda, T beta, T* c, int ldc) {
  const bool real = sizeof(T) == sizeof(typename real_of<T>::type);
  if (!in_use() || !valid(is_either(uplo, 'U', 'L') && is_transposition(trans) && (real || !conjugates(trans)) &&
                          n >= 0 && k >= 0 && fits(lda, transposes(trans) ? k : n) && fits(ldc, n)))
    return;
  if (n == 0 || ((k == 0 || is_real(alpha, 0)) && is_real(beta, 1))) return;
  const view<const T> rows = taken(a, lda, trans);
  multiply_matrices(n, n, is_real(alpha, 0) ? 0 : k, alpha, rows, rows.turned(), beta, taken(c, ldc, 'N'),
                    is_either(uplo, 'L', 'L') ? lower : upper);
}

// Forward substitution by blocks of rows. The other cases become this one: from the right, x a = b is a' x' = b';
// an upper triangle is a lower one with the order of rows turned round.
template <class T>
void trsm(char where, char uplo, char trans, char diag, int m, int n, T alpha, const T* a, int lda, T* b, int ldb) {
  const bool right = is_either(where, 'R', 'R');
  if (!in_use() ||
      !valid(is_either(where, 'L', 'R') && is_either(uplo, 'U', 'L') && is_transposition(trans) &&
             is_either(diag, 'U', 'N') && m >= 0 && n >= 0 && fits(lda, right ? n : m) && fits(ldb, m)))
    return;
  if (m == 0 || n == 0) return;
  if (!is_real(alpha, 1))
    run(scale_matrix<T>, dim3(blocks_for(m, 64), blocks_for(n, 8, most_blocks)), 64, m, n, alpha, b, ldb);
  if (is_real(alpha, 0)) return;
  view<const T> triangle = taken(a, lda, trans);
  view<T> x = taken(b, ldb, 'N');
  const int rows = right ? n : m;
  const int columns = right ? m : n;
  bool is_lower = is_either(uplo, 'L', 'L') != transposes(trans);
  if (right) {
    triangle = triangle.turned();
    x = x.turned();
    is_lower = !is_lower;
  }
  if (!is_lower) {
    triangle = triangle.reversed(rows, rows);
    x = {x.first + (rows - 1) * x.row, -x.row, x.column, 0};
  }
  for (int done = 0; done < rows; done += side) {
    const int now = rows - done < side ? rows - done : static_cast<int>(side);
    const int left = rows - done - now;
    const view<T> solved = x.from(done, 0);
    run(solve_triangle<T>, blocks_for(columns, 64), 64, now, columns, is_either(diag, 'U', 'U'),
        triangle.from(done, done), solved);
    const view<const T> known = {solved.first, solved.row, solved.column, 0};
    if (left > 0)
      multiply_matrices(left, columns, now, number<T>(-1), triangle.from(done + now, done), known, number<T>(1),
                        x.from(done + now, 0));
  }
}

}  // namespace gt200_blas

using namespace gt200_blas;

#define GT200_BLAS(T, L)                                                                                           \
  void cublas##L##gemm(char transa, char transb, int m, int n, int k, T alpha, const T* a, int lda, const T* b,    \
                       int ldb, T beta, T* c, int ldc) {                                                           \
    gemm(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);                                            \
  }                                                                                                                \
  void cublas##L##syrk(char uplo, char trans, int n, int k, T alpha, const T* a, int lda, T beta, T* c, int ldc) { \
    syrk(uplo, trans, n, k, alpha, a, lda, beta, c, ldc);                                                          \
  }                                                                                                                \
  void cublas##L##trsm(char side, char uplo, char trans, char diag, int m, int n, T alpha, const T* a, int lda,    \
                       T* b, int ldb) {                                                                            \
    trsm(side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);                                                    \
  }

extern "C" {
#ifdef GT200_LIBRARY_DOUBLE
GT200_BLAS(double, D)
GT200_BLAS(cuDoubleComplex, Z)
#else
GT200_BLAS(float, S)
GT200_BLAS(cuComplex, C)
#endif
}
