#include "toolchain/emulator/bound_textures.h"

#include <algorithm>
#include <array>

#include "toolchain/arch_state/lane_rows.h"
#include "toolchain/bits.h"
#include "toolchain/sampling/sampler.h"

namespace gt200::emulator {

using namespace arch_state;

fault_kind bound_textures::fetch(step_record& r, isa::lane_mask lanes) {
  const isa::texture_access& access = r.instruction->texture;
  const auto unit = sampling::unit_of(access, r.values, lanes);
  if (!unit) return fault_kind::unsupported;
  const auto bound = std::find_if(textures_.begin(), textures_.end(),
                                  [&](const launch::bound_texture& t) { return t.unit == *unit; });
  if (bound == textures_.end()) return fault_kind::texture_not_bound;
  const sampling::texture_shape& shape = bound->shape;
  if (!sampling::can_read(shape, access)) return fault_kind::unsupported;
  const std::uint32_t texel_bytes = shape.texel.bytes();
  std::array<std::uint8_t, 16> texel{};
  for (const unsigned lane : set_bits(lanes)) {
    const sampling::footprint f = sampling::footprint_of(shape, access, r.values.source[0], lane);
    const sampling::texel_value value = sampling::filtered(shape.texel, f, [&](unsigned k) {
      global_.read(bound->address + f.offset[k], texel.data(), texel_bytes);
      return static_cast<const std::uint8_t*>(texel.data());
    });
    sampling::for_each_written(
        access, [&](unsigned n, unsigned c) { r.values.destination[n].lane[lane] = value.component[c]; });
  }
  return fault_kind::none;
}

}  // namespace gt200::emulator
