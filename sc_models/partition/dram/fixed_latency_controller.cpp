#include "sc_models/partition/dram/fixed_latency_controller.h"

#include <algorithm>

#include "sc_models/partition/dram/payload_access.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

using tlm_bus::cycle_t;

fixed_latency_controller::fixed_latency_controller(const sc_core::sc_module_name& name,
                                                   tlm_bus::clock_domain& memory, const config::dram_config& config)
    : stage(name, memory),
      requests("requests", *this, 2, 1, [this](tlm::tlm_generic_payload& p) { return debug(p); }),
      latency_(config.fixed_latency_cycles),
      burst_bytes_(config.burst_bytes),
      burst_cycles_(config.timing.t_ccd),
      storage_(config.capacity_bytes()),
      answers_(config.queue_entries + config.fixed_latency_cycles) {}

void fixed_latency_controller::tick() {
  // 1. Answer.
  if (answers_waiting_ != 0 && answers_[answer_head_].at <= cycle() && requests.can_respond()) {
    requests.respond(*answers_[answer_head_].payload);
    answer_head_ = answer_head_ + 1 == answers_.size() ? 0 : answer_head_ + 1;
    --answers_waiting_;
  }
  // 2. Take a request: its data moves now, its response follows.
  if (requests.request() != nullptr && answers_waiting_ < answers_.size()) take_request();
  if (answers_waiting_ != 0) wake_at(std::max(answers_[answer_head_].at, cycle() + 1));
}

void fixed_latency_controller::take_request() {
  tlm::tlm_generic_payload& payload = requests.take_request();
  const unsigned bytes = payload.get_data_length();
  unsigned transfer_cycles = 0;
  if (storage_.contains(payload.get_address(), bytes)) {
    access_memory(storage_, payload);
    transfer_cycles = (bytes + burst_bytes_ - 1) / burst_bytes_ * burst_cycles_;
    data_cycles += transfer_cycles;
    (payload.is_write() ? written_bytes : read_bytes) += bytes;
  } else {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  bus_free_at_ = std::max(bus_free_at_ + transfer_cycles, cycle() + latency_);
  auto tail = answer_head_ + answers_waiting_;
  if (tail >= answers_.size()) tail -= static_cast<unsigned>(answers_.size());
  answers_[tail] = {&payload, bus_free_at_};
  ++answers_waiting_;
}

unsigned fixed_latency_controller::debug(tlm::tlm_generic_payload& payload) {
  if (!storage_.contains(payload.get_address(), payload.get_data_length())) return 0;
  access_memory(storage_, payload);
  return payload.get_data_length();
}

void fixed_latency_controller::visit_state(tlm_bus::state_image& state) {
  state.fixed(latency_, burst_bytes_, burst_cycles_, storage_);  // memory keeps its contents
  state(answers_, answer_head_, answers_waiting_, bus_free_at_);
}

}  // namespace gt200::model
