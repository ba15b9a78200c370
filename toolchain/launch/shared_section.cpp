#include "toolchain/launch/shared_section.h"

#include <fmt/format.h>

#include "toolchain/error.h"
#include "toolchain/isa/tesla/codec.h"

namespace gt200::launch {
namespace {

// Tests the first word, in the control format: the primary opcodes 12 and 13.
bool may_be_section_instruction(std::uint32_t first_word) {
  return (first_word & 3) == 3 && (first_word >> 29 & 7) == 6;
}

}  // namespace

isa::section_request shared_section(const cubin::kernel& kernel) {
  isa::section_request found;
  for (std::size_t i = 0; i + 1 < kernel.code.size(); i += isa::tesla::length_of(kernel.code[i]) / 4) {
    if (!may_be_section_instruction(kernel.code[i])) continue;
    isa::tesla::decode_error error;
    const auto instruction = isa::tesla::decode(kernel.code[i], kernel.code[i + 1], error);
    if (!instruction || instruction->section.action == isa::section_action::none) continue;
    const isa::section_request& here = instruction->section;
    if (found.count == 0) found = here;
    if (here.first != found.first || here.count != found.count)
      throw input_error(fmt::format("kernel '{}': '{}' at {:#x} names other registers than the first of its kind",
                                    kernel.name, isa::tesla::disassemble(*instruction), 4 * i));
    if (here.first == 0 || here.first + here.count != kernel.registers)
      throw input_error(
          fmt::format("kernel '{}': '{}' at {:#x} does not name the last of the {} registers, and leave one",
                      kernel.name, isa::tesla::disassemble(*instruction), 4 * i, kernel.registers));
  }
  return found;
}

}  // namespace gt200::launch
