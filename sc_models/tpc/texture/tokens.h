// What travels between the modules of the texture unit.
#pragma once

#include <cstdint>

#include "sc_models/grid_descriptor.h"
#include "sc_models/warp_instruction.h"

namespace gt200::model {

// A texture instruction between address calculation and filter. Pooled per TPC: `address` takes it, `filter`
// returns it.
struct texture_access {
  warp_instruction* operation = nullptr;
  texture_binding binding;
  isa::lane_mask lanes = 0;                     // lanes that read a texel; the other executed ones read 0
  std::uint64_t physical[isa::warp_size] = {};  // of the lanes' texels
  std::uint32_t texel[isa::warp_size][4] = {};  // raw bytes of the texels, set by `l1`
};

struct texture_access_token {
  texture_access* access = nullptr;
};

}  // namespace gt200::model
