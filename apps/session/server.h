// Serves the commands of one session until it closes the connection.
#pragma once

#include <functional>

#include "apps/session/board.h"
#include "cuda/protocol/channel.h"

namespace gt200::session {

// `launch_begins` is called before every launch. A defect of the simulator (any exception but input_error) is
// answered with its message and thrown on.
void serve(cudart::channel& connection, board& device, const std::function<void()>& launch_begins);

}  // namespace gt200::session
