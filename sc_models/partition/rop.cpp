#include "sc_models/partition/rop.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "sc_models/partition/atomic_operation.h"

namespace gt200::model {

using tlm_bus::memory_kind;
using tlm_bus::memory_payload;

namespace {

constexpr unsigned sector_bytes = 32;  // granule of order

}  // namespace

rop::rop(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore, const config::rop_config& config)
    : stage(name, uncore),
      requests("requests", *this, config.latency_cycles + 1, config.latency_cycles),
      memory("memory", *this),
      interval_(config.atomic_interval_cycles),
      operations_(config.queue_entries) {
  for (unsigned i = config.queue_entries; i > 0; --i) free_.push_back(i - 1);
  queue_.reserve(config.queue_entries);
  active_.reserve(config.queue_entries);
}

void rop::tick() {
  // 1. The DRAM answers: operands of atomics.
  take_memory_response();
  // 2. One access goes to the DRAM: a result first, else that of the next operation.
  send_result();
  begin_next();
  // 3. One answer goes back: an atomic's old value first, else the acknowledgement of a store being taken.
  answer_atomic();
  take_request();
}

void rop::take_memory_response() {
  if (memory.response() == nullptr) return;
  tlm::tlm_generic_payload& answer = memory.take_response();
  if (!answer.is_response_ok()) throw std::logic_error(std::string(name()) + ": the DRAM refused an access");
  if (answer.is_read()) {
    operation& op = operations_[tlm_bus::extension_of(answer)->tag];
    std::memcpy(&op.old, answer.get_data_ptr(), op.bytes);
    op.in = state::computing;
  }
  answer.release();
}

void rop::send_result() {
  const auto found = std::find_if(active_.begin(), active_.end(),
                                  [this](unsigned i) { return operations_[i].in == state::computing; });
  if (found == active_.end()) return;
  if (cycle() < next_atomic_at_) {
    wake_at(next_atomic_at_);
    return;
  }
  if (!memory.can_request()) return;
  operation& op = operations_[*found];
  const std::uint64_t result = atomic_result(atomic_request_of(*op.request), op.old);
  memory_payload& write = access_for(*op.request, tlm::TLM_WRITE_COMMAND, op.bytes);
  std::memcpy(write.bytes(), &result, op.bytes);
  memory.request(write);
  op.in = state::answering;
  next_atomic_at_ = cycle() + interval_;
  ++atomics;
  wake_next();  // for the next result
}

void rop::begin_next() {
  if (queue_.empty()) return;
  const unsigned index = queue_.front();
  operation& op = operations_[index];
  if (sector_in_use(op)) {
    if (!op.conflict_counted) ++atomic_conflicts;
    op.conflict_counted = true;
    return;
  }
  if (!memory.can_request()) return;
  queue_.erase(queue_.begin());
  if (op.write != nullptr) {
    memory.request(*op.write);
    free_.push_back(index);
  } else {
    send_read(index);
    active_.push_back(index);
  }
  if (!queue_.empty()) wake_next();
}

bool rop::sector_in_use(const operation& op) const {
  return std::any_of(active_.begin(), active_.end(), [&](unsigned i) {
    const operation& other = operations_[i];
    return other.in != state::answering && op.offset / sector_bytes <= other.offset / sector_bytes &&
           other.offset / sector_bytes <= (op.offset + op.bytes - 1) / sector_bytes;
  });
}

void rop::send_read(unsigned index) {
  operation& op = operations_[index];
  memory_payload& read = access_for(*op.request, tlm::TLM_READ_COMMAND, op.bytes);
  read.extension().tag = index;
  op.in = state::reading;
  memory.request(read);
}

memory_payload& rop::access_for(tlm::tlm_generic_payload& request, tlm::tlm_command command, unsigned bytes) {
  memory_payload& access = pool_.get();
  access.prepare(command, request.get_address(), bytes);
  access.extension() = *tlm_bus::extension_of(request);
  return access;
}

void rop::answer_atomic() {
  const auto found = std::find_if(active_.begin(), active_.end(),
                                  [this](unsigned i) { return operations_[i].in == state::answering; });
  if (found == active_.end() || !requests.can_respond()) return;
  const unsigned index = *found;
  operation& op = operations_[index];
  std::memcpy(op.request->get_data_ptr(), &op.old, op.bytes);
  op.request->set_response_status(tlm::TLM_OK_RESPONSE);
  requests.respond(*op.request);
  active_.erase(found);
  free_.push_back(index);
  wake_next();  // for the next answer
}

void rop::take_request() {
  tlm::tlm_generic_payload* front = requests.request();
  if (front == nullptr || free_.empty()) return;
  const auto* extension = tlm_bus::extension_of(*front);
  const bool atomic = extension->kind == memory_kind::atomic;
  if (!atomic && !requests.can_respond()) return;
  requests.take_request();
  const unsigned index = free_.back();
  free_.pop_back();
  operation& op = operations_[index];
  op = operation{};
  op.offset = front->get_address();
  if (atomic) {
    op.bytes = extension->wide ? 8 : 4;
    if (front->get_data_length() < atomic_operand_bytes(extension->atomic, extension->wide) ||
        op.offset % op.bytes != 0)
      throw std::logic_error(std::string(name()) + ": malformed atomic operation");
    op.request = front;
  } else {
    op.bytes = front->get_data_length();
    op.write = &access_for(*front, tlm::TLM_WRITE_COMMAND, op.bytes);
    std::memcpy(op.write->bytes(), front->get_data_ptr(), op.bytes);
    if (front->get_byte_enable_ptr() != nullptr) {
      op.write->use_byte_enables();
      std::memcpy(op.write->enables(), front->get_byte_enable_ptr(), op.bytes);
    }
    front->set_response_status(tlm::TLM_OK_RESPONSE);
    requests.respond(*front);
    ++stores;
  }
  queue_.push_back(index);
  wake_next();
}

}  // namespace gt200::model
