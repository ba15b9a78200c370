#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "apps/commands/commands.h"
#include "apps/support/cubin_output.h"
#include "apps/support/register_sharing.h"
#include "toolchain/cubin/load.h"
#include "toolchain/cuda/compile.h"

namespace gt200::apps {
namespace {

struct compile_command {
  std::string source;
  cubin_output output;
  unsigned level = 2;
  bool no_mad = false;
  unsigned max_registers = ptx::compile_options{}.max_registers;
  std::string capability;
  std::string architecture;
  cuda::clang_options clang;
  bool shares_registers = false;
  std::string base;  // "true": by occupancy
  sharing_request sharing;
};

std::string share(const compile_command& command, cubin::module& module) {
  sharing_request request = command.sharing;
  if (command.base != "true") request.base = static_cast<unsigned>(std::stoul(command.base));
  return share_registers(module, request, command.source);
}

exit_code compile(const compile_command& command) {
  ptx::compile_options options;
  options.optimise = command.level != 0;
  options.contract = !command.no_mad;
  options.max_registers = command.max_registers;
  if (!command.capability.empty()) options.capability = 10 + static_cast<unsigned>(command.capability.back() - '0');
  if (!command.architecture.empty()) options.capability = ptx::capability_of(command.architecture);
  std::vector<std::string> notes;
  options.notes = &notes;
  cubin::module module = cuda::is_cuda(command.source)
                             ? cuda::compile(command.source, options, command.clang)
                             : ptx::compile(cubin::read_file(command.source), command.source, options);
  const std::string shared = command.shares_registers ? share(command, module) : std::string();
  command.output.write(module, command.source);
  std::cout << ptx::resource_report(module);
  std::cout << shared;
  for (const std::string& note : notes) std::cout << "note: " << note << "\n";
  return exit_code::ok;
}

}  // namespace

void add_compile(CLI::App& program, action& chosen) {
  auto* command =
      program.add_subcommand("compile", "compile PTX or CUDA C into a cubin and report what the kernels need");
  const auto options = std::make_shared<compile_command>();
  command->add_option("source", options->source, "PTX, or CUDA C (.cu, through clang)")
      ->required()
      ->type_name("FILE");
  options->output.add_options(*command);
  command->add_option("-O", options->level, "optimisation level: 0 or 2")
      ->check(CLI::IsMember({0, 2}))
      ->capture_default_str();
  command->add_flag("--no-mad", options->no_mad,
                    "keep products and sums apart; the multiply-add truncates the product");
  command
      ->add_option("--maxrregcount", options->max_registers,
                   "maximum registers per thread, if the chip has them; the rest is spilled to local memory")
      ->check(CLI::Range(8, 255))
      ->type_name("N")
      ->capture_default_str();
  // A bare flag has the value "true".
  auto* sharing =
      command
          ->add_flag("--regmutex", options->base,
                     "make warps share registers over time; =BASE: each keeps BASE registers, otherwise as "
                     "many as occupancy suggests")
          ->check(
              [](const std::string& text) { return text == "true" ? std::string() : CLI::Range(1, 127)(text); });
  command
      ->add_option("--block", options->sharing.block_threads, "threads of a block, for the occupancy of --regmutex")
      ->check(CLI::Range(1, 1024))
      ->needs(sharing)
      ->type_name("N")
      ->capture_default_str();
  auto* architecture =
      command
          ->add_option(
              "--arch", options->architecture,
              "the chip: sm_10 to sm_13 (default), where instructions it lacks are replaced if possible, sm_20 or "
              "sm_70")
          ->check(CLI::IsMember({"sm_10", "sm_11", "sm_12", "sm_13", "sm_20", "sm_70"}))
          ->type_name("ARCH");
  command->add_option("--capability", options->capability, "compute capability of a Tesla chip, for --arch")
      ->check(CLI::IsMember({"1.0", "1.1", "1.2", "1.3"}))
      ->type_name("X.Y")
      ->excludes(architecture);
  command
      ->add_option("--clang", options->clang.program,
                   "the clang for CUDA C; default: GT200_CLANG, else the newest of clang-19 to clang-14")
      ->type_name("PROGRAM");
  command->add_option("--pointers", options->clang.address_bits, "bits of a pointer in CUDA C: 32 or 64")
      ->check(CLI::IsMember({32, 64}))
      ->capture_default_str();
  command->callback([&chosen, options, sharing] {
    options->shares_registers = sharing->count() != 0;
    chosen = [options] { return compile(*options); };
  });
}

}  // namespace gt200::apps
