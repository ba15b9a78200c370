#include <CLI/CLI.hpp>

#include <cstdio>
#include <string>
#include <vector>

#include "apps/commands/commands.h"
#include "cuda/nvcc/compiler.h"
#include "gt200/version.h"

namespace gt200::apps {

namespace {

// Build systems look for the name of the command line, and for the release of CUDA.
constexpr const char* version_text = "gt200 nvcc " GT200_VERSION
                                     ", which takes the command line of nvcc: NVIDIA (R) Cuda compiler driver\n"
                                     "Cuda compilation tools, release 12.2, V12.2.0";
constexpr const char* usage =
    "Usage: gt200 nvcc [options] files\nThe options are those of nvcc, and -cpu; docs/cuda.md lists them.";

bool compile(const std::vector<std::string>& words) {
  const cuda::nvcc_options options = cuda::parse_nvcc(words);
  if (!options.version && !options.help) return cuda::run_nvcc(options) == 0;
  std::printf("%s\n", options.help ? usage : version_text);
  return true;
}

}  // namespace

void add_nvcc(CLI::App& program, action& chosen) {
  auto* command = program.add_subcommand("nvcc", "compile CUDA programs with their host code, as nvcc does");
  command->prefix_command();
  command->footer(
      "Takes the options of nvcc: -c -o -I -D -O -arch -ptx -cubin -maxrregcount -l -L -Xcompiler ..., and -cpu, "
      "for\n"
      "code that runs on the processor of the host\n\n" +
      std::string(exit_code_help));
  command->callback([&chosen, command] {
    const std::vector<std::string> words = command->remaining();
    chosen = [words] { return compile(words) ? exit_code::ok : exit_code::bad_input; };
  });
}

}  // namespace gt200::apps
