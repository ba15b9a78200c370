// The host functions of all kernels, as the build found them. See toolchain/launch/host_functions.h.
#pragma once

#include "toolchain/launch/host_functions.h"

namespace gt200::kernels {

const launch::host_table& host_table();

}  // namespace gt200::kernels
