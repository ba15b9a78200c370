// The PTX compiler for sm_10 to sm_13.
#pragma once

#include "toolchain/ptx/target.h"

namespace gt200::ptx::tesla {

const target& compiler();

}  // namespace gt200::ptx::tesla
