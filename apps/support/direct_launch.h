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
  bool warp_synchronous = false;

  bool given() const { return !block.empty(); }
};

inline constexpr const char* warp_synchronous_help =
    "kernels rely on the threads of a warp running together: they keep static warps where the chip forms others";

void add_direct_launch_options(CLI::App& command, direct_launch_options& options);

// The launch description these options stand for, as a file would have it. Throws as describe_launch().
std::string text_of_launch(const direct_launch_options& options, const std::string& source,
                           const cubin::module& module);
// The launch description these options stand for. Buffers without a name are called arg0, arg1 ... by their place.
// Throws input_error that says which option is wrong.
launch::description describe_launch(const direct_launch_options& options, const std::string& source,
                                    const cubin::module& module, std::optional<std::uint32_t> seed);

}  // namespace gt200::apps
