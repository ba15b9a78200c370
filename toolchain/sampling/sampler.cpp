#include "toolchain/sampling/sampler.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "toolchain/bits.h"

namespace gt200::sampling {
namespace {

template <class to, class from>
to bits_as(from value) {
  static_assert(sizeof(to) == sizeof(from));
  to result;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

// Linear memory has one dimension here.
unsigned dimensions_of(const texture_shape& shape) { return shape.dimensions == 0 ? 1 : shape.dimensions; }

// The two texels of one dimension that are mixed, and the weight of the second in 1/256.
struct tap_pair {
  std::array<std::uint32_t, 2> texel{};
  std::array<bool, 2> is_border{};
  std::uint32_t weight = 0;
};

// Maps a texel number that may lie outside the image into it, by the addressing mode.
std::uint32_t in_image(const texture_shape& shape, unsigned dimension, std::int64_t texel) {
  const std::int64_t extent = shape.extent[dimension];
  const auto modulo = [texel](std::int64_t period) { return (texel % period + period) % period; };
  switch (shape.addressing[dimension]) {
    case texture_addressing::wrap: return static_cast<std::uint32_t>(modulo(extent));
    case texture_addressing::mirror: {
      const std::int64_t in_both = modulo(2 * extent);
      return static_cast<std::uint32_t>(std::min(in_both, 2 * extent - 1 - in_both));
    }
    case texture_addressing::clamp:
    case texture_addressing::border: break;
  }
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(texel, 0, extent - 1));
}

bool is_border(const texture_shape& shape, unsigned dimension, std::int64_t texel) {
  return shape.addressing[dimension] == texture_addressing::border &&
         (texel < 0 || texel >= std::int64_t{shape.extent[dimension]});
}

tap_pair taps_at(const texture_shape& shape, unsigned dimension, int offset, float coordinate) {
  const double extent = shape.extent[dimension];
  double x = std::isnan(coordinate) ? 0.0 : static_cast<double>(coordinate);
  const texture_addressing mode = shape.addressing[dimension];
  bool is_reflected = false;
  if (mode == texture_addressing::wrap || mode == texture_addressing::mirror) {
    if (std::isinf(x)) x = 0.0;
    const double whole = std::floor(x);
    x -= whole;
    is_reflected = mode == texture_addressing::mirror && std::fmod(whole, 2.0) != 0.0;
    if (is_reflected) x = 1.0 - x;
  }
  if (shape.normalised_coordinates) x *= extent;
  // Beyond this range only the edge or the border is read, whatever the texel offset; the number stays within 64
  // bits.
  x = std::clamp(x, -64.0, extent + 64.0);
  const bool linear = shape.filter == texture_filter::linear;
  if (linear) x -= 0.5;
  const double first = std::floor(x);
  const std::int64_t texel = static_cast<std::int64_t>(first) + (is_reflected ? -offset : offset);
  tap_pair result;
  result.texel = {in_image(shape, dimension, texel), in_image(shape, dimension, texel + 1)};
  result.is_border = {is_border(shape, dimension, texel), is_border(shape, dimension, texel + 1)};
  if (linear) result.weight = static_cast<std::uint32_t>(std::floor((x - first) * 256 + 0.5));
  return result;
}

std::uint32_t offset_of(const texture_shape& shape, const std::array<std::uint32_t, 3>& texel) {
  return static_cast<std::uint32_t>(shape.offset(texel[0], texel[1], texel[2]));
}

template <class number>
std::array<number, 3> coordinates_of(const isa::texture_access& access, const isa::lane_words* source,
                                     unsigned lane) {
  std::array<number, 3> result{};
  for (unsigned k = 0; k < 3 && k < access.arguments; ++k) result[k] = bits_as<number>(source[k].lane[lane]);
  return result;
}

}  // namespace

footprint fetch(const texture_shape& shape, const texel_offsets& offset,
                const std::array<std::int32_t, 3>& coordinate) {
  std::array<std::uint32_t, 3> texel{};
  for (unsigned d = 0; d < dimensions_of(shape); ++d) {
    const std::int64_t at = std::int64_t{coordinate[d]} + offset[d];
    if (at < 0 || at >= shape.extent[d]) return {};
    texel[d] = static_cast<std::uint32_t>(at);
  }
  footprint f;
  f.taps = 1;
  f.offset[0] = offset_of(shape, texel);
  return f;
}

footprint sample(const texture_shape& shape, const texel_offsets& offset, const std::array<float, 3>& coordinate) {
  std::array<tap_pair, 3> pairs{};
  for (unsigned d = 0; d < dimensions_of(shape); ++d) pairs[d] = taps_at(shape, d, offset[d], coordinate[d]);
  footprint f;
  f.taps = shape.filter == texture_filter::point ? 1 : 1u << dimensions_of(shape);
  bool is_outside = true;
  for (unsigned corner = 0; corner < f.taps; ++corner) {
    std::uint32_t weight = 1;
    std::array<std::uint32_t, 3> texel{};
    bool is_zero = false;
    for (unsigned d = 0; d < dimensions_of(shape); ++d) {
      const unsigned side = corner >> d & 1u;
      texel[d] = pairs[d].texel[side];
      weight *= side != 0 ? pairs[d].weight : 256 - pairs[d].weight;
      is_zero = is_zero || pairs[d].is_border[side];
    }
    f.offset[corner] = offset_of(shape, texel);
    f.weight[corner] = is_zero ? 0 : weight;
    is_outside = is_outside && is_zero;
  }
  return is_outside ? footprint{} : f;
}

std::optional<std::uint32_t> unit_of(const isa::texture_access& access, const isa::lane_bundle& values,
                                     isa::lane_mask lanes) {
  if (!access.by_handle || lanes == 0) return access.unit;
  const isa::lane_words& handles = values.source[2][0];
  const std::uint32_t first = handles.lane[__builtin_ctz(lanes)];
  for (const unsigned lane : set_bits(lanes))
    if (handles.lane[lane] != first) return std::nullopt;
  return first;
}

unsigned taps_of(const texture_shape& shape, const isa::texture_access& access) {
  const bool one = access.texel_numbers || shape.filter == texture_filter::point;
  return one ? 1 : 1u << dimensions_of(shape);
}

footprint footprint_of(const texture_shape& shape, const isa::texture_access& access, const isa::lane_words* source,
                       unsigned lane) {
  if (access.texel_numbers) return fetch(shape, access.offset, coordinates_of<std::int32_t>(access, source, lane));
  return sample(shape, access.offset, coordinates_of<float>(access, source, lane));
}

void add_weighted(const texel_value& texel, double weight, texel_sums& sum) {
  for (std::size_t c = 0; c < sum.size(); ++c)
    sum[c] += weight * static_cast<double>(bits_as<float>(texel.component[c]));
}

texel_value rounded(const texel_sums& sum) {
  texel_value result{};
  for (std::size_t c = 0; c < sum.size(); ++c)
    result.component[c] = bits_as<std::uint32_t>(static_cast<float>(sum[c]));
  return result;
}

}  // namespace gt200::sampling
