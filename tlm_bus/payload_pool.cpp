#include "tlm_bus/payload_pool.h"

#include <stdexcept>

namespace gt200::tlm_bus {

pooled_payload::pooled_payload(tlm::tlm_mm_interface& pool) : tlm::tlm_generic_payload(&pool) {}

pooled_payload::~pooled_payload() = default;

void pooled_payload::prepare(tlm::tlm_command command, std::uint64_t address, unsigned bytes) {
  if (bytes == 0 || bytes > max_transaction_bytes) throw std::logic_error("memory payload: bad transaction size");
  set_command(command);
  set_address(address);
  set_data_ptr(data_.data());
  set_data_length(bytes);
  set_streaming_width(bytes);
  set_byte_enable_ptr(nullptr);
  set_byte_enable_length(0);
  set_dmi_allowed(false);
  set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

void pooled_payload::use_byte_enables() {
  enables_.fill(0);
  set_byte_enable_ptr(enables_.data());
  set_byte_enable_length(get_data_length());
}

}  // namespace gt200::tlm_bus
