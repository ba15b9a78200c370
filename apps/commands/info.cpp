#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <memory>
#include <string>

#include "apps/commands/commands.h"
#include "toolchain/assembler/code_walk.h"
#include "toolchain/assembler/program.h"

namespace gt200::apps {
namespace {

std::size_t instructions_in(const cubin::kernel& kernel) {
  std::size_t count = 0;
  assembler::walk_code(kernel.code, [&](const assembler::code_step&) { ++count; });
  return count;
}

std::string bytes(std::uint64_t count) { return fmt::format("{} byte{}", count, count == 1 ? "" : "s"); }

std::string describe(const cubin::kernel& kernel) {
  std::string text = fmt::format("kernel {}\n", kernel.name);
  text +=
      fmt::format("  code        {}, {} instructions\n", bytes(4 * kernel.code.size()), instructions_in(kernel));
  text += fmt::format("  registers   {} per thread\n", kernel.registers);
  text += fmt::format("  shared      {} per block (16 header, parameters, static)\n", bytes(kernel.shared_bytes));
  if (kernel.local_bytes != 0) text += fmt::format("  local       {} per thread\n", bytes(kernel.local_bytes));
  if (kernel.barriers != 0) text += fmt::format("  barriers    up to number {}\n", kernel.barriers);
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
    text += fmt::format("  parameter {} {} at s[0x{:x}]\n", i + 1, bytes(kernel.parameters[i].size),
                        0x10 + kernel.parameters[i].offset);
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
  for (const cubin::kernel& k : module.kernels) text += describe(k);
  return text;
}

}  // namespace

void add_info(CLI::App& program, action& chosen) {
  auto* command = program.add_subcommand("info", "what a program contains and what its kernels need");
  const auto file = std::make_shared<std::string>();
  command->add_option("program", *file, "program (cubin, listing, assembly source)")->required()->type_name("FILE");
  command->callback([&chosen, file] {
    chosen = [file] {
      std::cout << describe(program::load(*file));
      return exit_code::ok;
    };
  });
}

}  // namespace gt200::apps
