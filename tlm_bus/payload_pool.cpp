#include "tlm_bus/payload_pool.h"

#include <stdexcept>

namespace gt200::tlm_bus {

memory_payload::memory_payload(tlm::tlm_mm_interface& pool) : tlm::tlm_generic_payload(&pool) {
  set_extension(&extension_);
}

memory_payload::~memory_payload() {
  clear_extension(&extension_);  // it is a member: the base class must not free it
}

void memory_payload::prepare(tlm::tlm_command command, std::uint64_t address, unsigned bytes) {
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

void memory_payload::use_byte_enables() {
  enables_.fill(0);
  set_byte_enable_ptr(enables_.data());
  set_byte_enable_length(get_data_length());
}

payload_pool::~payload_pool() = default;

memory_payload& payload_pool::get() {
  if (free_.empty()) {
    all_.push_back(std::make_unique<memory_payload>(*this));
    free_.reserve(all_.size());
    free_.push_back(all_.back().get());
  }
  memory_payload* p = free_.back();
  free_.pop_back();
  p->extension() = memory_extension();  // nothing of the last use may leak into the next
  p->acquire();
  return *p;
}

void payload_pool::free(tlm::tlm_generic_payload* payload) {
  payload->reset();  // removes what foreign components have attached with set_auto_extension()
  free_.push_back(static_cast<memory_payload*>(payload));
}

}  // namespace gt200::tlm_bus
