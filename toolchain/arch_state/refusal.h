// Why a chip may refuse an access that it knows, with some operands: fault_kind::unsupported.
#pragma once

#include <string>

#include "toolchain/isa/common/instruction.h"

namespace gt200::arch_state {

// Empty if the access is never refused. `atomics_on_shared`: shared memory has atomic operations by generic
// address.
inline std::string refusal_of_access(const isa::instruction& i, bool atomics_on_shared) {
  if (i.access.kind == isa::access_kind::texture)
    return "its lanes name different textures, or its texture is not of the kind that it reads";
  if (!i.access.generic) return {};
  const bool is_atomic = i.access.kind == isa::access_kind::atomic || i.access.kind == isa::access_kind::reduction;
  if (!is_atomic) return {};
  if (!atomics_on_shared) return "some lanes reach shared or local memory, which have no atomic operations";
  return "some lanes reach local memory, which has no atomic operations";
}

}  // namespace gt200::arch_state
