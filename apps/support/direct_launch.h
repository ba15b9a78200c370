// A launch given on the command line, for programs without a launch description: one grid and its arguments.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "toolchain/cubin/module.h"
#include "toolchain/launch/description.h"

namespace CLI {
class App;
}

namespace gt200::apps {

struct direct_launch_options {
  std::string grid = "1";
  std::string block;                   // empty: there is no direct launch
  std::vector<std::string> arguments;  // [NAME:]TYPE=VALUE or [NAME:]TYPE[COUNT][=CONTENT]
  std::string entry;                   // empty: the only kernel
  std::uint32_t shared = 0;            // bytes

  bool given() const { return !block.empty(); }
};

void add_direct_launch_options(CLI::App& command, direct_launch_options& options);

// The launch description these options stand for. Buffers without a name are called arg0, arg1 ... by their place.
// Throws input_error that says which option is wrong.
launch::description describe_launch(const direct_launch_options& options, const std::string& source,
                                    const cubin::module& module, std::optional<std::uint32_t> seed);

}  // namespace gt200::apps
