#include "cuda/worker/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "toolchain/assembler/code_walk.h"
#include "toolchain/cubin/load.h"
#include "toolchain/cuda/container.h"
#include "toolchain/cuda/link_ptx.h"
#include "toolchain/error.h"
#include "toolchain/launch/fermi/abi.h"
#include "toolchain/ptx/compile.h"

namespace gt200::cudart {

namespace {

bool is_container(std::string_view image) {
  cuda::container_head head = {};
  if (image.size() < sizeof head) return false;
  std::memcpy(&head, image.data(), sizeof head);
  return head.mark == cuda::container_mark;
}

cubin::module module_of(std::string_view image, const image_options& wanted, unsigned capability,
                        std::string& cpu_image) {
  ptx::compile_options options;
  options.capability = capability;
  if (is_container(image)) {
    // Relocatable ones come together, one behind the other.
    std::vector<cuda::container> contents;
    for (std::string_view rest = image; !rest.empty();) {
      cuda::container_head head = {};
      if (rest.size() >= sizeof head) std::memcpy(&head, rest.data(), sizeof head);
      const std::size_t bytes = std::min<std::size_t>(std::max<std::uint64_t>(head.bytes, 1), rest.size());
      contents.push_back(cuda::unpack(rest.substr(0, bytes)));
      rest.remove_prefix(bytes);
    }
    const cuda::container& content = contents.front();
    options.ignore_nearest = true;
    options.generated = true;
    options.contract = content.contract;
    options.max_registers = content.max_registers;
    const cuda::variant& code = cuda::variant_for(content, capability);
    cpu_image = code.cpu_image;
    if (content.relocatable) {
      std::vector<std::string> files;
      for (const cuda::container& c : contents) files.push_back(cuda::variant_for(c, capability).ptx);
      return ptx::compile(cuda::link_ptx(files), content.source_file, options);
    }
    try {
      return ptx::compile(code.ptx, content.source_file, options);
    } catch (const input_error& error) {  // nvcc has not tried the code that it adds for lower capabilities
      throw cuda::no_variant(fmt::format("there is no code for a device of compute capability {}.{}: {}",
                                         capability / 10, capability % 10, error.what()));
    }
  }
  if (ptx::is_ptx(image)) {
    if (wanted.max_registers != 0)
      options.max_registers = std::clamp(wanted.max_registers, 8u, options.max_registers);
    try {
      return ptx::compile(image, "PTX image", options);
    } catch (const input_error& error) {
      throw invalid_ptx(error.what());
    }
  }
  if (cubin::recognise(image) == cubin::container::unknown)
    throw input_error("module image", 0, "neither PTX (no .version at its start), a cubin, nor code of gt200 nvcc");
  cubin::module module = cubin::read_module(image, "cubin image");
  if (module.capability > capability ||
      &cubin::architecture_of_sm(module.capability) != &cubin::architecture_of_sm(capability))
    throw cuda::no_variant(
        "cubin image", 0,
        fmt::format("is for compute capability {}.{}, the device has {}.{}", module.capability / 10,
                    module.capability % 10, capability / 10, capability % 10));
  return module;
}

unsigned capability_of(const cubin::kernel& kernel) {
  unsigned highest = 0;
  assembler::walk_code(kernel.code, [&](const assembler::code_step& step) {
    if (step.instruction) highest = std::max<unsigned>(highest, step.instruction->capability);
  });
  return highest;
}

// A kernel of Tesla code that the device cannot run is refused when it is launched. The others run.
void refuse_impossible_kernels(cubin::module& module, unsigned capability) {
  if (module.capability <= capability) return;
  std::vector<cubin::kernel> possible;
  for (cubin::kernel& kernel : module.kernels) {
    if (const unsigned needed = capability_of(kernel); needed > capability)
      module.refused.push_back(
          {kernel.name, fmt::format("it needs compute capability {}.{}, the device has {}.{}", needed / 10,
                                    needed % 10, capability / 10, capability % 10)});
    else
      possible.push_back(std::move(kernel));
  }
  module.kernels = std::move(possible);
  module.capability = capability;
}

}  // namespace

program load_program(std::string_view image, const image_options& options, unsigned capability, heap& memory) {
  program code;
  code.module = module_of(image, options, capability, code.cpu_image);
  refuse_impossible_kernels(code.module, capability);
  for (const cubin::global_variable& variable : code.module.globals) {
    std::uint32_t address = 0;
    if (!memory.allocate(heap::kind::linear, std::max(variable.size, 1u), address))
      throw input_error(code.module.source_file, 0, "no room in device memory for '" + variable.name + "'");
    code.addresses[variable.name] = address;
  }
  code.relocations = launch::fermi::variable_addresses(
      code.module, [&code](const std::string& name) { return code.addresses.at(name); });
  return code;
}

cubin::constant_segment* find_constant(program& code, const std::string& name) {
  const auto found = std::find_if(code.module.constants.begin(), code.module.constants.end(),
                                  [&](const cubin::constant_segment& c) { return c.name == name; });
  return found == code.module.constants.end() ? nullptr : &*found;
}

}  // namespace gt200::cudart
