#include "sc_models/cache/read_only_cache.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "tlm_bus/state_image.h"

namespace gt200::model {

using tlm_bus::cycle_t;

template <class TRAITS>
read_only_cache<TRAITS>::read_only_cache(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                                         const config::cache_config& config, const cache_ports& ports)
    : stage(name, domain),
      fill("fill", *this, ports.fill_latency + 1, ports.fill_latency),
      control("control"),
      hit_latency_(config.hit_latency_cycles),
      perfect_(ports.perfect),
      max_in_service_(config.hit_latency_cycles + config.mshrs),
      tags_(config, this->name()),
      data_(tags_.lines(), config.line_bytes),
      mshrs_(config.mshrs),
      mshrs_busy_("mshrs", config.mshrs),
      waiting_(config.mshrs),
      fills_(fill, {config.mshrs, config.line_bytes, ports.largest_fill_bytes, fill_order::oldest_miss, false}),
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
  invalidation_.give(this->domain().driver().now());
}

template <class TRAITS>
void read_only_cache<TRAITS>::tick() {
  // 1. An invalidation requested before this cycle takes effect.
  if (invalidation_.take(this->now())) {
    tags_.invalidate();
    mshrs_.invalidate();
  }
  // 2. A fill arrives and serves the requests that wait for its line.
  take_fill();
  // 3. One complete request per port is answered.
  for (unsigned port = 0; port < ports_.size(); ++port) answer(port);
  // 4. One look-up.
  look_up();
  // 5. One fill transaction is sent.
  if (fills_.send(this->cycle() + 1) && fills_.has_to_send()) this->wake_next();
}

template <class TRAITS>
void read_only_cache<TRAITS>::take_fill() {
  const auto filled = fills_.receive();
  if (!filled) return;
  mshrs_busy_.left(this->cycle());
  const mshr_file::entry& m = mshrs_[filled->mshr];
  const bool failed = filled->status != tlm::TLM_OK_RESPONSE;
  if (!m.invalidated && !failed) data_.fill(tags_.allocate(m.line).line, filled->data);
  waiting_.serve(filled->mshr, [&](const waiting_part& part) {
    transaction& t = transactions_[static_cast<std::size_t>(part.transaction)];
    t.caches_missed = std::max(t.caches_missed, static_cast<std::uint8_t>(filled->caches_missed + 1));
    if (failed)
      t.status = filled->status;
    else
      copy_part(*t.payload, part.offset, filled->data);
    if (--t.parts_missing == 0 && t.looked_up)
      queue_answer(part.transaction, std::max(t.ready_at, this->cycle() + 1));
  });
  fill_latency.add(this->cycle() - m.taken_at);
  mshrs_.release(filled->mshr);
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
    if (ports_[port].transaction < 0 && ports_[port].in_service == max_in_service_) continue;
    candidates |= std::uint64_t{1} << port;
  }
  const int chosen = turn_.choose(candidates);
  if (chosen < 0) return;
  turn_.granted(chosen);
  this->note_activity();
  const auto port = static_cast<unsigned>(chosen);
  look_up_part(port, *requests[port].request());
  // Requests that remain in a port do not wake the stage again.
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
  const line_index line = tags_.find(address);
  if (line == no_line) return perfect_ ? fill_at_once(address) : nullptr;
  tags_.used(line);
  return data_.data(line);
}

// Idealisation: reads a line from the memory behind in zero time. Null if the memory does not have it.
template <class TRAITS>
const std::uint8_t* read_only_cache<TRAITS>::fill_at_once(std::uint64_t address) {
  std::vector<std::uint8_t> bytes(tags_.line_bytes());
  if (!read_at_once(fill, tags_.line_of(address), bytes.data(), tags_.line_bytes())) return nullptr;
  const line_index line = tags_.allocate(address).line;
  data_.fill(line, bytes.data());
  return data_.data(line);
}

// Makes a part of a transaction wait for its line and starts the fetch unless the line is in flight. Returns false
// if no MSHR is free.
template <class TRAITS>
bool read_only_cache<TRAITS>::wait_for_line(int index, std::uint64_t address, tlm::tlm_generic_payload& payload) {
  const std::uint64_t line = tags_.line_of(address);
  unsigned mshr = mshrs_.find(line);
  if (mshr != mshr_file::none) {
    ++merged;
  } else {
    mshr = mshrs_.take(line, this->cycle());
    if (mshr == mshr_file::none) return false;
    ++misses;
    mshrs_busy_.entered(this->cycle());
    const memory_extension* cause = extension_of(payload);
    fills_.start(mshr, line, cause != nullptr ? *cause : memory_extension(), this->cycle());
  }
  transaction& t = transactions_[static_cast<std::size_t>(index)];
  waiting_.add(mshr, {index, static_cast<unsigned>(ports_[t.port].position)});
  ++t.parts_missing;
  return true;
}

template <class TRAITS>
unsigned read_only_cache<TRAITS>::end_of_part(const tlm::tlm_generic_payload& payload, unsigned offset) const {
  const std::uint64_t next_line = tags_.line_of(payload.get_address() + offset) + tags_.line_bytes();
  return static_cast<unsigned>(
      std::min<std::uint64_t>(payload.get_data_length(), next_line - payload.get_address()));
}

template <class TRAITS>
void read_only_cache<TRAITS>::copy_part(tlm::tlm_generic_payload& payload, unsigned offset,
                                        const std::uint8_t* line) const {
  const std::uint64_t address = payload.get_address() + offset;
  std::memcpy(payload.get_data_ptr() + offset, line + (address - tags_.line_of(address)),
              end_of_part(payload, offset) - offset);
}

// Responses of a port leave in the order of their due times, hits and misses mixed.
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
void read_only_cache<TRAITS>::publish(tlm_bus::signal_writer& to) {
  // From the highest bit down: the MSHR that is allocated first has the highest bit.
  const unsigned shown = std::min(mshrs_.size(), 64u);
  std::uint64_t busy = 0;
  for (unsigned i = 0; i < shown; ++i) busy |= std::uint64_t{mshrs_[mshrs_.size() - 1 - i].busy} << i;
  to.outstanding().mask("mshrs", shown, busy);
  to.outstanding().number("in_service", 16, transactions_.size() - free_transactions_.size());
}

template <class TRAITS>
void read_only_cache<TRAITS>::visit_state(tlm_bus::state_image& state) {
  state.fixed(hit_latency_, perfect_, max_in_service_);
  state(tags_, data_, mshrs_, mshrs_busy_, waiting_, fills_, request_queues_, transactions_, free_transactions_,
        ports_, turn_, invalidation_);
}

template class read_only_cache<tlm_bus::base_protocol>;
template class read_only_cache<gpu_memory_protocol>;

}  // namespace gt200::model
