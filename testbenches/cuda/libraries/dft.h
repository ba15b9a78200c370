// Discrete Fourier transforms in long double: the reference for those of cuFFT.
#pragma once

#include <cmath>
#include <complex>
#include <vector>

typedef std::complex<long double> widest;
typedef std::vector<widest> spectrum;

// Of n elements `step` apart; a prime length by its definition. `roots`: of a multiple of n.
inline void transform_row(int n, const widest* from, int step, widest* to, const spectrum& roots) {
  if (n == 1) {
    *to = *from;
    return;
  }
  int r = 2;
  while (n % r != 0) ++r;
  const int m = n / r, turn = static_cast<int>(roots.size()) / n;
  for (int q = 0; q < r; ++q) transform_row(m, from + q * step, step * r, to + q * m, roots);
  spectrum column(r);
  for (int k = 0; k < m; ++k) {
    for (int q = 0; q < r; ++q) column[q] = to[q * m + k];
    for (int p = 0; p < r; ++p) {
      widest sum = 0;
      for (int q = 0; q < r; ++q) sum += column[q] * roots[static_cast<long>(q) * (k + p * m) % n * turn];
      to[k + p * m] = sum;
    }
  }
}

// Of every dimension of a packed array of n[0] x n[1] x n[2] elements; sign -1 is forward.
inline spectrum transform(spectrum data, const int* n, int sign) {
  int inner = 1;
  for (int d = 2; d >= 0; --d) {
    const int size = n[d], outer = static_cast<int>(data.size()) / size / inner;
    spectrum roots(size), row(size);
    for (int k = 0; k < size; ++k)
      roots[k] = std::polar(1.0L, sign * 2 * 3.14159265358979323846264338327950288L * k / size);
    for (int o = 0; o < outer; ++o)
      for (int i = 0; i < inner; ++i) {
        widest* first = &data[o * size * inner + i];
        transform_row(size, first, inner, row.data(), roots);
        for (int k = 0; k < size; ++k) first[k * inner] = row[k];
      }
    inner *= size;
  }
  return data;
}
