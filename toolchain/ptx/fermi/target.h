// The PTX compiler for sm_20.
#pragma once

#include "toolchain/ptx/target.h"

namespace gt200::ptx::fermi {

const target& compiler();

}  // namespace gt200::ptx::fermi
