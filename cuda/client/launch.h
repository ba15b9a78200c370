// Launches, of either API.
#pragma once

#include <string>
#include <vector>

#include "cuda/client/state.h"

namespace gt200::cudart {

// The parameters of a kernel as it finds them, from a pointer to each.
std::vector<std::uint8_t> packed(const known_kernel& kernel, void* const* arguments);

// The device has accepted the launch when this returns.
cudaError_t launch(process_state& all, board& device, const std::string& name, const known_kernel& kernel,
                   const call_configuration& configuration, std::vector<std::uint8_t> parameters);

}  // namespace gt200::cudart
