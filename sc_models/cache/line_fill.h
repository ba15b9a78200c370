// Fetches the missed lines of a cache from the next level.
//
// A line, or the part of it that is missing, is read in one transaction, or in several if it is larger than the
// largest transaction. Each call of send() sends at most one. The MSHR has a buffer that collects the data of its
// line until the cache takes it. Responses may arrive in any order. TRAITS is the protocol of the port.
//
// A transaction carries the extension given with its miss, with kind `fill` and the number of the MSHR as tag.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "sc_models/memory_transaction.h"
#include "tlm_bus/memory_port.h"
#include "tlm_bus/time.h"

namespace gt200::model {

// Which of several missed lines is requested first.
enum class fill_order : std::uint8_t {
  lowest_mshr,  // a priority encoder over the MSHRs
  oldest_miss   // a queue
};

struct fill_parameters {
  unsigned mshrs = 1;
  std::uint32_t line_bytes = 32;
  std::uint32_t largest_transaction_bytes = tlm_bus::max_transaction_bytes;
  fill_order order = fill_order::lowest_mshr;
  // Adds n to the transaction_id of the n-th transaction; otherwise all have the id of the miss.
  bool numbers_transactions = true;
};

// Idealisation: reads `bytes` from `address` on, from the memory behind the port, in zero time. Returns false if
// the memory does not have all of them.
template <class TRAITS>
bool read_at_once(tlm_bus::memory_initiator<TRAITS>& port, std::uint64_t address, std::uint8_t* to,
                  unsigned bytes) {
  tlm::tlm_generic_payload payload;
  payload.set_read();
  payload.set_address(address);
  payload.set_data_ptr(to);
  payload.set_data_length(bytes);
  payload.set_streaming_width(bytes);
  return port->transport_dbg(payload) == bytes;
}

template <class TRAITS>
class line_fill {
 public:
  // A line whose transactions have all been answered.
  struct filled_line {
    unsigned mshr = 0;
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;  // of the last failed transaction, if any failed
    std::uint8_t caches_missed = 0;                          // the maximum over its transactions
    const std::uint8_t* data = nullptr;                      // valid until the MSHR starts its next line
  };

  // `port` belongs to the cache that owns this.
  line_fill(tlm_bus::memory_initiator<TRAITS>& port, const fill_parameters& parameters)
      : port_(port),
        order_(parameters.order),
        numbers_transactions_(parameters.numbers_transactions),
        line_bytes_(parameters.line_bytes),
        largest_part_(parameters.largest_transaction_bytes),
        transfers_(parameters.mshrs),
        buffers_(std::size_t{parameters.mshrs} * parameters.line_bytes) {
    to_send_.reserve(parameters.mshrs);
  }

  // Starts to fetch the line at `address`. The MSHR must not be waiting for another line.
  void start(unsigned mshr, std::uint64_t address, const memory_extension& origin, tlm_bus::cycle_t now) {
    start_part(mshr, address, line_bytes_, origin, now);
  }
  // Starts to fetch `bytes` of a line from `address` on: at most one line, a multiple of the largest transaction if
  // there is more than one.
  void start_part(unsigned mshr, std::uint64_t address, std::uint32_t bytes, const memory_extension& origin,
                  tlm_bus::cycle_t now) {
    transfer& t = transfers_[mshr];
    t = transfer{};
    t.address = address;
    t.bytes = bytes;
    t.started_at = now;
    t.origin = origin;
    t.origin.kind = memory_kind::fill;
    t.origin.caches_missed = 0;
    t.origin.tag = mshr;
    to_send_.push_back(mshr);
  }

  // True while transactions remain to be sent.
  bool has_to_send() const { return !to_send_.empty(); }
  // Sends one transaction of a line that was started before cycle `started_before`. Returns false if there is none,
  // or if the port accepts none in this cycle.
  bool send(tlm_bus::cycle_t started_before) {
    const auto chosen = next_to_send(started_before);
    if (chosen == to_send_.end() || !port_.can_request()) return false;
    const unsigned mshr = *chosen;
    transfer& t = transfers_[mshr];
    memory_payload& payload = payloads_.get();
    payload.prepare(tlm::TLM_READ_COMMAND, t.address + t.sent_bytes, part_of(t));
    payload.set_data_ptr(buffer(mshr) + t.sent_bytes);
    payload.extension() = t.origin;
    if (numbers_transactions_) payload.extension().transaction_id += ++transactions_;
    t.sent_bytes += part_of(t);
    if (t.sent_bytes == t.bytes) to_send_.erase(chosen);
    port_.request(payload);
    return true;
  }

  // Takes the response that is visible at the port in this cycle, if any. Returns the line when it is complete.
  std::optional<filled_line> receive() {
    if (port_.response() == nullptr) return std::nullopt;
    tlm::tlm_generic_payload& payload = port_.take_response();
    const memory_extension& extension = *extension_of(payload);
    const unsigned mshr = extension.tag;
    transfer& t = transfers_[mshr];
    t.caches_missed = std::max(t.caches_missed, extension.caches_missed);
    if (!payload.is_response_ok()) t.status = payload.get_response_status();
    payload.release();
    t.received_bytes += part_of(t);
    if (t.received_bytes != t.bytes) return std::nullopt;
    return filled_line{mshr, t.status, t.caches_missed, buffer(mshr)};
  }

  void visit_state(tlm_bus::state_image& state) {
    state.fixed(order_, numbers_transactions_, line_bytes_, largest_part_);
    state(transfers_, buffers_, to_send_, transactions_, payloads_);
  }
  // Transactions sent and not yet answered.
  std::size_t outstanding() const { return payloads_.outstanding(); }

 private:
  struct transfer {
    std::uint64_t address = 0;
    tlm_bus::cycle_t started_at = 0;
    std::uint32_t bytes = 0;
    std::uint32_t sent_bytes = 0;
    std::uint32_t received_bytes = 0;
    std::uint8_t caches_missed = 0;
    tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
    memory_extension origin;
  };

  // Bytes of each of its transactions.
  std::uint32_t part_of(const transfer& t) const { return std::min(t.bytes, largest_part_); }
  std::uint8_t* buffer(unsigned mshr) { return &buffers_[std::size_t{mshr} * line_bytes_]; }
  std::vector<unsigned>::iterator next_to_send(tlm_bus::cycle_t started_before) {
    auto chosen = to_send_.end();
    for (auto i = to_send_.begin(); i != to_send_.end(); ++i) {
      if (transfers_[*i].started_at >= started_before) continue;
      if (order_ == fill_order::oldest_miss) return i;
      if (chosen == to_send_.end() || *i < *chosen) chosen = i;
    }
    return chosen;
  }

  tlm_bus::memory_initiator<TRAITS>& port_;
  fill_order order_;
  bool numbers_transactions_;
  std::uint32_t line_bytes_;
  std::uint32_t largest_part_;         // of one transaction
  std::vector<transfer> transfers_;    // by MSHR
  std::vector<std::uint8_t> buffers_;  // [MSHR][byte]
  std::vector<unsigned> to_send_;      // MSHRs with transactions to send, in the order of their misses
  std::uint64_t transactions_ = 0;
  payload_pool payloads_;
};

}  // namespace gt200::model
