// All of lowering. Included where a target's lowering is instantiated.
#pragma once

#include "toolchain/ptx/machine/lowering/atomic.h"
#include "toolchain/ptx/machine/lowering/bits.h"
#include "toolchain/ptx/machine/lowering/convert.h"
#include "toolchain/ptx/machine/lowering/double.h"
#include "toolchain/ptx/machine/lowering/float.h"
#include "toolchain/ptx/machine/lowering/integer.h"
#include "toolchain/ptx/machine/lowering/kernel.h"
#include "toolchain/ptx/machine/lowering/memory.h"
#include "toolchain/ptx/machine/lowering/move.h"
#include "toolchain/ptx/machine/lowering/operand.h"
#include "toolchain/ptx/machine/lowering/predicate.h"
#include "toolchain/ptx/machine/lowering/video.h"
#include "toolchain/ptx/machine/lowering/wide.h"
#include "toolchain/ptx/structure_declarations.h"
#include "toolchain/ptx/structure_flow.h"
#include "toolchain/ptx/structure_names.h"
