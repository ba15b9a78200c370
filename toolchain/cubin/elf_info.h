// The attribute lists .nv.info and .nv.info.<kernel> of ELF cubins.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "toolchain/cubin/elf_file.h"
#include "toolchain/cubin/module.h"

namespace gt200::cubin {

struct texture_slot {
  std::uint32_t symbol = 0;  // index, not checked
  std::uint32_t unit = 0;
};

struct elf_info {
  std::vector<parameter> parameters;  // by ordinal
  std::uint32_t parameter_bytes = 0;
  std::vector<texture_slot> textures;
};

// Skips unknown attributes. Throws input_error for a record that leaves the section, and parameters that are
// missing or out of range.
elf_info read_elf_info(const elf_file& file, const elf_section& section);

std::string write_parameters_info(const std::vector<parameter>& parameters);
std::string write_textures_info(const std::vector<texture_slot>& textures);

// Appends a little-endian number.
void append_number(std::string& bytes, std::uint64_t value, unsigned size);

}  // namespace gt200::cubin
