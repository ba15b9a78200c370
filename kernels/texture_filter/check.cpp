// Bilinear filtering in integers: weights in 1/256, texels in 1/255, one division at the end.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels::texture_filter {
namespace {

struct position {
  std::int64_t texel;   // the first of two neighbours
  std::int64_t weight;  // of the second
};

position locate(float coordinate, std::int64_t extent) {
  const double x = (static_cast<double>(coordinate) - std::floor(coordinate)) * static_cast<double>(extent);
  const auto in_256ths = static_cast<std::int64_t>(std::floor(x * 256 - 128 + 0.5));
  const std::int64_t texel = (in_256ths + 256 * extent) / 256 - extent;
  return {texel, in_256ths - 256 * texel};
}

}  // namespace

launch::reference_result check(const launch::host_context& context, const std::string&) {
  const std::int64_t width = context.parameter("WIDTH");
  const std::int64_t height = context.parameter("HEIGHT");
  const std::int64_t pitch = width + 3;
  const std::vector<std::uint8_t> pixels = context.initial<std::uint8_t>("pixels");
  const std::vector<float> step = context.constant<float>("step");
  const std::vector<float> first = context.constant<float>("first");
  const auto pixel = [&](std::int64_t x, std::int64_t y) {
    return std::int64_t{pixels[static_cast<std::size_t>((y + height) % height * pitch + (x + width) % width)]};
  };
  launch::reference_result expected;
  for (std::int64_t y = 0; y < context.parameter("OUT_HEIGHT"); ++y) {
    const float at_y = static_cast<float>(y) * step[1] + first[1];
    const position v = locate(at_y, height);
    for (std::int64_t x = 0; x < context.parameter("OUT_WIDTH"); ++x) {
      const float at_x = static_cast<float>(x) * step[0] + first[0];
      const position u = locate(at_x, width);
      const std::int64_t upper =
          (256 - u.weight) * pixel(u.texel, v.texel) + u.weight * pixel(u.texel + 1, v.texel);
      const std::int64_t lower =
          (256 - u.weight) * pixel(u.texel, v.texel + 1) + u.weight * pixel(u.texel + 1, v.texel + 1);
      expected.value.push_back(static_cast<double>((256 - v.weight) * upper + v.weight * lower) / (65536.0 * 255));
    }
  }
  return expected;
}

}  // namespace gt200::kernels::texture_filter
