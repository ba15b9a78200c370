// An initiator that knows nothing of this project's clocking: it sends random transactions at any time, in every
// way that the base protocol allows, checks what comes back, and what the other side does.
//
// Phases: a request with or without an annotated delay; END_RESP in the return of the call as TLM_UPDATED or
// TLM_COMPLETED, or later by a call of its own. At most one request and one response are open at a time (exclusion
// rules). No two transactions in flight touch one line, so a read returns what the last write has left.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <systemc>
#include <vector>

#include "sc_models/memory_transaction.h"

namespace gt200::support {

struct traffic {
  std::uint64_t transactions = 1000;
  std::uint64_t seed = 1;
  bool writes = true;
  bool enables = false;   // writes of single bytes
  bool atomics = false;   // additions, for the protocol of TPC and partition
  bool textures = false;  // loads of the half of the memory that is not written may be those of textures
  unsigned in_flight = 24;
  double mean_gap_ns = 3;  // between two requests, on average
  std::uint64_t base = 0;  // address of the memory, a multiple of 128
};

template <class TRAITS>
class foreign_initiator : public sc_core::sc_module, private tlm::tlm_bw_transport_if<TRAITS> {
 public:
  static constexpr unsigned line_bytes = 128;
  static constexpr unsigned lines = 1024;
  tlm::tlm_initiator_socket<32, TRAITS> socket;

  foreign_initiator(const sc_core::sc_module_name& name, const traffic& how)
      : sc_core::sc_module(name), socket("socket"), how_(how), random_(how.seed), memory_(lines * line_bytes) {
    for (std::uint8_t& byte : memory_) byte = static_cast<std::uint8_t>(random_());
    socket.bind(static_cast<tlm::tlm_bw_transport_if<TRAITS>&>(*this));
    using SC_CURRENT_USER_MODULE [[maybe_unused]] = foreign_initiator;
    SC_THREAD(request);
    SC_THREAD(end_responses);
  }

  // Empty while everything is right.
  const std::string& trouble() const { return trouble_; }
  std::uint64_t finished() const { return finished_; }

 private:
  struct flight {
    unsigned line = 0;
    std::vector<std::uint8_t> expected;  // of a read, or the old value of an atomic operation
  };
  void fail(const std::string& what) {
    if (trouble_.empty())
      trouble_ = std::string(this->name()) + " at " + sc_core::sc_time_stamp().to_string() + ": " + what;
  }
  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  sc_core::sc_time short_time() { return sc_core::sc_time(below(4000), sc_core::SC_PS); }

  // The memory behind gets its content by debug access.
  void start_of_simulation() override {
    for (std::size_t at = 0; at < memory_.size(); at += line_bytes) {
      model::memory_payload& payload = pool_.get();
      payload.prepare(tlm::TLM_WRITE_COMMAND, how_.base + at, line_bytes);
      std::copy_n(&memory_[at], line_bytes, payload.bytes());
      if (socket->transport_dbg(payload) != line_bytes) fail("a debug write does not reach the memory");
      payload.release();
    }
  }

  void request() {
    for (std::uint64_t i = 0; i < how_.transactions; ++i) {
      if (below(4) != 0)
        wait(sc_core::sc_time(2 * how_.mean_gap_ns * static_cast<double>(random_() % 1000) / 1000, sc_core::SC_NS));
      while (flights_.size() == how_.in_flight) wait(finished_event_);
      model::memory_payload& payload = next();
      open_request_ = &payload;
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_core::sc_time delay = below(3) == 0 ? short_time() : sc_core::SC_ZERO_TIME;
      const sc_core::sc_time annotated = delay;
      switch (socket->nb_transport_fw(payload, phase, delay)) {
        case tlm::TLM_ACCEPTED:
          wait(annotated);
          while (open_request_ != nullptr) wait(request_ended_);
          break;
        case tlm::TLM_UPDATED:
          if (open_request_ != &payload) fail("a request is answered twice");
          open_request_ = nullptr;
          if (phase == tlm::BEGIN_RESP)
            begin_response(payload, delay);
          else if (phase != tlm::END_REQ)
            fail("BEGIN_REQ is answered by another phase than END_REQ and BEGIN_RESP");
          wait(delay);
          break;
        case tlm::TLM_COMPLETED:
          open_request_ = nullptr;
          finish(payload);
          wait(delay);
          break;
      }
    }
  }

  model::memory_payload& next() {
    unsigned line = below(lines);
    while (busy_[line]) line = (line + 1) % lines;
    busy_[line] = true;
    model::memory_payload& payload = pool_.get();
    flight& f = flights_[&payload];
    f.line = line;
    const bool writable = line < lines / 2;
    const unsigned kind = writable ? below(4) : 0;
    const unsigned words = 1u << below(6);  // 4 to 128 bytes
    const unsigned bytes = 4 * words;
    const std::uint64_t address = std::uint64_t{line} * line_bytes + bytes * below(line_bytes / bytes);
    std::uint8_t* const at = &memory_[address];
    model::memory_extension& extension = payload.extension();
    if (kind == 1 && how_.atomics) {
      payload.prepare(tlm::TLM_WRITE_COMMAND, how_.base + address / 4 * 4, 4);
      extension.kind = model::memory_kind::atomic;
      const std::uint32_t operand = static_cast<std::uint32_t>(random_());
      std::memcpy(payload.bytes(), &operand, 4);
      f.expected.assign(at, at + 4);
      std::uint32_t value = 0;
      std::memcpy(&value, at, 4);
      value += operand;
      std::memcpy(at, &value, 4);
    } else if (kind >= 2 && how_.writes) {
      payload.prepare(tlm::TLM_WRITE_COMMAND, how_.base + address, bytes);
      extension.kind = model::memory_kind::store;
      const bool some = how_.enables && below(2) == 0;
      if (some) payload.use_byte_enables();
      for (unsigned b = 0; b < bytes; ++b) {
        payload.bytes()[b] = static_cast<std::uint8_t>(random_());
        const bool enabled = !some || b == 0 || below(2) == 0;
        if (some && enabled) payload.enables()[b] = 0xff;
        if (enabled) at[b] = payload.bytes()[b];
      }
    } else {
      payload.prepare(tlm::TLM_READ_COMMAND, how_.base + address, bytes);
      extension.kind = model::memory_kind::load;
      if (!writable && how_.textures && below(2) == 0) extension.space = model::memory_space::texture;
      f.expected.assign(at, at + bytes);
    }
    extension.transaction_id = ++begun_;
    return payload;
  }

  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase,
                                     sc_core::sc_time& delay) override {
    if (phase == tlm::END_REQ) {
      if (open_request_ != &payload) fail("END_REQ of a request that does not wait for it");
      open_request_ = nullptr;
      request_ended_.notify(delay);
      return tlm::TLM_ACCEPTED;
    }
    if (phase != tlm::BEGIN_RESP) {
      fail("a phase other than END_REQ and BEGIN_RESP comes back");
      return tlm::TLM_ACCEPTED;
    }
    if (open_request_ == &payload) {  // the response implies the end of its request
      open_request_ = nullptr;
      request_ended_.notify(delay);
    }
    switch (below(3)) {
      case 0: begin_response(payload, delay); return tlm::TLM_ACCEPTED;
      case 1:
        if (open_response_ != nullptr) fail("BEGIN_RESP before the END_RESP of the response before");
        finish(payload);
        phase = tlm::END_RESP;
        return tlm::TLM_UPDATED;
      default:
        if (open_response_ != nullptr) fail("BEGIN_RESP before the END_RESP of the response before");
        finish(payload);
        return tlm::TLM_COMPLETED;
    }
  }
  void invalidate_direct_mem_ptr(sc_dt::uint64, sc_dt::uint64) override {}

  // END_RESP follows by a call of its own.
  void begin_response(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
    if (open_response_ != nullptr) fail("BEGIN_RESP before the END_RESP of the response before");
    open_response_ = &payload;
    end_response_.notify(delay + short_time());
  }
  void end_responses() {
    for (;;) {
      wait(end_response_);
      tlm::tlm_generic_payload& payload = *open_response_;
      open_response_ = nullptr;
      // The target may use the payload until the call returns.
      payload.acquire();
      finish(payload);
      tlm::tlm_phase phase = tlm::END_RESP;
      sc_core::sc_time delay;
      socket->nb_transport_fw(payload, phase, delay);
      payload.release();
    }
  }

  void finish(tlm::tlm_generic_payload& payload) {
    const auto found = flights_.find(&payload);
    if (found == flights_.end()) return fail("a response to a transaction that is not in flight");
    if (payload.get_response_status() != tlm::TLM_OK_RESPONSE)
      fail("a transaction is answered with " + payload.get_response_string());
    else if (!found->second.expected.empty() &&
             !std::equal(found->second.expected.begin(), found->second.expected.end(), payload.get_data_ptr()))
      fail("wrong data at address " + std::to_string(payload.get_address()));
    busy_[found->second.line] = false;
    flights_.erase(found);
    ++finished_;
    finished_event_.notify(sc_core::SC_ZERO_TIME);
    payload.release();
  }

  traffic how_;
  std::mt19937_64 random_;
  std::vector<std::uint8_t> memory_;
  std::vector<bool> busy_ = std::vector<bool>(lines);
  model::payload_pool pool_;
  std::map<const tlm::tlm_generic_payload*, flight> flights_;
  std::uint64_t begun_ = 0;
  std::uint64_t finished_ = 0;
  tlm::tlm_generic_payload* open_request_ = nullptr;
  tlm::tlm_generic_payload* open_response_ = nullptr;
  sc_core::sc_event request_ended_;
  sc_core::sc_event end_response_;
  sc_core::sc_event finished_event_;
  std::string trouble_;
};

}  // namespace gt200::support
