#include "cuda/libraries/fft/tables.h"

#include <cmath>

#include "cuda/libraries/fft/split.h"

namespace gt200_fft {
namespace {

const double pi = 3.14159265358979323846;

// Of n elements `step` apart. `roots` has those of the whole length.
void transform(int n, const std::complex<double>* from, int step, std::complex<double>* to, const numbers& roots) {
  if (n == 1) {
    *to = *from;
    return;
  }
  const int r = radices_of(n).front(), m = n / r;
  for (int q = 0; q < r; ++q) transform(m, from + q * step, step * r, to + q * m, roots);
  const int turn = static_cast<int>(roots.size()) / n;
  numbers column(r);
  for (int k = 0; k < m; ++k) {
    for (int q = 0; q < r; ++q) column[q] = to[q * m + k];
    for (int p = 0; p < r; ++p) {
      std::complex<double> sum = 0;
      for (int q = 0; q < r; ++q) {
        const long long angle = static_cast<long long>(q) * (k + p * m) % n;
        sum += column[q] * roots[angle * turn];
      }
      to[k + p * m] = sum;
    }
  }
}

}  // namespace

numbers roots_of_unity(int n) {
  numbers roots(n);
  for (int k = 0; k < n; ++k) roots[k] = std::polar(1.0, -2 * pi * k / n);
  return roots;
}

numbers chirp_of(int n) {
  numbers chirp(n);
  for (long long k = 0; k < n; ++k) chirp[k] = std::polar(1.0, -pi * static_cast<double>(k * k % (2 * n)) / n);
  return chirp;
}

numbers spectrum_of_chirp(const numbers& chirp, int padded) {
  numbers closed(padded), spectrum(padded);
  const int n = static_cast<int>(chirp.size());
  for (int k = 0; k < n; ++k) closed[k] = closed[(padded - k) % padded] = std::conj(chirp[k]);
  transform(padded, closed.data(), 1, spectrum.data(), roots_of_unity(padded));
  for (std::complex<double>& x : spectrum) x /= padded;
  return spectrum;
}

}  // namespace gt200_fft
