// The sum that defines the transform, in double precision. The scale is the sum of the magnitudes of the inputs.
#include <cmath>
#include <complex>
#include <string>
#include <vector>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::fft512 {

launch::reference_result check(const launch::host_context& context, const std::string&) {
  constexpr std::size_t points = 512;
  std::vector<std::complex<double>> root;
  for (std::size_t k = 0; k < points; ++k)
    root.push_back(std::polar(1.0, -2 * std::acos(-1.0) * static_cast<double>(k) / static_cast<double>(points)));
  const std::vector<float> in = context.initial<float>("in");
  launch::reference_result expected;
  for (std::size_t first = 0; first < in.size() / 2; first += points) {
    for (std::size_t k = 0; k < points; ++k) {
      std::complex<double> sum = 0;
      double magnitude = 0;
      for (std::size_t n = 0; n < points; ++n) {
        const std::complex<double> x(static_cast<double>(in[2 * (first + n)]),
                                     static_cast<double>(in[2 * (first + n) + 1]));
        sum += x * root[k * n % points];
        magnitude += std::abs(x);
      }
      expected.value.insert(expected.value.end(), {sum.real(), sum.imag()});
      expected.scale.insert(expected.scale.end(), {magnitude, magnitude});
    }
  }
  return expected;
}

}  // namespace gt200::kernels::fft512
