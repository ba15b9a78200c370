// A memory that knows nothing of this project's clocking: it answers at any time, in any order, and in every way
// that the base protocol allows, and checks what the other side does.
//
// A request ends in the return of its call, by a call of its own, or with its response; it may be answered at once,
// in the return of the call as BEGIN_RESP or TLM_COMPLETED. Accesses take effect in the order of the requests,
// because whoever needs an order between accesses to the same bytes relies on that.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <random>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

namespace gt200::support {

template <class TRAITS>
class foreign_target : public sc_core::sc_module, private tlm::tlm_fw_transport_if<TRAITS> {
 public:
  tlm::tlm_target_socket<32, TRAITS> socket;

  foreign_target(const sc_core::sc_module_name& name, std::uint64_t seed, std::size_t bytes)
      : sc_core::sc_module(name), socket("socket"), random_(seed), memory_(bytes) {
    socket.bind(static_cast<tlm::tlm_fw_transport_if<TRAITS>&>(*this));
    using SC_CURRENT_USER_MODULE [[maybe_unused]] = foreign_target;
    SC_THREAD(end_requests);
    SC_THREAD(respond);
  }

  const std::string& trouble() const { return trouble_; }
  std::uint64_t requests() const { return requests_; }

 private:
  void fail(const std::string& what) {
    if (trouble_.empty())
      trouble_ = std::string(this->name()) + " at " + sc_core::sc_time_stamp().to_string() + ": " + what;
  }
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  sc_core::sc_time short_time() { return sc_core::sc_time(below(5000), sc_core::SC_PS); }

  tlm::tlm_sync_enum nb_transport_fw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase == tlm::END_RESP) {
      if (open_response_ != &payload) fail("END_RESP of a response that does not wait for it");
      open_response_ = nullptr;
      response_ended_.notify(delay);
      payload.release();
      return tlm::TLM_COMPLETED;
    }
    if (phase != tlm::BEGIN_REQ) {
      fail("a phase other than BEGIN_REQ and END_RESP arrives");
      return tlm::TLM_ACCEPTED;
    }
    if (open_request_ != nullptr) fail("BEGIN_REQ before the END_REQ of the request before");
    if (!payload.has_mm()) fail("a transaction without a memory manager");
    if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE) fail("a request that has a response");
    ++requests_;
    access(payload);
    const unsigned how = below(5);
    if (how == 0) {
      delay += short_time();
      return tlm::TLM_COMPLETED;
    }
    payload.acquire();
    if (how == 1 && open_response_ == nullptr) {
      open_response_ = &payload;
      phase = tlm::BEGIN_RESP;
      return tlm::TLM_UPDATED;
    }
    waiting_.push_back(&payload);
    something_waits_.notify(delay + short_time());
    if (how == 2) {
      phase = tlm::END_REQ;
      return tlm::TLM_UPDATED;
    }
    open_request_ = &payload;
    if (how == 3) end_request_.notify(delay + short_time());  // otherwise its response ends it
    return tlm::TLM_ACCEPTED;
  }
  void access(tlm::tlm_generic_payload& payload) {
    const std::uint64_t address = payload.get_address();
    const unsigned bytes = payload.get_data_length();
    if (address + bytes > memory_.size()) return payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    const std::uint8_t* const enables = payload.get_byte_enable_ptr();
    for (unsigned b = 0; b < bytes; ++b) {
      if (payload.is_read()) {
        payload.get_data_ptr()[b] = memory_[address + b];
      } else if (enables == nullptr || enables[b % payload.get_byte_enable_length()] == 0xff) {
        memory_[address + b] = payload.get_data_ptr()[b];
      }
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time&) override { access(payload); }
  bool get_direct_mem_ptr(tlm::tlm_generic_payload&, tlm::tlm_dmi&) override { return false; }
  unsigned transport_dbg(tlm::tlm_generic_payload& payload) override {
    access(payload);
    return payload.is_response_ok() ? payload.get_data_length() : 0;
  }

  void end_requests() {
    for (;;) {
      wait(end_request_);
      if (open_request_ == nullptr) continue;
      tlm::tlm_generic_payload& payload = *open_request_;
      open_request_ = nullptr;
      tlm::tlm_phase phase = tlm::END_REQ;
      sc_core::sc_time delay;
      socket->nb_transport_bw(payload, phase, delay);
    }
  }

  void respond() {
    for (;;) {
      while (waiting_.empty()) wait(something_waits_);
      wait(short_time());
      while (open_response_ != nullptr) wait(response_ended_);
      // A request that only its response will end goes first, so that others can follow.
      auto next = waiting_.begin() + below(static_cast<unsigned>(waiting_.size()));
      if (open_request_ != nullptr) next = std::find(waiting_.begin(), waiting_.end(), open_request_);
      tlm::tlm_generic_payload& payload = **next;
      waiting_.erase(next);
      if (open_request_ == &payload) open_request_ = nullptr;
      open_response_ = &payload;
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time delay;
      if (socket->nb_transport_bw(payload, phase, delay) == tlm::TLM_ACCEPTED) continue;
      if (open_response_ != &payload) fail("a response ends twice");
      open_response_ = nullptr;
      payload.release();
      wait(delay);
    }
  }

  std::mt19937_64 random_;
  std::vector<std::uint8_t> memory_;
  std::deque<tlm::tlm_generic_payload*> waiting_;  // for their responses
  std::uint64_t requests_ = 0;
  tlm::tlm_generic_payload* open_request_ = nullptr;
  tlm::tlm_generic_payload* open_response_ = nullptr;
  sc_core::sc_event end_request_;
  sc_core::sc_event something_waits_;
  sc_core::sc_event response_ended_;
  std::string trouble_;
};

}  // namespace gt200::support
