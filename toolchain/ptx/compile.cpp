#include "toolchain/ptx/compile.h"

#include <algorithm>
#include <filesystem>

#include "toolchain/error.h"
#include "toolchain/ptx/call_stack.h"
#include "toolchain/ptx/fermi/target.h"
#include "toolchain/ptx/parser.h"
#include "toolchain/ptx/pointer_parameters.h"
#include "toolchain/ptx/target.h"
#include "toolchain/ptx/tesla/target.h"
#include "toolchain/ptx/texture_objects.h"
#include "toolchain/ptx/volta/target.h"

namespace gt200::ptx {
namespace {

const target& target_of(unsigned capability) {
  return capability >= cubin::volta.first_sm   ? volta::compiler()
         : capability >= cubin::fermi.first_sm ? fermi::compiler()
                                               : tesla::compiler();
}

// The options with no more registers than the bounds of the kernel allow, if as many blocks shall fit into an SM.
compile_options within_bounds(compile_options options, const launch_bounds& bounds, const target& hardware,
                              std::uint32_t blocks) {
  options.max_registers =
      registers_within(bounds, hardware.registers(options.capability), blocks, options.max_registers);
  return options;
}

// A kernel for as many blocks in an SM as its bounds ask for, or for one if it cannot do with so few registers.
template <class compiler>
cubin::kernel with_blocks(std::uint32_t blocks, compiler compile_for) {
  try {
    return compile_for(blocks);
  } catch (const input_error&) {
    if (blocks == 1) throw;
  }
  return compile_for(1);
}

// "sm_13" and "compute_13" are below 20.
bool is_for_tesla(const std::string& target) {
  const std::size_t digits = target.find_first_of("0123456789");
  return digits != std::string::npos && target.size() == digits + 2 && target[digits] == '1';
}

}  // namespace

unsigned capability_of(const std::string& architecture) {
  return static_cast<unsigned>(std::stoul(architecture.substr(architecture.find('_') + 1)));
}

bool is_ptx(std::string_view content) {
  std::size_t at = 0;
  while (at < content.size()) {
    const char c = content[at];
    if (c == ' ' || c == '\t' || c == '\r' || c == '\n') {
      ++at;
    } else if (content.compare(at, 2, "//") == 0) {
      at = std::min(content.find('\n', at), content.size());
    } else {
      return content.compare(at, 9, ".version ") == 0 || content.compare(at, 9, ".version\t") == 0;
    }
  }
  return false;
}

cubin::module compile(std::string_view content, const std::string& file, const compile_options& wanted) {
  const target& hardware = target_of(wanted.capability);
  compile_options options = wanted;
  options.max_registers = std::min(options.max_registers, hardware.max_registers);
  const source_file source(file, content, options.generated);
  module_source parsed = parse(content, source);
  const module_source own = hardware.library();
  parsed.functions.insert(parsed.functions.end(), own.functions.begin(), own.functions.end());
  name_texture_objects(parsed);
  // Local memory is what the stack needs, and addresses of 64 bits are what its code computes with.
  if (options.capability >= cubin::fermi.first_sm && parsed.address_bytes == 8) put_calls_on_stack(parsed, source);
  cubin::module module;
  module.source_file = file;
  module.name = std::filesystem::path(file).stem().string();
  lowering_options lower;
  if (options.capability >= cubin::fermi.first_sm) module.address_bytes = parsed.address_bytes;
  lower.address_bytes = module.address_bytes;
  lower.flush_denormals = is_for_tesla(parsed.target);
  module_layout layout = lay_out_module(parsed, source, hardware.architecture, module);
  find_kept_pointers(parsed, hardware.windowless, layout);
  lower.ignore_nearest = options.ignore_nearest;
  lower.demote_f64 = parsed.demote_f64;
  for (const function& f : parsed.functions)
    if (f.is_entry && f.has_body) {
      try {
        const auto compiled_for = [&](std::uint32_t blocks) {
          return hardware.compile_kernel(f, layout, source, lower,
                                         within_bounds(options, f.bounds, hardware, blocks));
        };
        module.kernels.push_back(with_blocks(std::max(1u, f.bounds.blocks), compiled_for));
        cubin::kernel& compiled = module.kernels.back();
        compiled.largest_block = f.bounds.largest_block;
        compiled.required_block = f.bounds.required_block;
        compiled.pointers = pointer_parameters(f, compiled.parameters);
        if (options.types != nullptr) (*options.types)[f.name] = parameter_types_of(f);
      } catch (const input_error& error) {
        module.refused.push_back({f.name, error.what()});
      }
    }
  if (module.kernels.empty()) {
    if (module.refused.empty()) source.fail({}, "no .entry with a body");
    throw input_error(module.refused.front().reason);
  }
  if (options.notes != nullptr)
    for (const cubin::refused_kernel& k : module.refused)
      options.notes->push_back("kernel '" + k.name + "' is left out: " + k.reason);
  module.capability = hardware.needed_capability(module);
  return module;
}

std::string resource_report(const cubin::module& module) {
  std::string text;
  std::size_t constants = 0;
  for (const cubin::constant_segment& c : module.constants) constants += c.size;
  for (const cubin::kernel& k : module.kernels) {
    std::size_t literals = 0;
    for (const cubin::constant_segment& c : k.constants) literals += c.size;
    text += k.name + ": " + std::to_string(k.registers) + " registers, " + std::to_string(k.shared_bytes) +
            " bytes smem, " + std::to_string(k.local_bytes) + " bytes lmem, " + std::to_string(constants) +
            " bytes cmem[0], " + std::to_string(literals) + " bytes cmem[1], " + std::to_string(4 * k.code.size()) +
            " bytes of code\n";
  }
  return text;
}

}  // namespace gt200::ptx
