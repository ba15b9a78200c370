#include <CLI/CLI.hpp>

#include <cstdio>
#include <string>
#include <vector>

#include "apps/commands/commands.h"
#include "cuda/nvcc/compiler.h"
#include "gt200/version.h"

namespace gt200::apps {

namespace {

// Build systems look for the release of CUDA behind the word.
constexpr const char* version_line = "gt200 nvcc " GT200_VERSION ", CUDA compilation tools, release 4.2, V4.2.0";

bool compile(const std::vector<std::string>& words) {
  const cuda::nvcc_options options = cuda::parse_nvcc(words);
  if (!options.version) return cuda::run_nvcc(options) == 0;
  std::printf("%s\n", version_line);
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
