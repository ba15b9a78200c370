// The sm_70 target of the PTX compiler.
#pragma once

#include "toolchain/ptx/target.h"

namespace gt200::ptx::volta {

const target& compiler();

}  // namespace gt200::ptx::volta
