// Texture fetches of the emulator: addressing and filtering as CUDA C programming guide 4.2, appendix E, says.
//
//   point:  texel floor(x); linear: xB = x - 0.5, texels floor(xB) and floor(xB) + 1 in every dimension, weighted
//   with
//           frac(xB) rounded to 1.8 fixed point (256 steps, 1.0 exact), products of the weights of the dimensions
//   clamp:  texels beyond the edge are the one at the edge; wrap: coordinates keep their fractional part
//
// texfetch takes integer coordinates and neither filters nor wraps; outside the texture it reads zeros. texauto
// takes floating-point coordinates of an array. Missing coordinates are 0; the texel offsets of the instruction are
// added to texel numbers. A program has no derivatives and textures no mip levels, so there is nothing else to
// select.
//
// Assumptions: weighted sums are exact and rounded once; NaN reads as coordinate 0. The sampler number of the
// instruction is not used: texture and sampler are bound together, by the texture unit.
#pragma once

#include <array>
#include <vector>

#include "toolchain/emulator/block_state.h"
#include "toolchain/launch/texture.h"

namespace gt200::emulator {

// One fetch. `texel_at` gives the bytes of a texel at an offset from the start of the image.
class texture_sampler {
 public:
  texture_sampler(const launch::texture_shape& shape, const isa::instruction& i) : shape_(shape), instruction_(i) {}

  // Zeros outside.
  template <class reader>
  launch::texel_value fetch(const std::array<std::int32_t, 3>& coordinate, reader texel_at) const {
    std::array<std::uint32_t, 3> texel{};
    for (unsigned d = 0; d < dimensions(); ++d) {
      const std::int64_t at = std::int64_t{coordinate[d]} + instruction_.texture_offset[d];
      if (at < 0 || at >= shape_.extent[d]) return {};
      texel[d] = static_cast<std::uint32_t>(at);
    }
    return launch::read_texel(shape_.texel, texel_at(shape_.offset(texel[0], texel[1], texel[2])));
  }

  template <class reader>
  launch::texel_value sample(const std::array<float, 3>& coordinate, reader texel_at) const {
    std::array<tap_pair, 3> taps{};
    for (unsigned d = 0; d < dimensions(); ++d) taps[d] = taps_of(d, coordinate[d]);
    if (shape_.filter == launch::texture_filter::point)
      return launch::read_texel(shape_.texel,
                                texel_at(shape_.offset(taps[0].texel[0], taps[1].texel[0], taps[2].texel[0])));
    return weighted(taps, texel_at);
  }

 private:
  // The two texels of one dimension that are mixed, and the weight of the second in 1/256.
  struct tap_pair {
    std::array<std::uint32_t, 2> texel{};
    std::uint32_t weight = 0;
  };

  // Linear memory has one dimension here.
  unsigned dimensions() const { return shape_.dimensions == 0 ? 1 : shape_.dimensions; }
  tap_pair taps_of(unsigned dimension, float coordinate) const;
  std::uint32_t in_array(unsigned dimension, std::int64_t texel) const;

  template <class reader>
  launch::texel_value weighted(const std::array<tap_pair, 3>& taps, reader texel_at) const {
    std::array<double, 4> sum{};
    for (unsigned corner = 0; corner < 1u << dimensions(); ++corner) {
      double weight = 1;
      std::array<std::uint32_t, 3> texel{};
      for (unsigned d = 0; d < dimensions(); ++d) {
        const unsigned side = corner >> d & 1u;
        texel[d] = taps[d].texel[side];
        weight *= (side != 0 ? taps[d].weight : 256 - taps[d].weight) / 256.0;
      }
      if (weight == 0) continue;  // also keeps infinities of texels that do not take part out of the sum
      add(launch::read_texel(shape_.texel, texel_at(shape_.offset(texel[0], texel[1], texel[2]))), weight, sum);
    }
    return rounded(sum);
  }
  static void add(const launch::texel_value& texel, double weight, std::array<double, 4>& sum);
  static launch::texel_value rounded(const std::array<double, 4>& sum);

  const launch::texture_shape& shape_;
  const isa::instruction& instruction_;
};

// The textures of a prepared launch, whose buffers are mapped in `global`; both must outlive it.
class bound_textures : public texture_memory {
 public:
  bound_textures(const std::vector<launch::bound_texture>& textures, const memory& global)
      : textures_(textures), global_(global) {}

  // Faults: texture_not_bound; unsupported, when linear memory is read by floating-point coordinates.
  fault_kind fetch(step_record& r, isa::lane_mask lanes) override;

 private:
  const std::vector<launch::bound_texture>& textures_;
  const memory& global_;
};

}  // namespace gt200::emulator
