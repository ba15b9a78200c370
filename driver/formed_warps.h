// Which kernels can run where warps are formed anew (tpc.sm.warp_formation).
#pragma once

#include <string>

#include "toolchain/cubin/module.h"

namespace gt200 {

// Why a kernel of Tesla cannot: an instruction whose result depends on which threads share a warp. Empty: it can.
std::string needs_static_warps(const cubin::kernel& kernel);

}  // namespace gt200
