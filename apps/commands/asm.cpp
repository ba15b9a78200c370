#include <filesystem>
#include <memory>
#include <sstream>
#include <string>

#include "apps/commands/commands.h"
#include "apps/support/output_file.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/cubin/text_writer.h"

namespace gt200::apps {
namespace {

struct asm_options {
  std::string source;
  std::string output;
};

exit_code assemble(const asm_options& options) {
  const cubin::module module = assembler::assemble_file(options.source);
  std::ostringstream text;
  cubin::write_text_cubin(module, text);
  const std::string output = options.output.empty()
                                 ? std::filesystem::path(options.source).replace_extension(".cubin").string()
                                 : options.output;
  write_file(output, text.str());
  return exit_code::ok;
}

}  // namespace

void add_asm(CLI::App& program, action& chosen) {
  auto* command = program.add_subcommand("asm", "assemble a program into a cubin");
  const auto options = std::make_shared<asm_options>();
  command->add_option("source", options->source, "assembly source")->required()->type_name("FILE");
  command->add_option("-o,--output", options->output, "cubin to write; default: the source's name with .cubin")
      ->type_name("FILE");
  command->callback([&chosen, options] { chosen = [options] { return assemble(*options); }; });
}

}  // namespace gt200::apps
