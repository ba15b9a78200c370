// Matrices of which not every element is stored: bands, triangles, and what is symmetric.
#pragma once

#include "cuda/libraries/blas/element.h"

namespace gt200_blas {

enum storage { full, banded, packed };
enum meaning { general, triangular, symmetric, hermitian };

struct shape {
  storage stored;
  meaning is;
  int lower;         // the triangle that is stored
  int unit;          // the diagonal is 1 and not read
  int rows;          // of the stored matrix
  int below, above;  // diagonals of a band, or all
  int ld;
  int transposed, conjugated;  // how it is taken

  __host__ __device__ int place(int i, int j) const {
    if (stored == full) return i + j * ld;
    if (stored == banded) return above + i - j + j * ld;
    return lower ? i + (2 * rows - j - 1) * j / 2 : i + j * (j + 1) / 2;
  }
  // Whether the element is stored, and not only known.
  __host__ __device__ bool has(int i, int j) const {
    if (is != general && (lower ? i < j : i > j)) return false;
    return j - i <= above && i - j <= below;
  }
};

// Element (i, j) of the matrix as it is taken.
template <class T>
__device__ inline T element_of(const shape& s, const T* a, int i, int j) {
  int conjugated = s.conjugated;
  const bool turned = s.transposed || ((s.is == symmetric || s.is == hermitian) && !s.has(i, j));
  if (turned) {
    const int old = i;
    i = j;
    j = old;
    if (!s.transposed) conjugated = s.is == hermitian;
  }
  if (i == j && s.unit) return number<T>(1);
  if (!s.has(i, j)) return T();
  T x = a[s.place(i, j)];
  // The imaginary part on the diagonal is not read.
  if (i == j && s.is == hermitian) x = real_part(x);
  return conjugate(x, conjugated);
}

}  // namespace gt200_blas
