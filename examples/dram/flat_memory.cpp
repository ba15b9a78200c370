#include "flat_memory.h"

#include <cstring>

flat_memory::flat_memory(const sc_core::sc_module_name& name, std::uint64_t bytes, const sc_core::sc_time& latency,
                         double bytes_per_ns)
    : sc_core::sc_module(name), socket("socket"), content_(bytes), latency_(latency), bytes_per_ns_(bytes_per_ns) {
  socket.register_b_transport(this, &flat_memory::b_transport);
  socket.register_transport_dbg(this, &flat_memory::transport_dbg);
}

void flat_memory::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const unsigned moved = transport_dbg(payload);
  payload.set_response_status(moved == 0 ? tlm::TLM_ADDRESS_ERROR_RESPONSE : tlm::TLM_OK_RESPONSE);
  bytes_moved_ += moved;
  delay += latency_ + sc_core::sc_time(moved / bytes_per_ns_, sc_core::SC_NS);
}

unsigned flat_memory::transport_dbg(tlm::tlm_generic_payload& payload) {
  const std::uint64_t address = payload.get_address();
  const unsigned length = payload.get_data_length();
  if (length > content_.size() || address > content_.size() - length) return 0;
  unsigned char* const memory = content_.data() + address;
  const unsigned char* const enables = payload.get_byte_enable_ptr();
  if (payload.is_read()) {
    std::memcpy(payload.get_data_ptr(), memory, length);
  } else if (enables == nullptr) {
    std::memcpy(memory, payload.get_data_ptr(), length);
  } else {
    for (unsigned i = 0; i < length; ++i)
      if (enables[i % payload.get_byte_enable_length()] != 0) memory[i] = payload.get_data_ptr()[i];
  }
  return length;
}
