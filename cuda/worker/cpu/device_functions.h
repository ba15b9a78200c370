// The functions that device code on the host's processor calls: waiting for other threads, the approximations of
// the special function unit, directed rounding, textures.
#pragma once

#include <unordered_map>

#include "toolchain/cuda/gt200_cpu_runtime.h"
#include "toolchain/launch/texture.h"

namespace gt200::cudart {

// Textures by the addresses of their variables in the code.
using cpu_textures = std::unordered_map<const void*, const launch::bound_texture*>;

// One for all code. The functions concern the block that the calling thread of the host runs (block_runner.h).
const gt200_cpu_runtime& device_functions();

// For a thread of the host that runs device code, as long as the object is there: arithmetic as the chip has it,
// and the textures of the grid, which are not owned. `flushes`: floating-point numbers that are denormal are zeros.
class device_code_environment {
 public:
  device_code_environment(bool flushes, const cpu_textures& textures);
  ~device_code_environment();
  device_code_environment(const device_code_environment&) = delete;
  device_code_environment& operator=(const device_code_environment&) = delete;

 private:
  unsigned state_before_;
};

}  // namespace gt200::cudart
