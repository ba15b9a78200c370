// Moves the data of a transaction between its payload and a memory. Byte enables work as TLM-2.0 defines them.
#pragma once

#include <cstdint>
#include <tlm>

namespace gt200::model {

// `memory` has load(offset, to, bytes) and store(offset, from, bytes, enables); the transaction's address lies
// within it. Sets the response status.
template <class Memory>
void access_memory(Memory& memory, tlm::tlm_generic_payload& payload) {
  const std::uint64_t offset = payload.get_address();
  const unsigned bytes = payload.get_data_length();
  std::uint8_t* data = payload.get_data_ptr();
  const std::uint8_t* enables = payload.get_byte_enable_ptr();
  const unsigned pattern = payload.get_byte_enable_length();
  if (enables == nullptr || (payload.is_write() && pattern >= bytes)) {
    if (payload.is_read()) memory.load(offset, data, bytes);
    if (payload.is_write()) memory.store(offset, data, bytes, enables);
  } else {  // a masked read, or a pattern of enables that repeats
    for (unsigned i = 0; i < bytes; ++i) {
      if (enables[i % pattern] == 0) continue;
      if (payload.is_read()) memory.load(offset + i, data + i, 1);
      if (payload.is_write()) memory.store(offset + i, data + i, 1, nullptr);
    }
  }
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

}  // namespace gt200::model
