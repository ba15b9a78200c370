#include "sc_models/cache/read_only_cache.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

namespace gt200::model {

using tlm_bus::cycle_t;

template <class TRAITS>
read_only_cache<TRAITS>::read_only_cache(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                                         const config::cache_config& config, const cache_ports& ports)
    : stage(name, domain),
      fill("fill", *this, ports.fill_latency + 1, ports.fill_latency),
      control("control"),
      hit_latency_(config.hit_latency_cycles),
      chunk_bytes_(std::min(config.line_bytes, ports.largest_fill_bytes)),
      chunks_per_line_(config.line_bytes / chunk_bytes_),
      perfect_(ports.perfect),
      most_in_service_(config.hit_latency_cycles + config.mshrs),
      array_(config),
      mshrs_(config.mshrs),
      mshrs_busy_("mshrs", config.mshrs),
      line_buffers_(std::size_t{config.mshrs} * config.line_bytes),
      ports_(ports.requesters),
      turn_(ports.requesters) {
  if (ports.requesters == 0 || ports.requesters > 64)
    throw std::invalid_argument(std::string(this->name()) + ": 1 to 64 requesters");
  for (unsigned i = 0; i < ports.requesters; ++i)
    requests.emplace_back(("request_" + std::to_string(i)).c_str(), *this, ports.request_depth,
                          ports.request_latency,
                          [this](tlm::tlm_generic_payload& p) { return fill->transport_dbg(p); });
  for (unsigned i = 0; i < ports.requesters; ++i) {
    request_queues_.emplace_back("request_queue_" + std::to_string(i), requests[i].depth());
    requests[i].count_requests(request_queues_[i]);
  }
  control.bind(*this);
}

template <class TRAITS>
void read_only_cache<TRAITS>::invalidate() {
  ++invalidations;
  invalidate_pending_ = true;
  invalidated_at_ = sc_core::sc_time_stamp().value();
}

template <class TRAITS>
void read_only_cache<TRAITS>::tick() {
  // 1. An invalidation commanded before this cycle takes effect.
  if (invalidate_pending_ && this->now() > invalidated_at_) {
    invalidate_pending_ = false;
    array_.invalidate();
    for (auto& m : mshrs_) m.keep = false;
  }
  // 2. A fill arrives and serves those that wait for its line.
  take_fill();
  // 3. Requests that have all their parts are answered, one per port.
  for (unsigned port = 0; port < ports_.size(); ++port) answer(port);
  // 4. One look-up.
  look_up();
  // 5. One fill is asked for.
  send_fill();
}

template <class TRAITS>
void read_only_cache<TRAITS>::take_fill() {
  if (fill.response() == nullptr) return;
  tlm::tlm_generic_payload& payload = fill.take_response();
  const memory_extension& extension = *extension_of(payload);
  const unsigned index = extension.tag;
  mshr& m = mshrs_[index];
  m.caches_missed = std::max(m.caches_missed, extension.caches_missed);
  if (!payload.is_response_ok()) m.failure = payload.get_response_status();
  payload.release();
  if (--m.chunks_missing != 0) return;
  mshrs_busy_.left(this->cycle());
  const bool failed = m.failure != tlm::TLM_OK_RESPONSE;
  const std::uint8_t* line = line_buffer(index);
  if (m.keep && !failed) std::memcpy(array_.replace(m.line), line, array_.line_bytes());
  while (m.first >= 0) {
    waiter& w = waiters_[static_cast<std::size_t>(m.first)];
    transaction& t = transactions_[static_cast<std::size_t>(w.transaction)];
    t.caches_missed = std::max(t.caches_missed, static_cast<std::uint8_t>(m.caches_missed + 1));
    if (failed)
      t.status = m.failure;
    else
      copy_part(*t.payload, w.offset, line);
    if (--t.parts_missing == 0 && t.looked_up) queue_answer(w.transaction, std::max(t.ready_at, this->cycle() + 1));
    free_waiters_.push_back(m.first);
    m.first = w.next;
  }
  for (auto& p : ports_) {
    if (p.blocked) this->wake_next();
    p.blocked = false;
  }
}

template <class TRAITS>
void read_only_cache<TRAITS>::answer(unsigned port) {
  port_state& p = ports_[port];
  if (p.first_answer < 0) return;
  const int index = p.first_answer;
  transaction& t = transactions_[static_cast<std::size_t>(index)];
  if (t.ready_at > this->cycle() || !requests[port].can_respond()) return;
  t.payload->set_response_status(t.status);
  if (auto* extension = extension_of(*t.payload)) extension->caches_missed = t.caches_missed;
  requests[port].respond(*t.payload);
  p.first_answer = t.next;
  --p.in_service;
  free_transactions_.push_back(index);
  if (p.first_answer >= 0 && transactions_[static_cast<std::size_t>(p.first_answer)].ready_at <= this->cycle())
    this->wake_next();
}

template <class TRAITS>
void read_only_cache<TRAITS>::look_up() {
  std::uint64_t candidates = 0;
  for (unsigned port = 0; port < ports_.size(); ++port) {
    if (requests[port].request() == nullptr || ports_[port].blocked) continue;
    if (ports_[port].transaction < 0 && ports_[port].in_service == most_in_service_) continue;
    candidates |= std::uint64_t{1} << port;
  }
  const int chosen = turn_.choose(candidates);
  if (chosen < 0) return;
  turn_.granted(chosen);
  this->note_activity();
  const auto port = static_cast<unsigned>(chosen);
  look_up_part(port, *requests[port].request());
  // Requests left in ports do not announce themselves again.
  if ((candidates & (candidates - 1)) != 0 || ports_[port].transaction >= 0) this->wake_next();
}

template <class TRAITS>
void read_only_cache<TRAITS>::look_up_part(unsigned port, tlm::tlm_generic_payload& payload) {
  port_state& p = ports_[port];
  if (p.transaction < 0) begin_transaction(port, payload);
  const int index = p.transaction;
  transaction& t = transactions_[static_cast<std::size_t>(index)];
  const std::uint64_t address = payload.get_address() + p.position;
  const unsigned bytes = payload.get_data_length();
  if (!payload.is_read()) {
    t.status = tlm::TLM_COMMAND_ERROR_RESPONSE;
    p.position = bytes;
  } else if (const std::uint8_t* line = find_line(address)) {
    ++hits;
    copy_part(payload, p.position, line);
    p.position = end_of_part(payload, p.position);
  } else if (wait_for_line(index, address, payload)) {
    p.position = end_of_part(payload, p.position);
  } else {
    p.blocked = true;
    return;
  }
  if (p.position < bytes) return;
  requests[port].take_request();
  p.transaction = -1;
  t.looked_up = true;
  t.ready_at = this->cycle() + hit_latency_;
  if (t.parts_missing == 0) queue_answer(index, t.ready_at);
}

template <class TRAITS>
void read_only_cache<TRAITS>::begin_transaction(unsigned port, tlm::tlm_generic_payload& payload) {
  if (free_transactions_.empty()) {
    free_transactions_.push_back(static_cast<int>(transactions_.size()));
    transactions_.emplace_back();
  }
  port_state& p = ports_[port];
  p.transaction = free_transactions_.back();
  p.position = 0;
  ++p.in_service;
  free_transactions_.pop_back();
  transaction& t = transactions_[static_cast<std::size_t>(p.transaction)];
  t = transaction{};
  t.payload = &payload;
  t.port = port;
}

template <class TRAITS>
const std::uint8_t* read_only_cache<TRAITS>::find_line(std::uint64_t address) {
  const std::uint8_t* line = array_.look_up(address);
  if (line != nullptr || !perfect_) return line;
  std::uint8_t* filled = array_.replace(address);
  tlm::tlm_generic_payload payload;
  payload.set_read();
  payload.set_address(array_.line_of(address));
  payload.set_data_ptr(filled);
  payload.set_data_length(array_.line_bytes());
  payload.set_streaming_width(array_.line_bytes());
  fill->transport_dbg(payload);
  return filled;
}

// Lets a part of a transaction wait for its line, which is asked for unless it is on its way; false when no MSHR is
// free.
template <class TRAITS>
bool read_only_cache<TRAITS>::wait_for_line(int index, std::uint64_t address, tlm::tlm_generic_payload& payload) {
  const std::uint64_t line = array_.line_of(address);
  unsigned chosen = 0;
  unsigned unused = static_cast<unsigned>(mshrs_.size());
  for (; chosen < mshrs_.size(); ++chosen) {
    const mshr& m = mshrs_[chosen];
    if (m.chunks_missing == 0)
      unused = chosen;
    else if (m.line == line && m.keep)
      break;
  }
  if (chosen < mshrs_.size()) {
    ++merged;
  } else {
    chosen = unused;
    if (chosen == mshrs_.size()) return false;
    ++misses;
    mshr& m = mshrs_[chosen];
    m = mshr{};
    m.line = line;
    m.chunks_missing = chunks_per_line_;
    mshrs_busy_.entered(this->cycle());
    if (const auto* extension = extension_of(payload)) m.origin = *extension;
    unsent_.push_back(chosen);
  }
  if (free_waiters_.empty()) {
    free_waiters_.push_back(static_cast<int>(waiters_.size()));
    waiters_.emplace_back();
  }
  const int w = free_waiters_.back();
  free_waiters_.pop_back();
  transaction& t = transactions_[static_cast<std::size_t>(index)];
  waiters_[static_cast<std::size_t>(w)] = {index, static_cast<unsigned>(ports_[t.port].position), -1};
  mshr& m = mshrs_[chosen];
  if (m.first < 0)
    m.first = w;
  else
    waiters_[static_cast<std::size_t>(m.last)].next = w;
  m.last = w;
  ++t.parts_missing;
  return true;
}

template <class TRAITS>
unsigned read_only_cache<TRAITS>::end_of_part(const tlm::tlm_generic_payload& payload, unsigned offset) const {
  const std::uint64_t next_line = array_.line_of(payload.get_address() + offset) + array_.line_bytes();
  return static_cast<unsigned>(
      std::min<std::uint64_t>(payload.get_data_length(), next_line - payload.get_address()));
}

template <class TRAITS>
void read_only_cache<TRAITS>::copy_part(tlm::tlm_generic_payload& payload, unsigned offset,
                                        const std::uint8_t* line) const {
  const std::uint64_t address = payload.get_address() + offset;
  std::memcpy(payload.get_data_ptr() + offset, line + (address - array_.line_of(address)),
              end_of_part(payload, offset) - offset);
}

// Answers of a port leave in the order of their times, those of hits and misses mixed.
template <class TRAITS>
void read_only_cache<TRAITS>::queue_answer(int index, cycle_t ready_at) {
  transaction& t = transactions_[static_cast<std::size_t>(index)];
  t.ready_at = ready_at;
  int* link = &ports_[t.port].first_answer;
  while (*link >= 0 && transactions_[static_cast<std::size_t>(*link)].ready_at <= ready_at)
    link = &transactions_[static_cast<std::size_t>(*link)].next;
  t.next = *link;
  *link = index;
  this->wake_at(ready_at);
}

template <class TRAITS>
void read_only_cache<TRAITS>::send_fill() {
  if (unsent_.empty() || !fill.can_request()) return;
  const unsigned index = unsent_.front();
  mshr& m = mshrs_[index];
  memory_payload& payload = pool_.get();
  payload.prepare(tlm::TLM_READ_COMMAND, m.line + m.chunks_sent * chunk_bytes_, chunk_bytes_);
  payload.set_data_ptr(line_buffer(index) + m.chunks_sent * chunk_bytes_);
  payload.extension() = m.origin;
  payload.extension().kind = memory_kind::fill;
  payload.extension().caches_missed = 0;
  payload.extension().tag = index;
  fill.request(payload);
  if (++m.chunks_sent == chunks_per_line_) unsent_.erase(unsent_.begin());
  if (!unsent_.empty()) this->wake_next();
}

template <class TRAITS>
void read_only_cache<TRAITS>::publish(tlm_bus::signal_writer& to) {
  const auto mshrs = static_cast<unsigned>(std::min<std::size_t>(mshrs_.size(), 64));
  std::uint64_t busy = 0;
  for (unsigned i = 0; i < mshrs; ++i) busy |= std::uint64_t{mshrs_[i].chunks_missing != 0} << i;
  to.mask("mshrs", mshrs, busy);
  to.number("in_service", 16, transactions_.size() - free_transactions_.size());
}

template class read_only_cache<tlm_bus::base_protocol>;
template class read_only_cache<gpu_memory_protocol>;

}  // namespace gt200::model
