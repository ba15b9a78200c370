#include <filesystem>
#include <memory>
#include <sstream>
#include <string>

#include "apps/commands/commands.h"
#include "apps/support/output_file.h"
#include "toolchain/assembler/program.h"
#include "toolchain/cubin/elf_writer.h"
#include "toolchain/cubin/text_writer.h"

namespace gt200::apps {
namespace {

struct asm_options {
  std::string source;
  std::string output;
  std::string format = "elf";
};

exit_code assemble(const asm_options& options) {
  const cubin::module module = program::load(options.source);
  std::ostringstream content;
  if (options.format == "text")
    cubin::write_text_cubin(module, content);
  else
    cubin::write_elf_cubin(module, content);
  const std::string output = options.output.empty()
                                 ? std::filesystem::path(options.source).replace_extension(".cubin").string()
                                 : options.output;
  write_file(output, content.str());
  return exit_code::ok;
}

}  // namespace

void add_asm(CLI::App& program, action& chosen) {
  auto* command = program.add_subcommand("asm", "assemble a program into a cubin, or convert one");
  const auto options = std::make_shared<asm_options>();
  command->add_option("source", options->source, "assembly source, listing, or cubin")
      ->required()
      ->type_name("FILE");
  command->add_option("-o,--output", options->output, "cubin to write; default: the source's name with .cubin")
      ->type_name("FILE");
  command->add_option("--format", options->format, "container: elf (CUDA 3.0 and later) or text (CUDA 1.x to 2.x)")
      ->check(CLI::IsMember({"elf", "text"}))
      ->capture_default_str();
  command->callback([&chosen, options] { chosen = [options] { return assemble(*options); }; });
}

}  // namespace gt200::apps
