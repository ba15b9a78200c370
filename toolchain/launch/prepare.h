// From description and program to the initial device memory and the grids to run.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "toolchain/cubin/module.h"
#include "toolchain/launch/description.h"
#include "toolchain/launch/device_memory.h"
#include "toolchain/launch/host_functions.h"

namespace gt200::launch {

struct placed_bytes {
  std::string name;
  std::uint32_t address = 0;
  std::vector<std::uint8_t> initial;
};

// The memory of a CUDA array; `initial`: its image in block-linear layout.
struct placed_array : placed_bytes {
  std::string buffer;  // the buffer it is copied from
  sampling::texture_shape shape;
};

// Refers to the description and the module it was made from; both must outlive it.
struct prepared {
  const description* launch = nullptr;
  const cubin::module* module = nullptr;                // the program; with [[constant]]s a copy that holds them
  std::shared_ptr<const cubin::module> with_constants;  // that copy
  std::vector<placed_bytes> globals;                    // variables of the module, then
  std::vector<placed_bytes> buffers;                    // in the order of the description
  std::vector<placed_array> arrays;                     // one per texture in block-linear layout
  std::vector<std::uint8_t> relocations;                // content of c14 from its first byte
  std::vector<bound_texture> textures;                  // at most one per unit
  std::uint32_t max_block_threads = max_threads_per_block;

  const placed_bytes& buffer_at(const std::string& name) const;
};

// Places globals first, then buffers in the order of the file, each on a 256-byte boundary, then arrays in whole
// pages. Draws random content in the order of the file; buffers that draw in turn do so at the place of the first
// of them. Finds everything that can be wrong with a step: an unknown kernel, arguments that do not fit its
// parameters, a grid the hardware cannot start, a texture or constant the program lacks; and a missing reference or
// file of an expectation. Throws input_error.
prepared prepare(const description& launch, const cubin::module& module, const host_table& hosts,
                 device_allocator& allocator, std::uint32_t max_block_threads = max_threads_per_block);

// The grid of one step: parameter bytes packed in order, each aligned to its own size.
launch_parameters pack(const prepared& program, const launch_step& step, unsigned line, std::uint16_t grid_id);

}  // namespace gt200::launch
