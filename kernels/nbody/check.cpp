// acc_i = sum over j of m_j d (d.d + eps)^(-3/2), d = pos_j - pos_i, in double precision.
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::nbody {

launch::reference_result check(const launch::host_context& context, const std::string&) {
  constexpr double softening = static_cast<double>(0.01f);
  const std::vector<float> pos = context.initial<float>("pos");
  const auto sources = static_cast<std::size_t>(context.parameter("NSRC"));
  launch::reference_result expected;
  for (std::size_t i = 0; i < pos.size(); i += 4) {
    std::array<double, 4> sum = {0, 0, 0, 0};
    std::array<double, 4> magnitude = {0, 0, 0, 1};  // the fourth component is exactly zero
    for (std::size_t j = 0; j < 4 * sources; j += 4) {
      std::array<double, 3> d;
      double square = softening;
      for (std::size_t k = 0; k < 3; ++k) {
        d[k] = static_cast<double>(pos[j + k]) - static_cast<double>(pos[i + k]);
        square += d[k] * d[k];
      }
      const double factor = static_cast<double>(pos[j + 3]) / (square * std::sqrt(square));
      for (std::size_t k = 0; k < 3; ++k) {
        sum[k] += d[k] * factor;
        magnitude[k] += std::abs(d[k] * factor);
      }
    }
    expected.value.insert(expected.value.end(), sum.begin(), sum.end());
    expected.scale.insert(expected.scale.end(), magnitude.begin(), magnitude.end());
  }
  return expected;
}

}  // namespace gt200::kernels::nbody
