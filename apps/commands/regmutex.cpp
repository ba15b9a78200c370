#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <string>

#include "apps/commands/commands.h"
#include "apps/support/cubin_output.h"
#include "apps/support/register_sharing.h"
#include "toolchain/assembler/program.h"

namespace gt200::apps {
namespace {

struct regmutex_options {
  std::string source;
  unsigned base = 0;
  sharing_request sharing;
  cubin_output output;
};

exit_code share(regmutex_options options) {
  if (options.base != 0) options.sharing.base = options.base;
  cubin::module module = program::load(options.source);
  const std::string report = share_registers(module, options.sharing, options.source);
  options.output.write(module, options.source);
  std::cout << report;
  return exit_code::ok;
}

}  // namespace

void add_regmutex(CLI::App& program, action& chosen) {
  auto* command = program.add_subcommand(
      "regmutex", "rewrite machine code so that warps share registers over time (tpc.sm.register_file.sharing)");
  const auto options = std::make_shared<regmutex_options>();
  command->add_option("source", options->source, "cubin, assembly source or listing of sm_10 to sm_13")
      ->required()
      ->type_name("FILE");
  command
      ->add_option("--base", options->base, "registers that a warp keeps; default: as many as occupancy suggests")
      ->check(CLI::Range(1, 127))
      ->type_name("N");
  command->add_option("--block", options->sharing.block_threads, "threads of a block, for occupancy")
      ->check(CLI::Range(1, 1024))
      ->type_name("N")
      ->capture_default_str();
  command->add_option("--config", options->sharing.config, "the chip whose limits count")
      ->type_name("CONFIG")
      ->capture_default_str();
  options->output.add_options(*command);
  command->callback([&chosen, options] { chosen = [options] { return share(*options); }; });
}

}  // namespace gt200::apps
