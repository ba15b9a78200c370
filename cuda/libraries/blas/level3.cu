// Matrices. Compiled twice: real and complex numbers of one precision each (GT200_LIBRARY_DOUBLE).
//
// Every matrix is taken by two strides, so transposition is an exchange of strides, and the order of rows is turned
// round by negative ones. One kernel of products and one of small triangles then serve all functions.
#include "cuda/libraries/blas/element.h"
#include "cuda/libraries/blas/shape.h"
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

// c = alpha a b + beta c. A block has `side` x `width` threads; a thread makes `each` x `each` elements, so many
// copies. The block goes along k in pieces of both operands in shared memory. Rows of c are neighbours in memory.
template <class T, int each, int width>
__global__ void add_product(int m, int n, int k, T alpha, view<const T> a, view<const T> b, T beta, view<T> c,
                            int written) {
  enum { tall = each * side, wide = each * width, depth = sizeof(T) > 8 ? 8 : 16, threads = side * width };
  // One more than a tile has, so that a piece that is read along k is written to different banks.
  __shared__ T rows[depth][tall + 1];
  __shared__ T columns[depth][wide + 1];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int top = blockIdx.x * tall;
  const int left = blockIdx.y * wide;
  if (written == lower && top + tall <= left) return;
  if (written == upper && left + wide <= top) return;
  const bool a_by_rows = a.row == 1 || a.row == -1;
  const bool b_by_rows = b.row == 1 || b.row == -1;
  T sum[each][each] = {};
  for (int start = 0; start < k; start += depth) {
    for (int e = ty * side + tx; e < tall * depth; e += threads) {
      const int i = a_by_rows ? e % tall : e / depth;
      const int l = a_by_rows ? e / tall : e % depth;
      rows[l][i] = top + i < m && start + l < k
                       ? conjugate(a.first[(top + i) * a.row + (start + l) * a.column], a.conjugated)
                       : T();
    }
    for (int e = ty * side + tx; e < wide * depth; e += threads) {
      const int j = b_by_rows ? e / depth : e % wide;
      const int l = b_by_rows ? e % depth : e / wide;
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
        const T y = columns[l][ty + q * width];
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
      const int j = left + ty + q * width;
      if (i >= m || j >= n || (written == lower && i < j) || (written == upper && i > j)) continue;
      T* element = &c.first[i * c.row + j * c.column];
      const T product = multiply(alpha, sum[p][q]);
      *element = is_real(beta, 0) ? product : multiply_add(beta, *element, product);
    }
}

// The same for an operand a whose rows are neighbours, by the blocking of V. Volkov and J. Demmel, "Benchmarking GPUs to
// tune dense linear algebra", SC 2008: a thread has `strip` elements of a row of c in registers and reads its row of a
// word by word; a piece of b lies in shared memory, from where multiply-adds of Tesla take an operand. Two rows of the
// piece are within reach of one address register; the word behind them puts other rows into other banks.
enum { strip = 16, strip_rows = 64, copies = strip_rows / strip, pair = 2 * strip + 1 };

template <class T>
__device__ __forceinline__ void add_to_strip(T (&sum)[strip], T x, const T* words) {
#pragma unroll
  for (int q = 0; q < strip; ++q) sum[q] = multiply_add(words[q], x, sum[q]);
}

// `down`: the rows of b are neighbours in memory, not the columns. `adds`: beta is not 0; the loads that this needs cost
// registers, and so blocks that an SM can hold.
template <class T, bool down, bool adds>
__global__ void add_product_by_strips(int m, int n, int k, T alpha, view<const T> a, view<const T> b, T beta,
                                      view<T> c, int written) {
  __shared__ T piece[strip / 2 * pair];
  const int tx = threadIdx.x;
  const int ty = threadIdx.y;
  const int top = blockIdx.x * strip_rows;
  const int left = blockIdx.y * strip;
  if (written == lower && top + strip_rows <= left) return;
  if (written == upper && left + strip <= top) return;
  // Every thread copies four words of a piece, by neighbours in memory. Columns of b beyond the last one are the last one,
  // as are rows of a: their sums are not kept.
  const int l_own = down ? tx : ty;
  const int j_own = left + (down ? ty : tx);
  const T* from = b.first + l_own * b.row + (j_own < n ? j_own : n - 1) * b.column;
  int offset[copies];
#pragma unroll
  for (int e = 0; e < copies; ++e) {
    const int further = j_own + e * copies < n ? e * copies : j_own < n ? n - 1 - j_own : 0;
    offset[e] = down ? further * b.column : e * copies * b.row;
  }
  T* const to = &piece[l_own / 2 * pair + l_own % 2 * strip + j_own - left];
  const int to_step = down ? copies : copies / 2 * pair;
  const int i = top + ty * strip + tx;
  const T* row = a.first + (i < m ? i : m - 1) * a.row;
  T sum[strip] = {};
  int rest = k;
  for (; rest >= strip; rest -= strip) {
    T word[copies];
#pragma unroll
    for (int e = 0; e < copies; ++e) word[e] = from[offset[e]];
    from += strip * b.row;
#pragma unroll
    for (int e = 0; e < copies; ++e) to[e * to_step] = word[e];
    __syncthreads();
    const T* words = piece;
#pragma unroll 1
    for (int pairs = strip / 2; pairs > 0; --pairs) {
      const T x = row[0];
      const T y = row[a.column];
      row += 2 * a.column;
      add_to_strip(sum, x, words);
      add_to_strip(sum, y, words + strip);
      words += pair;
    }
    __syncthreads();
  }
  if (rest > 0) {
#pragma unroll
    for (int e = 0; e < copies; ++e)
      if (l_own + (down ? 0 : e * copies) < rest) to[e * to_step] = from[offset[e]];
    __syncthreads();
#pragma unroll 1
    for (int l = 0; l < rest; ++l) {
      add_to_strip(sum, *row, &piece[l / 2 * pair + l % 2 * strip]);
      row += a.column;
    }
  }
  if (i >= m) return;
  T* element = &c.first[i * c.row + left * c.column];
#pragma unroll
  for (int q = 0; q < strip; ++q) {
    const int j = left + q;
    const T product = multiply(alpha, sum[q]);
    if (j < n && !(written == lower && i < j) && !(written == upper && i > j))
      *element = adds ? multiply_add(beta, *element, product) : product;
    element += c.column;
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

// Every element of a square matrix, also those that are not stored.
template <class T>
__global__ void complete(shape s, int n, const T* a, T* to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = blockIdx.y; j < n; j += gridDim.y) to[i + j * n] = element_of(s, a, i, j);
}

template <class T>
__global__ void make_diagonal_real(int n, T* c, int ldc) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i + i * ldc] = real_part(c[i + i * ldc]);
}

enum { most_blocks = 65535, large = 256 };

template <class T, int each, int width>
void run_product(int m, int n, int k, T alpha, view<const T> a, view<const T> b, T beta, view<T> c, part written) {
  run(add_product<T, each, width>, dim3(blocks_for(m, each * side), blocks_for(n, each * width)), dim3(side, width),
      m, n, k, alpha, a, b, beta, c, static_cast<int>(written));
}

// Products by strips are for real numbers; complex ones have no room for a strip.
template <class T>
struct by_strips {
  enum { possible = true };
  template <bool down>
  static void run(int m, int n, int k, T alpha, view<const T> a, view<const T> b, T beta, view<T> c, part written) {
    gt200_blas::run(is_real(beta, 0) ? add_product_by_strips<T, down, false> : add_product_by_strips<T, down, true>,
                    dim3(blocks_for(m, strip_rows), blocks_for(n, strip)), dim3(strip, strip_rows / strip), m, n, k,
                    alpha, a, b, beta, c, static_cast<int>(written));
  }
};
template <>
struct by_strips<float2> {
  enum { possible = false };
  template <bool down>
  static void run(int, int, int, float2, view<const float2>, view<const float2>, float2, view<float2>, part) {}
};
template <>
struct by_strips<double2> {
  enum { possible = false };
  template <bool down>
  static void run(int, int, int, double2, view<const double2>, view<const double2>, double2, view<double2>, part) {}
};

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
  // Four times as many multiplications per element that is read from shared memory, where there are blocks enough
  // and the sums have room in registers.
  constexpr int most = sizeof(T) == 4 ? 4 : 2;
  // Only single precision runs there.
  constexpr int narrow = sizeof(typename real_of<T>::type) == 4 ? side / 2 : side;
  if (by_strips<T>::possible && a.row == 1 && m >= strip_rows && b.row == 1)
    by_strips<T>::template run<true>(m, n, k, alpha, a, b, beta, c, written);
  else if (by_strips<T>::possible && a.row == 1 && m >= strip_rows)
    by_strips<T>::template run<false>(m, n, k, alpha, a, b, beta, c, written);
  else if (has_few_registers())
    run_product<T, 2, narrow>(m, n, k, alpha, a, b, beta, c, written);
  else if (m >= large && n >= large)
    run_product<T, most, side>(m, n, k, alpha, a, b, beta, c, written);
  else
    run_product<T, 2, side>(m, n, k, alpha, a, b, beta, c, written);
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

// Of n x n elements, for use as an operand; null if memory is short.
template <class T>
void complete_into(const scratch<T>& to, const shape& s, const T* a) {
  run(complete<T>, dim3(blocks_for(s.rows, 64), blocks_for(s.rows, 8, most_blocks)), 64, s, s.rows, a, to.get());
}

// The symmetric or hermitian matrix is completed first.
template <class T>
void symm(meaning is, char where, char uplo, int m, int n, T alpha, const T* a, int lda, const T* b, int ldb,
          T beta, T* c, int ldc) {
  const bool left = is_either(where, 'L', 'L');
  const int order = left ? m : n;
  if (!in_use() || !valid(is_either(where, 'L', 'R') && is_either(uplo, 'U', 'L') && m >= 0 && n >= 0 &&
                          fits(lda, order) && fits(ldb, m) && fits(ldc, m)))
    return;
  if (m == 0 || n == 0 || (is_real(alpha, 0) && is_real(beta, 1))) return;
  const scratch<T> whole_a(order * order);
  if (whole_a.get() == nullptr) return;
  if (!is_real(alpha, 0))
    complete_into(whole_a, {full, is, is_either(uplo, 'L', 'L'), 0, order, order, order, lda, 0, 0}, a);
  const view<const T> with = {whole_a.get(), 1, order, 0};
  const view<const T> other = taken(b, ldb, 'N');
  multiply_matrices(m, n, is_real(alpha, 0) ? 0 : order, alpha, left ? with : other, left ? other : with, beta,
                    taken(c, ldc, 'N'));
}

// The triangle is completed with zeros, and the other operand, which is also the result, is copied.
template <class T>
void trmm(char where, char uplo, char trans, char diag, int m, int n, T alpha, const T* a, int lda, T* b, int ldb) {
  const bool left = is_either(where, 'L', 'L');
  const int order = left ? m : n;
  if (!in_use() || !valid(is_either(where, 'L', 'R') && is_either(uplo, 'U', 'L') && is_transposition(trans) &&
                          is_either(diag, 'U', 'N') && m >= 0 && n >= 0 && fits(lda, order) && fits(ldb, m)))
    return;
  if (m == 0 || n == 0) return;
  const scratch<T> whole_a(order * order);
  const scratch<T> copy(m * n);
  if (whole_a.get() == nullptr || copy.get() == nullptr) return;
  if (!is_real(alpha, 0))
    complete_into(whole_a,
                  {full, triangular, is_either(uplo, 'L', 'L'), is_either(diag, 'U', 'U'), order, order, order, lda,
                   transposes(trans), conjugates(trans)},
                  a);
  const auto bytes = [](int elements) { return sizeof(T) * static_cast<size_t>(elements); };
  check(cudaMemcpy2DAsync(copy.get(), bytes(m), b, bytes(ldb), bytes(m), static_cast<size_t>(n),
                          cudaMemcpyDeviceToDevice, stream()));
  const view<const T> with = {whole_a.get(), 1, order, 0};
  const view<const T> other = {copy.get(), 1, m, 0};
  multiply_matrices(m, n, is_real(alpha, 0) ? 0 : order, alpha, left ? with : other, left ? other : with, T(),
                    taken(b, ldb, 'N'));
}

// c = alpha a b' + alpha' b a' + beta c, of a triangle. Hermitian: ' conjugates, and the diagonal is real. Without
// b, c = alpha a a' + beta c.
template <class T>
void rank_k(meaning is, char uplo, char trans, int n, int k, T alpha, const T* a, int lda, const T* b, int ldb,
            T beta, T* c, int ldc) {
  const bool is_hermitian = is == hermitian;
  const bool real = sizeof(T) == sizeof(typename real_of<T>::type);
  const bool possible =
      is_transposition(trans) && (real || !transposes(trans) || conjugates(trans) == is_hermitian);
  const int rows = transposes(trans) ? k : n;
  if (!in_use() || !valid(is_either(uplo, 'U', 'L') && possible && n >= 0 && k >= 0 && fits(lda, rows) &&
                          (b == nullptr || fits(ldb, rows)) && fits(ldc, n)))
    return;
  const int terms = is_real(alpha, 0) ? 0 : k;
  if (n == 0 || (terms == 0 && is_real(beta, 1))) return;
  const part written = is_either(uplo, 'L', 'L') ? lower : upper;
  const view<const T> left = taken(a, lda, trans);
  const view<const T> right = b == nullptr ? left : taken(b, ldb, trans);
  const auto other = [&](const view<const T>& v) {
    view<const T> turned = v.turned();
    if (is_hermitian) turned.conjugated = !v.conjugated;
    return turned;
  };
  // Before, since beta would take the imaginary part in; behind, since sums are rounded.
  const auto drop_imaginary_part = [&] { run(make_diagonal_real<T>, blocks_for(n, 64), 64, n, c, ldc); };
  if (is_hermitian && !is_real(beta, 0)) drop_imaginary_part();
  multiply_matrices(n, n, terms, alpha, left, other(right), beta, taken(c, ldc, 'N'), written);
  if (b != nullptr && terms > 0)
    multiply_matrices(n, n, terms, conjugate(alpha, is_hermitian), right, other(left), number<T>(1),
                      taken(c, ldc, 'N'), written);
  if (is_hermitian) drop_imaginary_part();
}

}  // namespace gt200_blas

using namespace gt200_blas;

#define GT200_BLAS(T, L)                                                                                           \
  void cublas##L##gemm(char transa, char transb, int m, int n, int k, T alpha, const T* a, int lda, const T* b,    \
                       int ldb, T beta, T* c, int ldc) {                                                           \
    gemm(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);                                            \
  }                                                                                                                \
  void cublas##L##syrk(char uplo, char trans, int n, int k, T alpha, const T* a, int lda, T beta, T* c, int ldc) { \
    rank_k<T>(symmetric, uplo, trans, n, k, alpha, a, lda, nullptr, 0, beta, c, ldc);                              \
  }                                                                                                                \
  void cublas##L##trsm(char side, char uplo, char trans, char diag, int m, int n, T alpha, const T* a, int lda,    \
                       T* b, int ldb) {                                                                            \
    trsm(side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);                                                    \
  }                                                                                                                \
  void cublas##L##trmm(char side, char uplo, char trans, char diag, int m, int n, T alpha, const T* a, int lda,    \
                       T* b, int ldb) {                                                                            \
    trmm(side, uplo, trans, diag, m, n, alpha, a, lda, b, ldb);                                                    \
  }                                                                                                                \
  void cublas##L##symm(char side, char uplo, int m, int n, T alpha, const T* a, int lda, const T* b, int ldb,      \
                       T beta, T* c, int ldc) {                                                                    \
    symm(symmetric, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc);                                        \
  }                                                                                                                \
  void cublas##L##syr2k(char uplo, char trans, int n, int k, T alpha, const T* a, int lda, const T* b, int ldb,    \
                        T beta, T* c, int ldc) {                                                                   \
    if (b == nullptr && !valid(n <= 0 || k <= 0)) return;                                                          \
    rank_k(symmetric, uplo, trans, n, k, alpha, a, lda, b, ldb, beta, c, ldc);                                     \
  }
#define GT200_BLAS_HERMITIAN(T, R, L)                                                                              \
  void cublas##L##hemm(char side, char uplo, int m, int n, T alpha, const T* a, int lda, const T* b, int ldb,      \
                       T beta, T* c, int ldc) {                                                                    \
    symm(hermitian, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc);                                        \
  }                                                                                                                \
  void cublas##L##herk(char uplo, char trans, int n, int k, R alpha, const T* a, int lda, R beta, T* c, int ldc) { \
    rank_k<T>(hermitian, uplo, trans, n, k, from_real(alpha, T()), a, lda, nullptr, 0, from_real(beta, T()), c,    \
              ldc);                                                                                                \
  }                                                                                                                \
  void cublas##L##her2k(char uplo, char trans, int n, int k, T alpha, const T* a, int lda, const T* b, int ldb,    \
                        R beta, T* c, int ldc) {                                                                   \
    if (b == nullptr && !valid(n <= 0 || k <= 0)) return;                                                          \
    rank_k(hermitian, uplo, trans, n, k, alpha, a, lda, b, ldb, from_real(beta, T()), c, ldc);                     \
  }

extern "C" {
#ifdef GT200_LIBRARY_DOUBLE
GT200_BLAS(double, D)
GT200_BLAS(cuDoubleComplex, Z)
GT200_BLAS_HERMITIAN(cuDoubleComplex, double, Z)
#else
GT200_BLAS(float, S)
GT200_BLAS(cuComplex, C)
GT200_BLAS_HERMITIAN(cuComplex, float, C)
#endif
}
