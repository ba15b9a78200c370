// Texels to register values. A pure function.
#pragma once

#include <cstdint>

#include "sc_models/grid_descriptor.h"

namespace gt200::model {

struct texel_value {
  std::uint32_t component[4];
};

// Components as the lanes see them: integers extended to 32 bits, normalised ones and f32 as float bits. Missing
// components are 0, the missing fourth is 1 (assumption: the default of graphics). `bytes`: the texel, little
// endian.
texel_value read_texel(const texture_binding& binding, const std::uint8_t* bytes);

}  // namespace gt200::model
