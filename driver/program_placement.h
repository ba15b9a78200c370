// Places the code and the constants of loaded modules in device memory. Plain C++, no chip.
//
// The code of the kernels lies between memory_map.code_base and constant_base, one kernel after another. The
// configuration must leave at least 16 MiB there, because addresses in code have 24 bits. The constant spaces lie
// between constant_base and global_base, one space after another. Every kernel and every space begins on a 256-byte
// boundary, which is a line of the instruction caches.
//
// A kernel shares a constant space with the kernel of its module that was placed before it, if both spaces have the
// same bytes. That is usual for c0 and c14.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sc_models/config/chip_config.h"
#include "sc_models/grid_descriptor.h"
#include "sc_models/memory_image.h"
#include "toolchain/cubin/module.h"
#include "toolchain/emulator/constant_memory.h"

namespace gt200::model {

struct placed_kernel {
  const cubin::kernel* kernel = nullptr;
  std::uint64_t code_base = 0;
  std::uint32_t code_bytes = 0;
  std::array<constant_binding, constant_spaces> constants = {};
};

class program_placement {
 public:
  // `capability` of the chip: 10 .. 13, or 20.
  program_placement(const config::memory_map_config& map, unsigned capability);

  // Places all kernels of the module, which must outlive this object. Throws input_error with the name of the
  // module if memory is full, or with the instruction that needs a higher compute capability.
  std::vector<memory_image> add(const cubin::module& module, const std::vector<std::uint8_t>& relocations);
  // Space for constants that change from launch to launch. Throws input_error if constant memory is full.
  constant_binding reserve_constants(std::uint32_t bytes);
  // Returns null if no module with this kernel was added.
  const placed_kernel* find(const cubin::kernel* kernel) const;

 private:
  void check_module(const cubin::module& module) const;
  void check_generation(const cubin::module& module) const;
  void check_instructions(const cubin::module& module) const;
  constant_binding place_constants(const cubin::module& module, unsigned space,
                                   const std::vector<std::uint8_t>& bytes, std::vector<memory_image>& images);

  config::memory_map_config map_;
  unsigned capability_;
  std::uint64_t next_code_;
  std::uint64_t next_constant_;
  std::vector<placed_kernel> kernels_;
  emulator::constant_memory last_constants_;                          // of the kernel placed last, ...
  std::array<constant_binding, constant_spaces> last_bindings_ = {};  // ... and where they are
};

}  // namespace gt200::model
