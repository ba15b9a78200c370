// Limits of a launch on Tesla, whatever the configuration. Sources: CUDA programming guide, appendix A
// (compute capability 1.x); the USER_PARAM array (64 words) of the launch registers. $r0 has 16 bits for the x, 10
// for the y and 6 for the z of a thread, so blocks of 1,024 threads work where a configuration allows them
// (tpc.sm.limits.threads_per_block).
#pragma once

#include <array>
#include <cstdint>

namespace gt200::arch_state::tesla {

inline constexpr std::uint32_t shared_header_bytes = 16;  // in front of the parameters
inline constexpr std::uint32_t max_parameter_bytes = 256;
inline constexpr std::array<std::uint32_t, 2> max_grid = {65535, 65535};
inline constexpr std::array<std::uint32_t, 3> max_block = {1024, 1024, 64};

}  // namespace gt200::arch_state::tesla
