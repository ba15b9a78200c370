// Texels to register values, for the textures of a grid. See toolchain/launch/texel.h.
#pragma once

#include "sc_models/grid_descriptor.h"

namespace gt200::model {

using launch::texel_value;

inline texel_value read_texel(const texture_binding& binding, const std::uint8_t* bytes) {
  return launch::read_texel(binding.layout(), bytes);
}

}  // namespace gt200::model
