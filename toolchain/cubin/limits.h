// Limits on what a kernel can ask of the hardware, shared by the readers of all containers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>

namespace gt200::cubin {

inline constexpr std::uint32_t constant_space_bytes = 65536;
inline constexpr std::uint32_t constant_spaces = 16;      // of sm_1x
inline constexpr std::uint32_t max_local_bytes = 16384;   // per thread: CUDA programming guide, appendix A
inline constexpr std::uint32_t max_shared_bytes = 16384;  // per block: the same
inline constexpr std::uint32_t max_registers = 128;
inline constexpr std::uint32_t max_barrier = 15;  // barriers are numbered from 0
inline constexpr std::uint32_t max_parameter_bytes = 256;
inline constexpr std::uint32_t max_code_bytes = 1u << 24;  // code addresses have 24 bits
inline constexpr std::uint32_t max_texture_unit = 127;
inline constexpr std::uint32_t max_variable_bytes = 0x40000000;

// Differences between the programs of two generations.
struct architecture {
  unsigned first_sm = 10;
  unsigned last_sm = 13;
  std::uint32_t constant_spaces = cubin::constant_spaces;
  std::uint32_t max_local_bytes = cubin::max_local_bytes;
  std::uint32_t max_shared_bytes = cubin::max_shared_bytes;
  std::uint32_t max_registers = cubin::max_registers;
  std::uint32_t max_parameter_bytes = cubin::max_parameter_bytes;
  // Parameters are in shared memory, behind a header; else in constant space 0.
  bool parameters_in_shared = true;
  std::uint32_t shared_header_bytes = 16;
  std::uint32_t parameter_base = 0;  // in constant space 0
  // Constant spaces of user constants, of literals of a kernel, and of addresses of variables.
  std::uint8_t user_space = 0;
  std::uint8_t literal_space = 1;
  std::uint8_t address_space = 14;
  std::uint32_t barriers = 16;
  // Programs are listed only; they cannot be assembled or run.
  bool listed_only = false;
};
inline constexpr architecture tesla = {};
// CUDA programming guide, compute capability 2.x.
inline constexpr architecture fermi = {20, 21, 18, 512 * 1024, 48 * 1024, 63, 4096, false, 0, 0x20, 2, 16, 14};
inline constexpr std::uint32_t fermi_parameter_base = fermi.parameter_base;
inline constexpr architecture kepler_to_pascal = {30, 62,    18, 512 * 1024, 96 * 1024, 255, 4096, false,
                                                  0,  0x140, 3,  2,          4,         16,  true};
// CUDA programming guide, compute capability 7.0.
inline constexpr architecture volta = {70, 72, 18, 512 * 1024, 96 * 1024, 255, 4096, false, 0, 0x160, 3, 2, 4};

// The generation of a compute capability (times ten); Tesla if there is none.
constexpr const architecture& architecture_of_sm(unsigned sm) {
  for (const architecture* known : {&fermi, &kepler_to_pascal, &volta})
    if (sm >= known->first_sm && sm <= known->last_sm) return *known;
  return tesla;
}

// Kernel names, mangled ones included, consist of letters, digits, '_', '.' and '$', so that every container and
// assembly source can hold them.
inline bool is_kernel_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '$';
  });
}

}  // namespace gt200::cubin
