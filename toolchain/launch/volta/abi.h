// State in which a kernel of sm_70 starts.
//
//   c[0][0x000]  ntid.x .y .z     c[0][0x00c]  nctaid.x .y .z     (32 bits each)
//   c[0][0x028]  end of the thread's stack in local memory; the compiler's code loads it into R1
//   c[0][0x150]  base of the window of shared memory in generic addresses; 0x154: of local memory (assumption)
//   c[0][0x160]  parameters in order, each aligned to its own size
//   c[2]         literals of the kernel     c[3]  constants of the module     c[4]  addresses of variables, 8 bytes
//   each
//
// Registers and shared memory are undefined. Thread and block numbers are in special registers.
//
// Sources: Mesa NAK and CuAssembler's samples, but for the windows. Limits: CUDA programming guide, compute
// capability 7.0.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "toolchain/launch/launch_parameters.h"

namespace gt200::launch::volta {

inline constexpr std::array<std::uint32_t, 3> max_grid = {0x7fffffff, 65535, 65535};
inline constexpr std::array<std::uint32_t, 3> max_block = {1024, 1024, 64};
inline constexpr std::uint32_t max_threads_per_block = 1024;
inline constexpr std::uint32_t stack_end_offset = 0x28;
inline constexpr std::uint32_t shared_window_offset = 0x150;
inline constexpr std::uint32_t local_window_offset = 0x154;

// The contents of c[0]. `shared_window` and `local_window`: arch_state/generation.h.
std::vector<std::uint8_t> launch_constants(const launch_parameters& launch, std::uint32_t shared_window,
                                           std::uint32_t local_window);

// Says why the hardware cannot start this grid; empty if it can.
std::string refusal(const launch_parameters& launch, std::uint32_t max_block_threads = max_threads_per_block);

}  // namespace gt200::launch::volta
