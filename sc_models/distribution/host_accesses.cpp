#include "sc_models/distribution/host_accesses.h"

#include <algorithm>

#include "sc_models/ids.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

host_accesses::host_accesses(tlm_bus::memory_initiator<gpu_memory_protocol>& port, unsigned at_a_time,
                             unsigned boundary)
    : port_(port), at_a_time_(at_a_time), boundary_(boundary), entries_(std::size_t{2} * at_a_time) {
  for (auto i = static_cast<unsigned>(entries_.size()); i > 0; --i) free_.push_back(i - 1);
}

void host_accesses::begin(tlm::tlm_generic_payload& access, std::uint64_t device_address) {
  const unsigned index = free_.back();
  free_.pop_back();
  entries_[index] = {&access, device_address, 0, 0, tlm::TLM_OK_RESPONSE};
  to_send_.push_back(index);
  ++under_way_[access.is_write() ? 1 : 0];
}

unsigned host_accesses::part_of(const entry& e) const {
  const auto to_border = static_cast<unsigned>(boundary_ - (e.address + e.sent) % boundary_);
  return std::min(e.access->get_data_length() - e.sent, to_border);
}

bool host_accesses::send() {
  if (to_send_.empty()) return false;
  if (!port_.can_request()) return false;  // the port wakes its owner
  const unsigned index = to_send_.front();
  entry& e = entries_[index];
  const unsigned bytes = part_of(e);
  memory_payload& part = pool_.get();
  part.prepare(e.access->get_command(), e.address + e.sent, bytes);
  if (e.access->is_write()) {
    std::copy_n(e.access->get_data_ptr() + e.sent, bytes, part.bytes());
    if (const std::uint8_t* const enables = e.access->get_byte_enable_ptr()) {
      part.use_byte_enables();
      for (unsigned i = 0; i < bytes; ++i)
        part.enables()[i] = enables[(e.sent + i) % e.access->get_byte_enable_length()];
    }
  }
  memory_extension& extension = part.extension();
  extension.transaction_id = id_base(id_kind::host, 0) + ++transactions_;
  extension.space = memory_space::host;
  extension.kind = e.access->is_write() ? memory_kind::store : memory_kind::load;
  extension.tag = index;
  e.sent += bytes;
  if (e.sent == e.access->get_data_length()) to_send_.pop_front();
  port_.request(part);
  return !to_send_.empty();
}

tlm::tlm_generic_payload* host_accesses::receive() {
  if (port_.response() == nullptr) return nullptr;
  tlm::tlm_generic_payload& part = port_.take_response();
  const unsigned index = extension_of(part)->tag;
  entry& e = entries_[index];
  const unsigned bytes = part.get_data_length();
  if (!part.is_response_ok()) {
    e.status = part.get_response_status();
  } else if (part.is_read()) {
    const auto offset = static_cast<unsigned>(part.get_address() - e.address);
    const std::uint8_t* const enables = e.access->get_byte_enable_ptr();
    for (unsigned i = 0; i < bytes; ++i)
      if (enables == nullptr || enables[(offset + i) % e.access->get_byte_enable_length()] != 0)
        e.access->get_data_ptr()[offset + i] = part.get_data_ptr()[i];
  }
  part.release();
  e.answered += bytes;
  tlm::tlm_generic_payload& access = *e.access;
  if (e.answered != access.get_data_length()) return nullptr;
  access.set_response_status(e.status);
  --under_way_[access.is_write() ? 1 : 0];
  e.access = nullptr;
  free_.push_back(index);
  return &access;
}

void host_accesses::visit_state(tlm_bus::state_image& state) {
  state.fixed(port_, at_a_time_, boundary_);
  state(entries_, free_, to_send_, under_way_, transactions_, pool_);
}

}  // namespace gt200::model
