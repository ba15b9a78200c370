#include "cuda/worker/program.h"

#include <algorithm>

#include "toolchain/cuda/container.h"
#include "toolchain/error.h"
#include "toolchain/ptx/compile.h"

namespace gt200::cudart {

program load_program(std::string_view container, unsigned capability, heap& memory) {
  const cuda::container content = cuda::unpack(container);
  ptx::compile_options options;
  options.ignore_nearest = true;
  options.generated = true;
  options.contract = content.contract;
  options.max_registers = content.max_registers;
  options.capability = capability;
  program code;
  code.module = ptx::compile(content.ptx, content.source_file, options);
  for (const cubin::global_variable& variable : code.module.globals) {
    std::uint32_t address = 0;
    if (!memory.allocate(heap::kind::linear, std::max(variable.size, 1u), address))
      throw input_error(content.source_file, 0, "no room in device memory for '" + variable.name + "'");
    code.addresses[variable.name] = address;
  }
  for (const cubin::relocation& entry : code.module.relocations) {
    const std::uint32_t address = code.addresses.at(entry.name);
    if (code.relocations.size() < entry.offset + 4) code.relocations.resize(entry.offset + 4, 0);
    for (std::size_t i = 0; i < 4; ++i)
      code.relocations[entry.offset + i] = static_cast<std::uint8_t>(address >> (8 * i));
  }
  return code;
}

cubin::constant_segment* find_constant(program& code, const std::string& name) {
  const auto found = std::find_if(code.module.constants.begin(), code.module.constants.end(),
                                  [&](const cubin::constant_segment& c) { return c.name == name; });
  return found == code.module.constants.end() ? nullptr : &*found;
}

}  // namespace gt200::cudart
