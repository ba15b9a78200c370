// The attribute lists .nv.info and .nv.info.<kernel> of ELF cubins.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "toolchain/cubin/elf_file.h"
#include "toolchain/cubin/limits.h"
#include "toolchain/cubin/module.h"

namespace gt200::cubin {

struct texture_slot {
  std::uint32_t symbol = 0;  // index, not checked
  std::uint32_t unit = 0;
};

struct stack_need {
  std::uint32_t symbol = 0;  // of the kernel; index, not checked
  std::uint32_t bytes = 0;
};

struct elf_info {
  std::vector<parameter> parameters;  // by ordinal
  std::uint32_t parameter_bytes = 0;
  std::uint32_t parameter_base = 0;  // in constant space 0
  std::vector<texture_slot> textures;
  std::vector<stack_need> stacks;  // local memory of kernels
  std::array<std::uint32_t, 3> largest_block = {};
  std::array<std::uint32_t, 3> required_block = {};
};

// Skips unknown attributes. Throws input_error for a record that leaves the section, and parameters that are
// missing or out of range.
elf_info read_elf_info(const elf_file& file, const elf_section& section, const architecture& generation);

// Section for parameters in shared memory.
std::string write_parameters_info(const std::vector<parameter>& parameters);
// Section for parameters in constant space 0 from byte `base` on; `section` is the symbol of that space.
std::string write_constant_parameters_info(const std::vector<parameter>& parameters, std::uint32_t base,
                                           std::uint32_t section);
std::string write_stacks_info(const std::vector<stack_need>& stacks);
std::string write_textures_info(const std::vector<texture_slot>& textures);
// The bounds of its blocks, if it has some.
std::string write_block_info(const kernel& k);

// Appends a little-endian number.
void append_number(std::string& bytes, std::uint64_t value, unsigned size);

}  // namespace gt200::cubin
