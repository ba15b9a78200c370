// Roots of unity.
#include <cmath>
#include <vector>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::fft512 {

void inputs(launch::host_context& context) {
  std::vector<float> twiddle;
  for (int k = 0; k < 256; ++k) {
    const double angle = -std::acos(-1.0) * k / 256;
    twiddle.push_back(static_cast<float>(std::cos(angle)));
    twiddle.push_back(static_cast<float>(std::sin(angle)));
  }
  context.set("twiddle", twiddle);
}

}  // namespace gt200::kernels::fft512
