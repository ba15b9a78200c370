// Serves the commands of one CUDA program until it closes the connection.
#pragma once

#include "cuda/protocol/channel.h"
#include "cuda/worker/machine.h"

namespace gt200::cudart {

// Returns when the program is gone. A launch that runs then is ended by the stop flag, which `machine` has been
// given.
void serve(channel& program, machine& device);

}  // namespace gt200::cudart
