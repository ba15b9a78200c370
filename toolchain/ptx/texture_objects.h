// Texture objects: kernels read the texture whose handle they get as a parameter.
//
// The hardware names textures by number in each instruction. Every parameter of a kernel that is the handle of a
// fetch gets a texture of its own, named "$object.KERNEL.OFFSET"; the launch binds it to what the 64 bits at this
// byte of the parameters name.
#pragma once

#include <cstdint>
#include <string>

#include "toolchain/ptx/ast.h"

namespace gt200::ptx {

inline std::string texture_object_name(const std::string& kernel, std::uint64_t offset) {
  return "$object." + kernel + "." + std::to_string(offset);
}

// A handle that is no parameter stays as it is: lowering says that it names no texture.
void name_texture_objects(module_source& module);

}  // namespace gt200::ptx
