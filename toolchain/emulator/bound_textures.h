// Texture fetches of the emulator. Addressing and filtering are in toolchain/sampling/sampler.h.
#pragma once

#include <vector>

#include "toolchain/emulator/block_state.h"
#include "toolchain/launch/texture.h"

namespace gt200::emulator {

// The textures of a prepared launch, whose images are mapped in `global`; both must outlive it.
class bound_textures : public texture_memory {
 public:
  bound_textures(const std::vector<launch::bound_texture>& textures, const arch_state::memory& global)
      : textures_(textures), global_(global) {}

  // Faults: texture_not_bound; unsupported, when linear memory is read by floating-point coordinates or lanes name
  // different textures.
  arch_state::fault_kind fetch(step_record& r, isa::lane_mask lanes) override;

 private:
  const std::vector<launch::bound_texture>& textures_;
  const arch_state::memory& global_;
};

}  // namespace gt200::emulator
