// How much of the memory a transaction concerns.
#pragma once

#include "tlm_bus/memory_extension.h"

namespace gt200::tlm_bus {

// Bytes from its address on. Compare-and-swap carries two operands for one place, so the data may be longer.
inline unsigned bytes_of_memory(const tlm::tlm_generic_payload& payload) {
  const auto* extension = payload.get_extension<memory_extension>();
  if (extension == nullptr || extension->kind != memory_kind::atomic) return payload.get_data_length();
  return extension->wide ? 8 : 4;
}

}  // namespace gt200::tlm_bus
