// The sum in double precision, with clamped texel indices. The scale is the sum of the magnitudes of the terms;
// each of the 25 multiply-adds may err by two units of 2^-24 of the sum so far.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::convolution {

launch::reference_result check(const launch::host_context& context, const std::string&) {
  constexpr std::int64_t radius = 2;
  const std::int64_t width = context.parameter("WIDTH");
  const std::int64_t height = context.parameter("HEIGHT");
  const std::vector<float> pixels = context.initial<float>("pixels");
  const std::vector<float> filter = context.constant<float>("filter");
  launch::reference_result expected;
  for (std::int64_t y = 0; y < height; ++y) {
    for (std::int64_t x = 0; x < width; ++x) {
      double sum = 0;
      double magnitude = 0;
      auto weight = filter.begin();
      for (std::int64_t j = y - radius; j <= y + radius; ++j) {
        for (std::int64_t i = x - radius; i <= x + radius; ++i) {
          const std::int64_t at =
              std::clamp<std::int64_t>(j, 0, height - 1) * width + std::clamp<std::int64_t>(i, 0, width - 1);
          const double term =
              static_cast<double>(*weight++) * static_cast<double>(pixels[static_cast<std::size_t>(at)]);
          sum += term;
          magnitude += std::abs(term);
        }
      }
      expected.value.push_back(sum);
      expected.scale.push_back(magnitude);
    }
  }
  return expected;
}

}  // namespace gt200::kernels::convolution
