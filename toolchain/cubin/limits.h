// Limits on what a kernel can ask of the hardware, shared by the readers of all containers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace gt200::cubin {

inline constexpr std::uint32_t constant_space_bytes = 65536;
inline constexpr std::uint32_t constant_spaces = 16;
inline constexpr std::uint32_t max_local_bytes = 16384;   // per thread: CUDA programming guide, appendix A
inline constexpr std::uint32_t max_shared_bytes = 16384;  // per block: the same
inline constexpr std::uint32_t max_registers = 128;
inline constexpr std::uint32_t max_barrier = 15;  // barriers are numbered from 0
inline constexpr std::uint32_t max_parameter_bytes = 256;
inline constexpr std::uint32_t max_code_bytes = 1u << 24;  // code addresses have 24 bits
inline constexpr std::uint32_t max_texture_unit = 127;
inline constexpr std::uint32_t max_variable_bytes = 0x40000000;

// Kernel names, mangled ones included, consist of letters, digits, '_', '.' and '$', so that every container and
// assembly source can hold them.
inline bool is_kernel_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '$';
  });
}

}  // namespace gt200::cubin
