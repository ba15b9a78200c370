// Addressing and filtering of texture instructions after the CUDA C programming guide 4.2, appendix E: pure
// functions, shared by the emulator and the texture unit of the cycle model.
//
//   point:  texel floor(x); linear: xB = x - 0.5, texels floor(xB) and floor(xB) + 1 in every dimension, weighted
//           with frac(xB) rounded to 1.8 fixed point (256 steps, 1.0 exact), products of the weights of the
//           dimensions
//   clamp:  texels beyond the edge are the one at the edge
//   wrap:   coordinates keep their fractional part; for normalised coordinates
//   mirror: coordinates keep their fractional part f if their whole part is even, else they become 1 - f; for
//           normalised coordinates
//   border: texels beyond the edge are 0 in all components; a filter at the edge mixes zeros in
//
// texfetch takes integer coordinates and neither filters nor has addressing modes; outside the texture it reads
// zeros. texauto takes floating-point coordinates of an image of 1 to 3 dimensions. Missing coordinates are 0; the
// texel offsets of the instruction are added to texel numbers. A program has no derivatives and textures no mip
// levels, so there is nothing else to select.
//
// Assumptions: weighted sums are exact and rounded once; NaN reads as coordinate 0, and so does infinity if the
// image repeats; texel offsets go against the coordinate in a reflected copy. If one texel of a filter lies within
// the image, the unit reads as many as without a border. The sampler number of the instruction is not used: texture
// and sampler are bound together, by the texture unit.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "toolchain/isa/common/instruction.h"
#include "toolchain/isa/common/lane_bundle.h"
#include "toolchain/sampling/shape.h"

namespace gt200::sampling {

inline constexpr unsigned max_taps = 8;

// The texels one lane reads, and their weights.
struct footprint {
  unsigned taps = 0;  // 1, or linear filtering: 2, 4, 8 for 1 to 3 dimensions; 0: all outside, zeros
  std::array<std::uint32_t, max_taps> offset{};  // from the first byte of the image
  std::array<std::uint32_t, max_taps> weight{};  // in 1/256 per dimension that is filtered
};

using texel_offsets = std::array<std::int8_t, 3>;

footprint fetch(const texture_shape& shape, const texel_offsets& offset,
                const std::array<std::int32_t, 3>& coordinate);
footprint sample(const texture_shape& shape, const texel_offsets& offset, const std::array<float, 3>& coordinate);

// The texture unit of a fetch by these lanes. A handle is the number of its unit (assumption: the layout of the
// hardware's handles is not public); none: the lanes have different ones.
std::optional<std::uint32_t> unit_of(const isa::texture_access& access, const isa::lane_bundle& values,
                                     isa::lane_mask lanes);

// Texels an instruction reads per lane within the texture.
unsigned taps_of(const texture_shape& shape, const isa::texture_access& access);
// Linear memory cannot be addressed by floating-point coordinates.
inline bool can_read(const texture_shape& shape, const isa::texture_access& access) {
  return access.texel_numbers || shape.dimensions != 0;
}
// The footprint of one lane, whose coordinates are in the rows `source[0]` to `source[arguments - 1]`.
footprint footprint_of(const texture_shape& shape, const isa::texture_access& access, const isa::lane_words* source,
                       unsigned lane);

// The value of a footprint. `texel_at(k)` gives the bytes of texel k.
template <class reader>
texel_value filtered(const texel_layout& layout, const footprint& f, reader texel_at);

// Calls f(register, component) for the components the instruction writes, to consecutive registers.
template <class action>
void for_each_written(const isa::texture_access& access, action f) {
  unsigned next = 0;
  for (unsigned c = 0; c < 4; ++c)
    if ((access.write_mask >> c & 1u) != 0) f(next++, c);
}

// -- implementation --

using texel_sums = std::array<double, 4>;
void add_weighted(const texel_value& texel, double weight, texel_sums& sum);
texel_value rounded(const texel_sums& sum);

template <class reader>
texel_value filtered(const texel_layout& layout, const footprint& f, reader texel_at) {
  if (f.taps == 0) return {};
  if (f.taps == 1) return read_texel(layout, texel_at(0u));
  const double whole = f.taps == 2 ? 0x1p8 : f.taps == 4 ? 0x1p16 : 0x1p24;
  texel_sums sum{};
  for (unsigned k = 0; k < f.taps; ++k) {
    if (f.weight[k] == 0) continue;  // also keeps infinities of unused texels out of the sum
    add_weighted(read_texel(layout, texel_at(k)), f.weight[k] / whole, sum);
  }
  return rounded(sum);
}

}  // namespace gt200::sampling
