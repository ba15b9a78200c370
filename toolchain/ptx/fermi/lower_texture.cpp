// Textures.
#include "toolchain/ptx/fermi/lowering.h"

namespace gt200::ptx::fermi {

void lowering::sample(const texture_parts& t) {
  const std::size_t count = t.coordinates.size();
  const word_ref where = out_.tuple(count == 3 ? 4 : static_cast<std::uint8_t>(count));
  for (std::size_t k = 0; k < count; ++k)
    out_.move({where.reg, static_cast<std::uint8_t>(k)}, source(t.coordinates[k], scalar::b32));
  const word_ref quad = out_.tuple(4);
  const bool by_number = !is_float(type());
  operation& o = out_.emit(by_number ? opcode::tld : opcode::tex, quad, {reg(where)}, 4);
  o.code.source[0].words = static_cast<std::uint8_t>(count);
  o.code.source[1] = zero().code;  // no level, no offset
  // The texture unit brings its sampler along; the sampler's number is only listed.
  constexpr std::size_t sampler_units = 32;
  o.code.texture_unit = static_cast<std::uint8_t>(t.texture->offset);
  o.code.sampler_unit = static_cast<std::uint8_t>(t.texture->offset % sampler_units);
  o.code.texture_shape = static_cast<std::uint8_t>(2 * (count - 1));  // t1d, t2d, t3d
  o.code.texture_write_mask = 0xf;
  o.code.texture_level = by_number ? 0 : 1;
  for (std::size_t k = 0; k < 4; ++k) assign(t.results[k], reg({quad.reg, static_cast<std::uint8_t>(k)}));
}

}  // namespace gt200::ptx::fermi
