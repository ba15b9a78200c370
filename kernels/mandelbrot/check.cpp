// The same recurrence in single precision. Every product is used twice, so none becomes part of a multiply-add, and
// the number of steps is exactly the same.
#include <string>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::mandelbrot {
launch::reference_result check(const launch::host_context& context, const std::string&) {
  const auto width = static_cast<int>(context.parameter("WIDTH"));
  const auto height = static_cast<int>(context.parameter("HEIGHT"));
  const auto most = static_cast<int>(context.parameter("MOST"));
  launch::reference_result expected;
  for (int row = 0; row < height; ++row) {
    for (int column = 0; column < width; ++column) {
      const float cx = static_cast<float>(column) * 0.015625f - 1.5f;
      const float cy = static_cast<float>(row) * 0.015625f - 0.5f;
      float x = 0;
      float y = 0;
      int k = 0;
      for (; k < most; ++k) {
        const float xx = x * x;
        const float yy = y * y;
        const float xy = x * y;
        if (!(xx + yy <= 4.0f)) break;
        x = (xx - yy) + cx;
        y = (xy + xy) + cy;
      }
      expected.value.push_back(k);
    }
  }
  return expected;
}

}  // namespace gt200::kernels::mandelbrot
