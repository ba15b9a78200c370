// The options and the report of the pass that makes warps share registers over time (toolchain/register_sharing).
#pragma once

#include <optional>
#include <string>

#include "toolchain/cubin/module.h"

namespace gt200::apps {

struct sharing_request {
  std::optional<unsigned> base;  // registers that a warp keeps; none: as many as occupancy suggests
  unsigned block_threads = 256;  // of the launch for which occupancy is counted
  std::string config = "gt200";  // the chip whose limits count
};

// Rewrites the kernels of the module; returns a line for each. `source` is for messages. Throws input_error if a
// kernel cannot keep the given number of registers, naming it and the reason.
std::string share_registers(cubin::module& module, const sharing_request& request, const std::string& source);

}  // namespace gt200::apps
