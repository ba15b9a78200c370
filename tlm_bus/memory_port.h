// Memory ports: TLM-2.0 AT sockets that a stage uses with four verbs on each side.
//
// memory_initiator: can_request / request, response / take_response.
// memory_target:    request / take_request, can_respond / respond.
//
// TRAITS is tlm::tlm_base_protocol_types (foreign components bind unchanged) or gpu_memory_protocol (extension
// mandatory). Phases follow the base protocol; see handshake.h for when an END is returned in the call. The owner
// must look at its ports in every tick in which it could use them: late ENDs are sent then.
//
// References: the initiator holds one from payload_pool::get() until it releases the payload after take_response();
// the target adds one between request and response.
#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <systemc>
#include <tlm>

#include "tlm_bus/handshake.h"
#include "tlm_bus/memory_extension.h"
#include "tlm_bus/stage.h"

namespace gt200::tlm_bus {

// Sees the phases of one port, in the order they happen. Attached from outside.
class memory_observer {
 public:
  virtual ~memory_observer() = default;
  virtual void phase(const sc_core::sc_object& port, femtoseconds at, const tlm::tlm_generic_payload& payload,
                     tlm::tlm_phase_enum phase) = 0;
};

// Absolute time of a transport call: its annotated delay counts from the current SystemC time.
inline femtoseconds call_time(const sc_core::sc_time& delay) {
  return sc_core::sc_time_stamp().value() + delay.value();
}

template <class TRAITS>
class memory_initiator : public tlm::tlm_initiator_socket<256, TRAITS>, private tlm::tlm_bw_transport_if<TRAITS> {
  using socket = tlm::tlm_initiator_socket<256, TRAITS>;

 public:
  // `response_depth` >= 1; `response_latency` >= 1 cycles of the owner.
  memory_initiator(const char* name, stage& owner, unsigned response_depth = 2, unsigned response_latency = 1)
      : socket(name), owner_(owner), requests_(owner), responses_(owner, response_depth, response_latency) {
    this->socket::bind(*this);
    responses_.set_name(this->socket::name());
  }
  using socket::bind;
  using socket::operator();

  bool can_request() {
    settle();
    return requests_.can_send();
  }
  void request(tlm::tlm_generic_payload& payload) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    note(payload, tlm::BEGIN_REQ);
    const auto answer = (*this)->nb_transport_fw(payload, phase, delay);
    const bool completed = answer == tlm::TLM_COMPLETED;
    const bool begins_response = answer == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP;
    requests_.sent(completed || answer == tlm::TLM_UPDATED);
    if (answer == tlm::TLM_UPDATED && phase == tlm::END_REQ) note(payload, tlm::END_REQ);
    if (completed || begins_response) {
      // Foreign targets may answer in the call. With TLM_COMPLETED no END_RESP is owed.
      const femtoseconds at = call_time(delay);
      const bool ended = responses_.arrive(payload, owner_.domain().first_edge_after(at), at);
      if (completed && !ended)
        throw std::logic_error(std::string(this->name()) + ": no room for a response completed in the call");
      if (begins_response && ended) send_end_response(payload);
    }
  }
  // Oldest response visible in this cycle, or null.
  tlm::tlm_generic_payload* response() {
    settle();
    return responses_.front();
  }
  // Removes it. The caller keeps the initiator's reference and releases it when done.
  tlm::tlm_generic_payload& take_response() {
    tlm::tlm_generic_payload& payload = *responses_.front();
    responses_.pop();
    return payload;
  }

  void observe(memory_observer* observer) { observer_ = observer; }
  unsigned responses_waiting() const { return responses_.occupancy(); }
  const char* kind() const override { return "memory_initiator"; }

 private:
  void note(const tlm::tlm_generic_payload& payload, tlm::tlm_phase_enum phase) {
    if (observer_ != nullptr) observer_->phase(*this, sc_core::sc_time_stamp().value(), payload, phase);
  }
  void settle() {
    if (auto* late = responses_.settle()) send_end_response(*late);
  }
  void send_end_response(tlm::tlm_generic_payload& payload) {
    tlm::tlm_phase phase = tlm::END_RESP;
    sc_core::sc_time delay;
    note(payload, tlm::END_RESP);
    (*this)->nb_transport_fw(payload, phase, delay);
  }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    const femtoseconds at = call_time(delay);
    const cycle_t first = owner_.domain().first_edge_after(at);
    note(payload, static_cast<tlm::tlm_phase_enum>(static_cast<unsigned>(phase)));
    if (phase == tlm::END_REQ) {
      requests_.ended(first);
      return tlm::TLM_ACCEPTED;
    }
    if (phase != tlm::BEGIN_RESP)
      throw std::logic_error(std::string(this->name()) + ": unexpected phase on the backward path");
    requests_.ended(first);  // a response implies the end of its request
    if (!responses_.arrive(payload, first, at)) return tlm::TLM_ACCEPTED;
    phase = tlm::END_RESP;
    note(payload, tlm::END_RESP);
    return tlm::TLM_COMPLETED;
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  stage& owner_;
  handshake_sender requests_;
  handshake_receiver responses_;
  memory_observer* observer_ = nullptr;
};

template <class TRAITS>
class memory_target : public tlm::tlm_target_socket<256, TRAITS>, private tlm::tlm_fw_transport_if<TRAITS> {
  using socket = tlm::tlm_target_socket<256, TRAITS>;

 public:
  // `debug` serves transport_dbg and untimed b_transport: it must see queued and merged data, and return the number
  // of bytes moved (0 = address error).
  memory_target(const char* name, stage& owner, unsigned request_depth = 2, unsigned request_latency = 1,
                std::function<unsigned(tlm::tlm_generic_payload&)> debug = {})
      : socket(name),
        owner_(owner),
        requests_(owner, request_depth, request_latency),
        responses_(owner),
        debug_(std::move(debug)) {
    this->socket::bind(*this);
    requests_.set_name(this->socket::name());
  }
  using socket::bind;
  using socket::operator();

  // Oldest request visible in this cycle, or null.
  tlm::tlm_generic_payload* request() {
    settle();
    return requests_.front();
  }
  tlm::tlm_generic_payload& take_request() {
    tlm::tlm_generic_payload& payload = *requests_.front();
    requests_.pop();
    return payload;
  }
  bool can_respond() {
    settle();
    return responses_.can_send();
  }
  // Sends the response; status and data of `payload` are set. Gives up the target's reference.
  void respond(tlm::tlm_generic_payload& payload) {
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    note(payload, tlm::BEGIN_RESP);
    const auto answer = (*this)->nb_transport_bw(payload, phase, delay);
    const bool ended = answer == tlm::TLM_COMPLETED || (answer == tlm::TLM_UPDATED && phase == tlm::END_RESP);
    responses_.sent(ended);
    if (ended) {
      note(payload, tlm::END_RESP);
      payload.release();
    }
  }

  void observe(memory_observer* observer) { observer_ = observer; }
  unsigned requests_waiting() const { return requests_.occupancy(); }
  unsigned depth() const { return requests_.depth(); }
  const char* kind() const override { return "memory_target"; }

 private:
  void note(const tlm::tlm_generic_payload& payload, tlm::tlm_phase_enum phase) {
    if (observer_ != nullptr) observer_->phase(*this, sc_core::sc_time_stamp().value(), payload, phase);
  }
  void settle() {
    if (auto* late = requests_.settle()) {
      tlm::tlm_phase phase = tlm::END_REQ;
      sc_core::sc_time delay;
      note(*late, tlm::END_REQ);
      (*this)->nb_transport_bw(*late, phase, delay);
    }
  }

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    const femtoseconds at = call_time(delay);
    const cycle_t first = owner_.domain().first_edge_after(at);
    note(payload, static_cast<tlm::tlm_phase_enum>(static_cast<unsigned>(phase)));
    if (phase == tlm::END_RESP) {
      responses_.ended(first);
      payload.release();
      return tlm::TLM_COMPLETED;
    }
    if (phase != tlm::BEGIN_REQ)
      throw std::logic_error(std::string(this->name()) + ": unexpected phase on the forward path");
    if constexpr (std::is_same_v<TRAITS, gpu_memory_protocol>) {
      memory_extension* extension = nullptr;
      payload.get_extension(extension);
      if (extension == nullptr)
        throw std::logic_error(std::string(this->name()) + ": transaction without its mandatory extension");
    }
    payload.acquire();
    if (!requests_.arrive(payload, first, at)) return tlm::TLM_ACCEPTED;
    phase = tlm::END_REQ;
    note(payload, tlm::END_REQ);
    return tlm::TLM_UPDATED;
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) override {
    const bool moved = debug_ && debug_(payload) != 0;
    payload.set_response_status(moved ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override { return debug_ ? debug_(payload) : 0; }

  stage& owner_;
  handshake_receiver requests_;
  handshake_sender responses_;
  std::function<unsigned(tlm::tlm_generic_payload&)> debug_;
  memory_observer* observer_ = nullptr;
};

using base_protocol = tlm::tlm_base_protocol_types;

}  // namespace gt200::tlm_bus
