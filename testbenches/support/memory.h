// A stage that sends given memory transactions at given cycles, and a memory that answers them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "sc_models/memory_transaction.h"
#include "testbenches/support/token_stages.h"
#include "tlm_bus/memory_port.h"
#include "tlm_bus/stage.h"

namespace gt200::support {

template <class TRAITS>
class memory_driver : public tlm_bus::stage {
 public:
  memory_driver(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, unsigned response_depth = 2,
                unsigned response_latency = 1)
      : stage(name, domain), port("port", *this, response_depth, response_latency) {}

  struct response {
    std::uint64_t address;
    tlm::tlm_response_status status;
    std::vector<std::uint8_t> data;
  };

  tlm_bus::memory_initiator<TRAITS> port;
  model::payload_pool pool;
  std::vector<timed<std::uint64_t>> requested;  // addresses
  std::vector<timed<std::uint64_t>> responded;  // addresses
  std::vector<response> responses;              // in the order of `responded`
  // Decides whether a response is taken in a cycle: a function of the cycle alone. Default: always.
  std::function<bool(tlm_bus::cycle_t)> takes = [](tlm_bus::cycle_t) { return true; };

  // Sends the transaction in `cycle`, or in the first later cycle in which the port permits it; order is kept. The
  // payload may be changed until then.
  model::memory_payload& read_at(tlm_bus::cycle_t cycle, std::uint64_t address, unsigned bytes = 4) {
    return add(cycle, tlm::TLM_READ_COMMAND, address, bytes);
  }
  model::memory_payload& write_at(tlm_bus::cycle_t cycle, std::uint64_t address,
                                  const std::vector<std::uint8_t>& data) {
    auto& payload = add(cycle, tlm::TLM_WRITE_COMMAND, address, static_cast<unsigned>(data.size()));
    std::copy(data.begin(), data.end(), payload.bytes());
    return payload;
  }

 private:
  model::memory_payload& add(tlm_bus::cycle_t cycle, tlm::tlm_command command, std::uint64_t address,
                             unsigned bytes) {
    auto& payload = pool.get();
    payload.prepare(command, address, bytes);
    script_.push_back({cycle, &payload});
    if (script_.size() == 1) wake_at(cycle);
    return payload;
  }

  void tick() override {
    if (port.response() != nullptr) {
      if (takes(cycle()))
        take();
      else
        wake_next();
    }
    if (script_.empty() || script_.front().cycle > cycle() || !port.can_request()) return;
    model::memory_payload& payload = *script_.front().value;
    script_.pop_front();
    requested.push_back({cycle(), payload.get_address()});
    port.request(payload);
    if (!script_.empty()) wake_at(std::max(script_.front().cycle, cycle() + 1));
  }

  void take() {
    tlm::tlm_generic_payload& payload = port.take_response();
    const std::uint8_t* data = payload.get_data_ptr();
    responded.push_back({cycle(), payload.get_address()});
    responses.push_back({payload.get_address(), payload.get_response_status(),
                         std::vector<std::uint8_t>(data, data + payload.get_data_length())});
    payload.release();
  }

  std::deque<timed<model::memory_payload*>> script_;
};

template <class TRAITS>
class memory_responder : public tlm_bus::stage {
 public:
  // The response begins `latency` >= 1 cycles after the request is taken, or in the first later cycle in which the
  // port permits it.
  memory_responder(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, tlm_bus::cycle_t latency = 1,
                   unsigned request_depth = 2, unsigned request_latency = 1)
      : stage(name, domain),
        port("port", *this, request_depth, request_latency,
             [this](tlm::tlm_generic_payload& payload) { return access(payload); }),
        latency_(latency) {}

  tlm_bus::memory_target<TRAITS> port;
  std::vector<timed<std::uint64_t>> taken;  // addresses of the requests
  // Decides whether a request is taken in a cycle: a function of the cycle alone. Default: always.
  std::function<bool(tlm_bus::cycle_t)> takes = [](tlm_bus::cycle_t) { return true; };
  std::map<std::uint64_t, std::uint8_t> bytes;  // absent bytes read as 0

 private:
  void tick() override {
    if (!in_flight_.empty() && in_flight_.front().cycle <= cycle() && port.can_respond()) {
      tlm::tlm_generic_payload& payload = *in_flight_.front().value;
      in_flight_.pop_front();
      port.respond(payload);
      if (!in_flight_.empty()) wake_at(std::max(in_flight_.front().cycle, cycle() + 1));
    }
    if (port.request() == nullptr) return;
    if (!takes(cycle())) {
      wake_next();
      return;
    }
    tlm::tlm_generic_payload& payload = port.take_request();
    taken.push_back({cycle(), payload.get_address()});
    access(payload);
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    in_flight_.push_back({cycle() + latency_, &payload});
    if (in_flight_.size() == 1) wake_at(in_flight_.front().cycle);
  }

  unsigned access(tlm::tlm_generic_payload& payload) {
    for (unsigned i = 0; i < payload.get_data_length(); ++i) {
      if (payload.is_write())
        bytes[payload.get_address() + i] = payload.get_data_ptr()[i];
      else {
        const auto found = bytes.find(payload.get_address() + i);
        payload.get_data_ptr()[i] = found == bytes.end() ? std::uint8_t{0} : found->second;
      }
    }
    return payload.get_data_length();
  }

  tlm_bus::cycle_t latency_;
  std::deque<timed<tlm::tlm_generic_payload*>> in_flight_;
};

}  // namespace gt200::support
