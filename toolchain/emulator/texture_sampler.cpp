#include "toolchain/emulator/texture_sampler.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "toolchain/emulator/lane_rows.h"

namespace gt200::emulator {
namespace {

template <class to, class from>
to bits_as(from value) {
  static_assert(sizeof(to) == sizeof(from));
  to result;
  std::memcpy(&result, &value, sizeof result);
  return result;
}

// Coordinates of one lane as the instruction delivers them.
template <class number>
std::array<number, 3> coordinates_of(const step_record& r, unsigned lane) {
  std::array<number, 3> result{};
  for (unsigned k = 0; k < 3 && k < r.instruction->texture_arguments; ++k)
    result[k] = bits_as<number>(r.values.source[0][k].lane[lane]);
  return result;
}

}  // namespace

// A texel number that may lie outside, by the addressing mode.
std::uint32_t texture_sampler::in_array(unsigned dimension, std::int64_t texel) const {
  const std::int64_t extent = shape_.extent[dimension];
  if (shape_.addressing[dimension] == launch::texture_addressing::wrap)
    return static_cast<std::uint32_t>((texel % extent + extent) % extent);
  return static_cast<std::uint32_t>(std::clamp<std::int64_t>(texel, 0, extent - 1));
}

texture_sampler::tap_pair texture_sampler::taps_of(unsigned dimension, float coordinate) const {
  const double extent = shape_.extent[dimension];
  double x = std::isnan(coordinate) ? 0.0 : static_cast<double>(coordinate);
  if (shape_.addressing[dimension] == launch::texture_addressing::wrap) x = std::isinf(x) ? 0.0 : x - std::floor(x);
  if (shape_.normalised_coordinates) x *= extent;
  // Anything beyond reads the edge, whatever the offset of the instruction; keeps the number within 64 bits.
  x = std::clamp(x, -64.0, extent + 64.0);
  const bool linear = shape_.filter == launch::texture_filter::linear;
  if (linear) x -= 0.5;
  const double first = std::floor(x);
  const std::int64_t texel = static_cast<std::int64_t>(first) + instruction_.texture_offset[dimension];
  tap_pair result;
  result.texel = {in_array(dimension, texel), in_array(dimension, texel + 1)};
  if (linear) result.weight = static_cast<std::uint32_t>(std::floor((x - first) * 256 + 0.5));
  return result;
}

void texture_sampler::add(const launch::texel_value& texel, double weight, std::array<double, 4>& sum) {
  for (std::size_t c = 0; c < sum.size(); ++c)
    sum[c] += weight * static_cast<double>(bits_as<float>(texel.component[c]));
}

launch::texel_value texture_sampler::rounded(const std::array<double, 4>& sum) {
  launch::texel_value result{};
  for (std::size_t c = 0; c < sum.size(); ++c)
    result.component[c] = bits_as<std::uint32_t>(static_cast<float>(sum[c]));
  return result;
}

fault_kind bound_textures::fetch(step_record& r, isa::lane_mask lanes) {
  const isa::instruction& i = *r.instruction;
  const auto bound = std::find_if(textures_.begin(), textures_.end(),
                                  [&](const launch::bound_texture& t) { return t.unit == i.texture_unit; });
  if (bound == textures_.end()) return fault_kind::texture_not_bound;
  const bool by_integers = i.op == isa::opcode::texfetch;
  if (!by_integers && bound->shape.dimensions == 0) return fault_kind::unsupported;
  const texture_sampler sampler(bound->shape, i);
  const std::uint32_t texel_bytes = bound->shape.texel.bytes();
  std::array<std::uint8_t, 16> texel{};
  const auto texel_at = [&](std::uint64_t offset) {
    global_.read(bound->address + static_cast<std::uint32_t>(offset), texel.data(), texel_bytes);
    return static_cast<const std::uint8_t*>(texel.data());
  };
  for (isa::lane_mask rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned lane = lowest_lane(rest);
    const launch::texel_value value = by_integers ? sampler.fetch(coordinates_of<std::int32_t>(r, lane), texel_at)
                                                  : sampler.sample(coordinates_of<float>(r, lane), texel_at);
    unsigned next = 0;
    for (unsigned c = 0; c < 4; ++c)
      if ((i.texture_write_mask >> c & 1u) != 0) r.values.destination[next++].lane[lane] = value.component[c];
  }
  return fault_kind::none;
}

}  // namespace gt200::emulator
