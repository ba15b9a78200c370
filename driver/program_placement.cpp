#include "driver/program_placement.h"

#include <fmt/format.h>

#include <algorithm>

#include "toolchain/cubin/limits.h"
#include "toolchain/emulator/code_image.h"
#include "toolchain/error.h"
#include "toolchain/isa/tesla/codec.h"

namespace gt200::model {

namespace {

constexpr std::uint64_t boundary = 256;

constexpr std::uint64_t align(std::uint64_t address) { return (address + boundary - 1) / boundary * boundary; }

std::string capability_text(unsigned capability) { return fmt::format("{}.{}", capability / 10, capability % 10); }

std::vector<std::uint8_t> bytes_of(const std::vector<std::uint32_t>& words) {
  std::vector<std::uint8_t> bytes;
  bytes.reserve(words.size() * 4);
  for (const std::uint32_t word : words)
    for (unsigned i = 0; i < 4; ++i) bytes.push_back(static_cast<std::uint8_t>(word >> (8 * i)));
  return bytes;
}

}  // namespace

program_placement::program_placement(const config::memory_map_config& map, unsigned capability)
    : map_(map), capability_(capability), next_code_(map.code_base), next_constant_(map.constant_base) {}

// The generations have no instruction in common.
void program_placement::check_generation(const cubin::module& module) const {
  const auto name = [](unsigned capability) {
    return fmt::format("{} (sm_{})",
                       capability >= cubin::volta.first_sm   ? "Volta"
                       : capability >= cubin::fermi.first_sm ? "Fermi"
                                                             : "Tesla",
                       capability);
  };
  if (&cubin::architecture_of_sm(module.capability) != &cubin::architecture_of_sm(capability_))
    throw input_error(module.source_file, 0,
                      fmt::format("the program is machine code of {}, the chip executes that of {}",
                                  name(module.capability), name(capability_)));
}

// Checks the instructions first, because they show what the chip cannot do. Long instructions are at multiples of 8
// bytes, so the code is a sequence of long instructions and pairs of short ones. A second word is never taken for
// an instruction.
void program_placement::check_instructions(const cubin::module& module) const {
  for (const cubin::kernel& kernel : module.kernels) {
    const emulator::code_image code(kernel);
    for (std::uint32_t pc = 0; pc < code.bytes();) {
      const bool is_long = pc % 8 == 0 && isa::tesla::length_of(kernel.code[pc / 4]) == 8;
      const emulator::code_entry* entry = code.at(pc);
      if (entry != nullptr && entry->instruction.capability > capability_)
        throw input_error(
            module.source_file, code.line(pc),
            fmt::format("{}+{:#x}: '{}' needs compute capability {}, the chip has {}", kernel.name, pc,
                        isa::tesla::disassemble(entry->instruction), capability_text(entry->instruction.capability),
                        capability_text(capability_)));
      pc += is_long ? 8 : 4;
    }
  }
}

constant_binding program_placement::reserve_constants(std::uint32_t bytes) {
  const std::uint64_t address = align(next_constant_);
  if (address + bytes > map_.global_base)
    throw input_error(fmt::format("no room for {} bytes of constants", bytes));
  next_constant_ = address + bytes;
  return {address, bytes};
}

void program_placement::check_module(const cubin::module& module) const {
  check_generation(module);
  if (capability_ < cubin::fermi.first_sm) check_instructions(module);
  if (module.capability > capability_)
    throw input_error(module.source_file, 0,
                      fmt::format("the module needs compute capability {}, the chip has {}",
                                  capability_text(module.capability), capability_text(capability_)));
}

constant_binding program_placement::place_constants(const cubin::module& module, unsigned space,
                                                    const std::vector<std::uint8_t>& bytes,
                                                    std::vector<memory_image>& images) {
  if (bytes.empty()) return {};
  if (bytes == last_constants_.bytes(space)) return last_bindings_[space];
  const std::uint64_t address = align(next_constant_);
  if (address + bytes.size() > map_.global_base)
    throw input_error(module.source_file, 0, fmt::format("no room for {} bytes of c{}", bytes.size(), space));
  next_constant_ = address + bytes.size();
  images.push_back({address, bytes});
  return {address, static_cast<std::uint32_t>(bytes.size())};
}

std::vector<memory_image> program_placement::add(const cubin::module& module,
                                                 const std::vector<std::uint8_t>& relocations) {
  check_module(module);
  std::vector<memory_image> images;
  // The host may change the constants of a module: other modules have their own.
  last_constants_ = {};
  last_bindings_ = {};
  for (const cubin::kernel& kernel : module.kernels) {
    placed_kernel placed;
    placed.kernel = &kernel;
    placed.code_base = align(next_code_);
    placed.code_bytes = static_cast<std::uint32_t>(kernel.code.size() * 4);
    if (placed.code_base + placed.code_bytes > map_.constant_base)
      throw input_error(module.source_file, 0,
                        fmt::format("no room for the {} bytes of code of '{}'", placed.code_bytes, kernel.name));
    next_code_ = placed.code_base + placed.code_bytes;
    images.push_back({placed.code_base, bytes_of(kernel.code)});

    emulator::constant_memory constants(module, kernel, relocations);
    for (unsigned space = 0; space < placed.constants.size(); ++space)
      placed.constants[space] = place_constants(module, space, constants.bytes(space), images);
    last_constants_ = std::move(constants);
    last_bindings_ = placed.constants;
    kernels_.push_back(placed);
  }
  return images;
}

const placed_kernel* program_placement::find(const cubin::kernel* kernel) const {
  const auto found =
      std::find_if(kernels_.begin(), kernels_.end(), [&](const placed_kernel& p) { return p.kernel == kernel; });
  return found == kernels_.end() ? nullptr : &*found;
}

}  // namespace gt200::model
