#include "apps/support/cubin_output.h"

#include <CLI/CLI.hpp>
#include <filesystem>
#include <sstream>

#include "apps/support/command_files.h"
#include "toolchain/cubin/elf_writer.h"
#include "toolchain/cubin/limits.h"
#include "toolchain/cubin/text_writer.h"
#include "toolchain/error.h"
#include "toolchain/output_file.h"

namespace gt200::apps {

void cubin_output::add_options(CLI::App& command) {
  command.add_option("-o,--output", file, "cubin to write; default: the source's name with .cubin")
      ->type_name("FILE");
  command.add_option("--format", format, "container: elf (CUDA 3.0 and later) or text (CUDA 1.x to 2.x)")
      ->check(CLI::IsMember({"elf", "text"}))
      ->capture_default_str();
}

void cubin_output::write(const cubin::module& module, const std::string& source) const {
  const std::string target =
      file.empty() ? std::filesystem::path(source).replace_extension(".cubin").string() : file;
  command_files files;
  files.reads(source);
  files.writes("--output", target);
  files.check();
  std::ostringstream content;
  if (format == "text" && module.capability >= cubin::fermi.first_sm)
    throw input_error(source, 0, "text cubins hold code for sm_10 to sm_13; write an ELF cubin");
  if (format == "text")
    cubin::write_text_cubin(module, content);
  else
    cubin::write_elf_cubin(module, content);
  write_file(target, content.str());
}

}  // namespace gt200::apps
