// Moves the data of a transaction between a buffer and a memory. Byte enables work as TLM-2.0 defines them.
#pragma once

#include <cstdint>
#include <tlm>

namespace gt200::model {

// `memory` has load(offset, to, bytes) and store(offset, from, bytes, enables); [offset, offset + bytes) lies
// within it. `enables` is null or has `pattern` bytes.
template <class Memory>
void move_data(Memory& memory, bool write, std::uint64_t offset, std::uint8_t* data, unsigned bytes,
               const std::uint8_t* enables, unsigned pattern) {
  if (enables == nullptr || (write && pattern >= bytes)) {
    if (write)
      memory.store(offset, data, bytes, enables);
    else
      memory.load(offset, data, bytes);
    return;
  }
  for (unsigned i = 0; i < bytes; ++i) {  // a masked read, or a pattern of enables that repeats
    if (enables[i % pattern] == 0) continue;
    if (write)
      memory.store(offset + i, data + i, 1, nullptr);
    else
      memory.load(offset + i, data + i, 1);
  }
}

// The same for a payload. Sets the response status.
template <class Memory>
void access_memory(Memory& memory, tlm::tlm_generic_payload& payload) {
  if (payload.is_read() || payload.is_write())
    move_data(memory, payload.is_write(), payload.get_address(), payload.get_data_ptr(), payload.get_data_length(),
              payload.get_byte_enable_ptr(), payload.get_byte_enable_length());
  payload.set_response_status(tlm::TLM_OK_RESPONSE);
}

}  // namespace gt200::model
