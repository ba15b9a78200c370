// The options of `asm` and `compile` for the cubin they write: its file and its container.
#pragma once

#include <string>

#include "toolchain/cubin/module.h"

namespace CLI {
class App;
}

namespace gt200::apps {

struct cubin_output {
  std::string file;  // empty: the source's name with .cubin
  std::string format = "elf";

  // Adds -o and --format.
  void add_options(CLI::App& command);
  // Throws input_error when the file cannot be written, and CLI::ValidationError when it is the source.
  void write(const cubin::module& module, const std::string& source) const;
};

}  // namespace gt200::apps
