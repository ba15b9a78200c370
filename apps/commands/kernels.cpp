// gt200 kernels: those that can be run by name.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>

#include "apps/commands/commands.h"
#include "apps/support/kernels.h"
#include "toolchain/error.h"

namespace gt200::apps {

void add_kernels(CLI::App& program, action& chosen) {
  auto* command = program.add_subcommand("kernels", "list the kernels that come with the program and run by name");
  command->callback([&chosen] {
    chosen = [] {
      const std::vector<known_kernel> kernels = known_kernels();
      if (kernels.empty())
        throw input_error("there is no folder 'kernels' beside the program or in its source tree");
      std::size_t width = 0;
      for (const known_kernel& k : kernels) width = std::max(width, k.name.size());
      for (const known_kernel& k : kernels) std::cout << fmt::format("{:<{}}  {}\n", k.name, width, k.about);
      return exit_code::ok;
    };
  });
}

}  // namespace gt200::apps
