// Numbers that a plan keeps on the device, computed in double precision.
#pragma once

#include <complex>
#include <vector>

namespace gt200_fft {

typedef std::vector<std::complex<double>> numbers;

// exp(-2 pi i k / n) for 0 <= k < n.
numbers roots_of_unity(int n);
// exp(-pi i k k / n) for 0 <= k < n.
numbers chirp_of(int n);
// The spectrum of the conjugate chirp of a length, around which `padded` elements are closed, divided by their
// number.
numbers spectrum_of_chirp(const numbers& chirp, int padded);

}  // namespace gt200_fft
