#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "apps/commands/commands.h"
#include "apps/support/config_files.h"
#include "apps/support/load_program.h"
#include "apps/support/module_list.h"
#include "sc_models/config/load.h"
#include "sc_models/config/peaks.h"
#include "sc_models/distribution/occupancy.h"
#include "toolchain/assembler/code_walk.h"
#include "toolchain/cubin/limits.h"
#include "toolchain/launch/abi.h"

namespace gt200::apps {
namespace {

// Fermi or later.
bool is_fermi(const cubin::module& module) { return module.capability >= cubin::fermi.first_sm; }
bool is_volta(const cubin::module& module) { return module.capability >= cubin::volta.first_sm; }

std::size_t instructions_in(const cubin::kernel& kernel, const cubin::module& module) {
  if (is_volta(module)) return kernel.code.size() / 4;
  if (is_fermi(module)) return kernel.code.size() / 2;
  std::size_t count = 0;
  assembler::walk_code(kernel.code, [&](const assembler::code_step&) { ++count; });
  return count;
}

std::string bytes(std::uint64_t count) { return fmt::format("{} byte{}", count, count == 1 ? "" : "s"); }

std::string describe(const cubin::kernel& kernel, const cubin::module& module) {
  const bool fermi = is_fermi(module);
  std::string text = fmt::format("kernel {}\n", kernel.name);
  text += fmt::format("  code        {}, {} instructions\n", bytes(4 * kernel.code.size()),
                      instructions_in(kernel, module));
  text += fmt::format("  registers   {} per thread\n", kernel.registers);
  text += fmt::format("  shared      {} per block ({})\n", bytes(kernel.shared_bytes),
                      fermi ? "static" : "16 header, parameters, static");
  if (kernel.local_bytes != 0) text += fmt::format("  local       {} per thread\n", bytes(kernel.local_bytes));
  if (kernel.barriers != 0)
    text += fmt::format("  barriers    {}{}\n", fermi ? "" : "up to number ", kernel.barriers);
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
    text += fmt::format(
        "  parameter {} {} at {}[0x{:x}]\n", i + 1, bytes(kernel.parameters[i].size), fermi ? "c0" : "s",
        (fermi ? kernel.parameter_base : launch::shared_header_bytes) + kernel.parameters[i].offset);
  for (const cubin::constant_segment& c : kernel.constants)
    text += fmt::format("  constants   {} in c{} from 0x{:x}\n", bytes(c.size), c.space, c.offset);
  return text;
}

std::string describe(const cubin::module& module) {
  std::string text = fmt::format("{}: compute capability {}.{}\n", module.source_file, module.capability / 10,
                                 module.capability % 10);
  for (const cubin::constant_segment& c : module.constants)
    text += fmt::format("constant {}  {} in c{} from 0x{:x}\n", c.name, bytes(c.size), c.space, c.offset);
  for (const cubin::global_variable& g : module.globals)
    text += fmt::format("global {}  {}, aligned to {}\n", g.name, bytes(g.size), g.alignment);
  for (const cubin::sampler& s : module.samplers)
    text += fmt::format("texture {}  unit {}\n", s.name, s.texture_unit);
  for (const cubin::kernel& k : module.kernels) text += describe(k, module);
  return text;
}

// How many blocks of a kernel an SM holds, by block size, and which limit stops more.
std::string occupancy_table(const cubin::kernel& kernel, bool fermi, const config::limits_config& limits,
                            const std::vector<std::uint32_t>& block_sizes, std::uint32_t dynamic_shared) {
  std::string text = "  threads per block   blocks per SM   warps per SM   limited by\n";
  for (const std::uint32_t threads : block_sizes) {
    if (threads > limits.threads_per_block) continue;
    model::grid_descriptor grid;
    grid.block[0] = threads;
    grid.registers = kernel.registers;
    grid.barriers = kernel.barriers;
    grid.shared_bytes = std::max(kernel.shared_bytes, fermi ? 0 : launch::shared_header_bytes) + dynamic_shared;
    const model::occupancy fit = model::blocks_per_sm(limits, grid);
    const std::uint32_t warps = fit.blocks_per_sm * grid.warps_per_block();
    text += fmt::format(
        "  {:>17}   {:>13}   {:>12}   {}\n", threads, fit.blocks_per_sm,
        fmt::format("{} ({:.0f} %)", warps, 100.0 * warps / limits.warps),
        fmt::format("{}: a block takes {} of {}", model::name_of(fit.limited_by), fit.needed, fit.available));
  }
  return text;
}

std::string describe(const config::gpu_config& config, const std::string& name) {
  std::string text = fmt::format("chip {}: {} SMs, compute capability {}.{}\n", name, config.chip.sms(),
                                 config.chip.capability() / 10, config.chip.capability() % 10);
  const auto giga = [](double peak) { return fmt::format(peak < 1e9 ? "{:.3g}" : "{:.1f}", peak * 1e-9); };
  text += fmt::format("  peaks       {} GFLOP/s of single-precision MAD", giga(config::peak_single_flops(config)));
  if (config.chip.capability() >= 13)
    text += fmt::format(", {} of double-precision FMA", giga(config::peak_double_flops(config)));
  text += fmt::format("; DRAM {} GB/s\n", giga(config::peak_dram_bytes_per_second(config)));
  const config::limits_config& l = config.tpc.sm.limits;
  text +=
      fmt::format("  an SM holds {} warps, {} threads, {} blocks, {} registers, {} of shared memory, {} barriers\n",
                  l.warps, l.threads, l.blocks, l.registers, bytes(l.shared_bytes), l.barriers);
  return text;
}

struct info_options {
  std::string program;
  std::string config;  // empty: one that runs the program
  std::vector<std::string> overrides;
  std::vector<std::uint32_t> block_sizes = {32, 64, 128, 192, 256, 384, 512, 768, 1024};
  std::uint32_t dynamic_shared = 0;
  std::string modules;  // pattern; empty = none are listed
};

bool can_run(const config::gpu_config& config, const cubin::module& module) {
  return &cubin::architecture_of_sm(config.chip.capability()) == &cubin::architecture_of_sm(module.capability);
}

std::string preset_for(const cubin::module& module) {
  return is_volta(module) ? "v100" : is_fermi(module) ? "gtx480" : default_config;
}

exit_code info(const info_options& options) {
  std::string name = options.config.empty() ? default_config : options.config;
  config::gpu_config config = config::load(find_config(name), options.overrides).values;
  if (!options.modules.empty()) std::cout << module_list(config, options.modules);
  if (options.program.empty()) return exit_code::ok;
  const cubin::module module = load_program(options.program, config.chip.capability());
  if (options.config.empty() && !can_run(config, module)) {
    name = preset_for(module);
    config = config::load(find_config(name), options.overrides).values;
  }
  std::cout << describe(module) << describe(config, name);
  if (!can_run(config, module)) {
    std::cout << "  it does not execute the machine code of this program\n";
    return exit_code::ok;
  }
  for (const cubin::kernel& kernel : module.kernels)
    std::cout << fmt::format("occupancy of {}\n", kernel.name)
              << occupancy_table(kernel, is_fermi(module), config.tpc.sm.limits, options.block_sizes,
                                 options.dynamic_shared);
  return exit_code::ok;
}

}  // namespace

void add_info(CLI::App& program, action& chosen) {
  auto* command = program.add_subcommand(
      "info",
      "what a program contains, what its kernels need, and how many blocks an SM holds; the modules of a chip");
  const auto options = std::make_shared<info_options>();
  command->add_option("program", options->program, "program (cubin, listing, assembly source, PTX)")
      ->type_name("FILE");
  command
      ->add_option("--config", options->config,
                   "configuration of the chip: file or preset; default: gt200, or gtx480 or v100 for their code")
      ->type_name("FILE");
  command->add_option("--set", options->overrides, "key=value that overrides the configuration; repeatable")
      ->type_name("KEY=VALUE")
      ->allow_extra_args(false);
  command->add_option("--block", options->block_sizes, "threads per block, several divided by commas")
      ->type_name("N,...")
      ->delimiter(',')
      ->check(CLI::Range(1, 2048));
  command->add_option("--dynamic-shared", options->dynamic_shared, "bytes of shared memory given at the launch")
      ->type_name("BYTES")
      ->check(CLI::Range(0, 1 << 20));
  command
      ->add_option("--modules", options->modules,
                   "lists the modules of the chip whose paths match, with their sockets")
      ->type_name("GLOB");
  command->callback([&chosen, options] {
    if (options->program.empty() && options->modules.empty()) throw CLI::RequiredError("program or --modules");
    chosen = [options] { return info(*options); };
  });
}

}  // namespace gt200::apps
