// Device code of one .cu file on a device: compiled, with addresses of its variables and what the host has written
// to its constants.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cuda/protocol/commands.h"
#include "cuda/worker/heap.h"
#include "toolchain/cubin/module.h"
#include "toolchain/error.h"
#include "toolchain/launch/texture.h"

namespace gt200::cudart {

struct program {
  cubin::module module;
  std::vector<std::uint8_t> relocations;  // addresses of the variables, as the constants of the module hold them
  std::map<std::string, std::uint32_t> addresses;  // of variables in global memory
  // Of constants whose address the program has asked for. Their content is in this memory; a launch takes it over.
  std::map<std::string, std::uint32_t> constant_addresses;
  std::vector<launch::bound_texture> textures;  // the bound ones
  unsigned constants_version = 0;               // incremented when the host writes constants
  std::string cpu_image;  // the same code for the host's processor; empty unless compiled with -cpu
};

class invalid_ptx : public input_error {
 public:
  using input_error::input_error;
};

// Compiles a container or PTX for a chip of this compute capability, or reads a cubin, and allocates its variables.
// `options` are for PTX. Throws input_error: invalid_ptx if PTX does not compile, no_variant if nothing is for this
// chip.
program load_program(std::string_view image, const image_options& options, unsigned capability, heap& memory);

// The constant with this name; null if there is none.
cubin::constant_segment* find_constant(program& code, const std::string& name);

}  // namespace gt200::cudart
