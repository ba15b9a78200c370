// The constant spaces c0 .. c17 of one kernel as bytes.
//
// sm_1x: c0 holds the module's constants, c1 the literals of the kernel, c14 the addresses of global variables.
// sm_2x: see launch/fermi/abi.h. A space ends with its last initialised segment. Bytes before that without a value
// are zero; beyond it the space is not bound.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "toolchain/cubin/module.h"

namespace gt200::emulator {

class constant_memory {
 public:
  static constexpr unsigned spaces = 18;

  constant_memory() = default;
  // `relocations`: content of c14 from its first byte, as made by launch::prepare().
  constant_memory(const cubin::module& module, const cubin::kernel& kernel,
                  const std::vector<std::uint8_t>& relocations);

  const std::vector<std::uint8_t>& bytes(unsigned space) const { return bytes_[space]; }
  // Writes `data`, padded with zeros to `size` bytes.
  void write(unsigned space, std::uint32_t offset, const std::vector<std::uint8_t>& data, std::size_t size);

 private:
  std::array<std::vector<std::uint8_t>, spaces> bytes_;
};

}  // namespace gt200::emulator
