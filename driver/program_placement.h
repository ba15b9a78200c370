// Places the code and the constants of loaded modules in device memory. Plain C++, no chip.
//
// Kernels follow one another from memory_map.code_base on, each on a 256-byte boundary (a line of the instruction
// caches). Code has 24-bit addresses, which limits the space up to constant_base. The constant spaces of the
// kernels follow from constant_base on in the same way. A space with the same content as that of the kernel placed
// before it (c0 and c14 of a module) is shared.
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
  std::array<constant_binding, 16> constants = {};
};

class program_placement {
 public:
  // `capability` of the chip, 10 .. 13.
  program_placement(const config::memory_map_config& map, unsigned capability);

  // Places all kernels of the module, which must outlive this object. Throws input_error with the name of the
  // module if memory is full, or with the instruction that needs a higher compute capability.
  std::vector<memory_image> add(const cubin::module& module, const std::vector<std::uint8_t>& relocations);
  // Returns null if no module with this kernel was added.
  const placed_kernel* find(const cubin::kernel* kernel) const;

 private:
  void check_capability(const cubin::module& module) const;
  constant_binding place_constants(const cubin::module& module, unsigned space,
                                   const std::vector<std::uint8_t>& bytes, std::vector<memory_image>& images);

  config::memory_map_config map_;
  unsigned capability_;
  std::uint64_t next_code_;
  std::uint64_t next_constant_;
  std::vector<placed_kernel> kernels_;
  emulator::constant_memory last_constants_;             // of the kernel placed last, ...
  std::array<constant_binding, 16> last_bindings_ = {};  // ... and where they are
};

}  // namespace gt200::model
