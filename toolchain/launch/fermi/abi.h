// State in which a kernel of sm_20 starts.
//
//   c0[0x00]   base of the window of shared memory in generic addresses
//   c0[0x04]   base of the window of local memory
//   c0[0x08]   ntid.x .y .z     c0[0x14]   nctaid.x .y .z     (32 bits each)
//   c0[0x20]   parameters in order, each aligned to its own size
//   c1[0x100]  end of the thread's stack in local memory; the compiler's code loads it into $r1
//   c2         constants of the module      c14   addresses of variables      c16   literals of the kernel
//
// Registers and shared memory are undefined. Thread and block numbers are in special registers.
//
// Sources: listings of compiled code (seanbaxter/mgpu_old) for c0[0x00], c0[0x20], c1[0x100], c14 and c16; sizes in
// c0[0x08] and c0[0x14] are from memory of the literature (assumption until a listing shows them). Limits: CUDA
// programming guide, compute capability 2.x.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "toolchain/cubin/limits.h"
#include "toolchain/cubin/module.h"
#include "toolchain/launch/launch_parameters.h"

namespace gt200::launch::fermi {

inline constexpr std::uint32_t max_grid = 65535;  // in x, y and z
inline constexpr std::array<std::uint32_t, 3> max_block = {1024, 1024, 64};
inline constexpr std::uint32_t max_threads_per_block = 1024;
inline constexpr std::uint32_t stack_end_offset = 0x100;  // in c1

using launch::launch_parameters;
using launch::threads_per_block;
using launch::warps_per_block;

inline std::uint32_t shared_bytes_per_block(const launch_parameters& launch) {
  return launch.kernel->shared_bytes + launch.dynamic_shared;
}

// The contents of c0 and c1. `shared_window` and `local_window`: arch_state/generation.h.
std::vector<std::uint8_t> launch_constants(const launch_parameters& launch, std::uint32_t shared_window,
                                           std::uint32_t local_window);
std::vector<std::uint8_t> stack_constants(const launch_parameters& launch);

// The addresses of variables as c14 holds them, 4 or 8 bytes each. `address_of` is called with each name.
template <class function>
std::vector<std::uint8_t> variable_addresses(const cubin::module& module, function address_of) {
  std::vector<std::uint8_t> bytes;
  for (const cubin::relocation& entry : module.relocations) {
    const std::uint64_t address = address_of(entry.name);
    if (bytes.size() < entry.offset + module.address_bytes) bytes.resize(entry.offset + module.address_bytes);
    for (unsigned k = 0; k < module.address_bytes; ++k)
      bytes[entry.offset + k] = static_cast<std::uint8_t>(address >> (8 * k));
  }
  return bytes;
}

// Says why the hardware cannot start this grid; empty if it can.
std::string refusal(const launch_parameters& launch, std::uint32_t max_block_threads = max_threads_per_block);

// Local memory per thread that the hardware reserves for a kernel that asks for `bytes`: 0, or a power of two from
// 16 up (assumption: as on Tesla).
std::uint32_t local_allocation(std::uint32_t bytes);

}  // namespace gt200::launch::fermi
