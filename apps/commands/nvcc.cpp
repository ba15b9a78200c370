#include <CLI/CLI.hpp>

#include <string>
#include <vector>

#include "apps/commands/commands.h"
#include "cuda/nvcc/compiler.h"

namespace gt200::apps {

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
    chosen = [words] {
      return cuda::run_nvcc(cuda::parse_nvcc(words)) == 0 ? exit_code::ok : exit_code::bad_input;
    };
  });
}

}  // namespace gt200::apps
