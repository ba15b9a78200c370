#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "apps/commands/commands.h"
#include "apps/support/cubin_output.h"
#include "toolchain/assembler/program.h"

namespace gt200::apps {
namespace {

struct asm_options {
  std::string source;
  cubin_output output;
};

exit_code assemble(const asm_options& options) {
  options.output.write(program::load(options.source), options.source);
  return exit_code::ok;
}

}  // namespace

void add_asm(CLI::App& program, action& chosen) {
  auto* command = program.add_subcommand("asm", "assemble a program into a cubin, or convert one");
  const auto options = std::make_shared<asm_options>();
  command->add_option("source", options->source, "assembly source, listing, or cubin")
      ->required()
      ->type_name("FILE");
  options->output.add_options(*command);
  command->callback([&chosen, options] { chosen = [options] { return assemble(*options); }; });
}

}  // namespace gt200::apps
