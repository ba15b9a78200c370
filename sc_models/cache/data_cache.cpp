#include "sc_models/cache/data_cache.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>

#include "sc_models/partition/write_bytes.h"
#include "tlm_bus/state_image.h"

namespace gt200::model {

namespace {

// Bit n: sector n of a line, for all sectors that [offset, offset + bytes) touches.
std::uint32_t sectors_of_part(std::uint32_t offset, std::uint32_t bytes) {
  const std::uint32_t first = offset / line_sector_bytes;
  const std::uint32_t end = (offset + bytes + line_sector_bytes - 1) / line_sector_bytes;
  return ((std::uint32_t{1} << end) - 1) & ~((std::uint32_t{1} << first) - 1);
}

// Answers that may wait while the port is busy, beside those in the pipeline of hits.
constexpr unsigned waiting_answers = 4;

}  // namespace

template <class TRAITS>
data_cache<TRAITS>::data_cache(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                               const config::data_cache_config& config, const data_cache_role& role)
    : stage(name, domain),
      requests("requests", *this, config.request_port_entries, 1,
               [this](tlm::tlm_generic_payload& p) { return debug(p); }),
      memory("memory", *this, role.memory_latency + 1, role.memory_latency),
      control("control"),
      line_control("line_control"),
      rule_(role.rule),
      fetches_(role.fetches),
      hit_latency_(config.hit_latency_cycles),
      miss_queue_entries_(config.miss_queue_entries),
      max_answers_(config.hit_latency_cycles + waiting_answers),
      tags_(config, this->name(), config.index, config.replaces),
      data_(tags_.lines(), config.line_bytes, line_storage::kind::writable),
      sectors_(tags_.lines(), 0),
      fill_of_(tags_.lines(), 0),
      writers_(tags_.lines()),
      mshrs_(config.mshrs),
      mshrs_busy_("mshrs", config.mshrs),
      in_flight_(config.mshrs),
      waiting_(config.mshrs),
      fills_(memory, {config.mshrs, config.line_bytes, config.line_bytes, fill_order::oldest_miss, false}),
      numbers_fills_(role.first_id != 0),
      forgets_after_last_use_(role.forgets_after_last_use),
      last_id_(role.first_id),
      miss_queue_("miss_queue", config.miss_queue_entries),
      request_queue_("request_queue", requests.depth()) {
  if (rule_ == nullptr) throw std::invalid_argument(std::string(this->name()) + ": no rule");
  requests.count_requests(request_queue_);
  control.bind(*this);
  line_control.bind(*this);
}

template <class TRAITS>
void data_cache<TRAITS>::tick() {
  // 1. A command given before this cycle takes effect.
  if (invalidation_.take(this->now())) carry_out_invalidation();
  if (drop_.take(this->now())) carry_out_drop();
  // 2. The end of a fill or of a write-back arrives. A fill serves the requests that wait for its line.
  take_own_response();
  // 3. One request is answered.
  answer();
  // 4. One request is looked up.
  look_up();
  // 5. One transaction goes to memory.
  send();
}

// ---- responses of memory ----

template <class TRAITS>
bool data_cache<TRAITS>::is_own(const tlm::tlm_generic_payload& response) const {
  const memory_kind kind = extension_of(response)->kind;
  return (kind == memory_kind::fill || kind == memory_kind::write_back) &&
         rule_(response) == cache_treatment::cached;
}

template <class TRAITS>
void data_cache<TRAITS>::take_own_response() {
  const tlm::tlm_generic_payload* const response = memory.response();
  if (response == nullptr || !is_own(*response)) return;
  if (response->is_read()) return take_fill();
  auto& done = static_cast<memory_payload&>(memory.take_response());
  if (!done.is_response_ok()) throw std::logic_error(std::string(this->name()) + ": memory refused a write-back");
  write_backs_.erase(std::find(write_backs_.begin(), write_backs_.end(), &done));
  done.release();
}

template <class TRAITS>
void data_cache<TRAITS>::take_fill() {
  const auto filled = fills_.receive();
  if (!filled) return;
  const line_in_flight f = in_flight_[filled->mshr];
  if (!mshrs_[filled->mshr].invalidated) {
    tags_.unpin(f.line);
    if (filled->status == tlm::TLM_OK_RESPONSE) {
      data_.fill(f.line, f.offset, f.bytes, filled->data);
      sectors_[f.line] |= sectors_of_part(f.offset, f.bytes);
      fill_of_[f.line] = f.id;
    }
  }
  serve_waiters(*filled);
}

template <class TRAITS>
void data_cache<TRAITS>::serve_waiters(const filled_line& filled) {
  const bool kept = !mshrs_[filled.mshr].invalidated;
  served_.clear();
  waiting_.serve(filled.mshr, [this](tlm::tlm_generic_payload* waiter) { served_.push_back(waiter); });
  auto next = served_.begin();
  while (next != served_.end() && serve_waiter(**next, filled, kept)) ++next;
  fill_latency.add(this->cycle() - mshrs_[filled.mshr].taken_at);
  mshrs_.release(filled.mshr);
  mshrs_busy_.left(this->cycle());
  if (next == served_.end()) return;
  // The next one needs other sectors of the line; those behind it keep their order.
  const unsigned mshr = fetch(**next, in_flight_[filled.mshr].line);
  while (++next != served_.end()) {
    if ((*next)->is_write()) ++in_flight_[mshr].waiting_stores;
    waiting_.add(mshr, *next);
  }
}

// Returns false if the request needs sectors that have not been fetched.
template <class TRAITS>
bool data_cache<TRAITS>::serve_waiter(tlm::tlm_generic_payload& request, const filled_line& filled, bool kept) {
  const line_in_flight& f = in_flight_[filled.mshr];
  const std::uint32_t offset = tags_.offset_in_line(request.get_address());
  const std::uint32_t bytes = request.get_data_length();
  if (auto* extension = extension_of(request))
    extension->caches_missed = static_cast<std::uint8_t>(filled.caches_missed + 1);
  if (!kept) {
    // The line is gone, but these requests came before that.
    if (request.is_write() || offset < f.offset || offset + bytes > f.offset + f.bytes)
      throw std::logic_error(std::string(this->name()) + ": a line was dropped that an access needs");
    std::memcpy(request.get_data_ptr(), filled.data + (offset - f.offset), bytes);
  } else if (filled.status != tlm::TLM_OK_RESPONSE) {
    answer_next_cycle(request, filled.status);
    return true;
  } else if (request.is_write()) {
    write_line(f.line, request);
  } else if (readable(f.line, offset, bytes)) {
    read_line(f.line, request);
  } else {
    return false;
  }
  answer_next_cycle(request, filled.status);
  return true;
}

// ---- answers ----

template <class TRAITS>
void data_cache<TRAITS>::answer_next_cycle(tlm::tlm_generic_payload& request, tlm::tlm_response_status status) {
  request.set_response_status(status);
  served_answers_.push_back({&request, this->cycle() + 1});
  this->wake_next();
}

template <class TRAITS>
void data_cache<TRAITS>::answer_hit(tlm::tlm_generic_payload& request) {
  request.set_response_status(tlm::TLM_OK_RESPONSE);
  if (auto* extension = extension_of(request)) extension->caches_missed = 0;
  hits_due_.push_back({&request, this->cycle() + hit_latency_});
  this->wake_at(this->cycle() + hit_latency_);
}

template <class TRAITS>
void data_cache<TRAITS>::answer() {
  enum source : int { own = 0, passing = 1 };
  const auto due = [this](const std::deque<answer_due>& queue) {
    return !queue.empty() && queue.front().at <= this->cycle();
  };
  const bool hit = due(hits_due_);
  const bool served = due(served_answers_);
  const tlm::tlm_generic_payload* const response = memory.response();
  const bool passes = response != nullptr && !is_own(*response);
  const std::uint64_t candidates = std::uint64_t{hit || served} << own | std::uint64_t{passes} << passing;
  if (candidates == 0 || !requests.can_respond()) return;
  const int chosen = turn_.choose(candidates);
  turn_.granted(chosen);
  if (chosen == passing) {
    requests.respond(memory.take_response());
  } else {
    // A fill has kept its requests waiting for longer than a hit.
    auto& from = served ? served_answers_ : hits_due_;
    tlm::tlm_generic_payload& payload = *from.front().payload;
    from.pop_front();
    requests.respond(payload);
  }
  if (due(hits_due_) || due(served_answers_) || candidates == 3 || requests.requests_waiting() != 0)
    this->wake_next();
}

// ---- requests ----

template <class TRAITS>
void data_cache<TRAITS>::look_up() {
  if (requests.requests_waiting() == 0) return;
  tlm::tlm_generic_payload* const request = requests.request();
  if (request == nullptr || hits_due_.size() + served_answers_.size() >= max_answers_) return;
  const cache_treatment treatment = rule_(*request);
  const bool done = treatment == cache_treatment::cached        ? serve(*request)
                    : treatment == cache_treatment::controlling ? control_line(*request)
                                                                : pass_on(*request, treatment);
  if (done) requests.take_request();
}

// Returns false if the request must wait: for a fetch of the line, which a store may wait for, or for room.
template <class TRAITS>
bool data_cache<TRAITS>::control_line(tlm::tlm_generic_payload& request) {
  const std::uint64_t address = request.get_address();
  const bool drops = extension_of(request)->kind == memory_kind::drop_line;
  if (queue_full() || mshrs_.find(tags_.line_of(address)) != mshr_file::none) return false;
  const line_index line = tags_.find(address);
  if (drops) {
    drop_line(address);
    observers_.notify([&](data_cache_observer& o) { o.evicted(request); });
  } else if (line != no_line && data_.dirty(line)) {
    write_back(line, tags_.line_of(address));
  }
  answer_hit(request);
  return true;
}

// True if the line is in flight and has, or will have, bytes that memory lacks.
template <class TRAITS>
bool data_cache<TRAITS>::awaits_stores(std::uint64_t address) const {
  const unsigned mshr = mshrs_.find(tags_.line_of(address));
  if (mshr == mshr_file::none) return false;
  const line_in_flight& f = in_flight_[mshr];
  return f.waiting_stores != 0 || data_.dirty(f.line);
}

// Returns false if the request must wait: for room, or for a line that has to be written back before it goes.
template <class TRAITS>
bool data_cache<TRAITS>::pass_on(tlm::tlm_generic_payload& request, cache_treatment treatment) {
  if (queue_full()) return false;
  if (treatment == cache_treatment::evicting && awaits_stores(request.get_address())) return false;
  if (treatment == cache_treatment::evicting) {
    drop_line(request.get_address());
    observers_.notify([&](data_cache_observer& o) { o.evicted(request); });
  }
  queue(&request);
  ++passed;
  return true;
}

template <class TRAITS>
bool data_cache<TRAITS>::serve(tlm::tlm_generic_payload& request) {
  const std::uint64_t address = request.get_address();
  if (tags_.offset_in_line(address) + request.get_data_length() > tags_.line_bytes())
    throw std::logic_error(std::string(this->name()) + ": a request crosses the border of a line");
  const line_index line = tags_.find(address);
  const unsigned mshr = mshrs_.find(tags_.line_of(address));
  if (mshr != mshr_file::none) {
    // A load whose bytes are there needs to wait for stores before it only.
    const bool may_pass = request.is_read() && in_flight_[mshr].waiting_stores == 0 &&
                          readable(line, tags_.offset_in_line(address), request.get_data_length());
    if (!may_pass) return wait_for_line(request, mshr);
  }
  return request.is_read() ? load(request, line) : store(request, line);
}

template <class TRAITS>
bool data_cache<TRAITS>::wait_for_line(tlm::tlm_generic_payload& request, unsigned mshr) {
  ++merged;
  if (request.is_write()) {
    ++merged_stores;
    ++in_flight_[mshr].waiting_stores;
  }
  waiting_.add(mshr, &request);
  observers_.notify([&](data_cache_observer& o) { o.looked_up(request, in_flight_[mshr].id); });
  return true;
}

template <class TRAITS>
bool data_cache<TRAITS>::load(tlm::tlm_generic_payload& request, line_index line) {
  const std::uint32_t offset = tags_.offset_in_line(request.get_address());
  if (line != no_line && readable(line, offset, request.get_data_length())) {
    ++hits;
    use_line(line, request);
    read_line(line, request);
    answer_hit(request);
    observers_.notify([&](data_cache_observer& o) { o.looked_up(request, fill_of_[line]); });
    const memory_extension* const extension = extension_of(request);
    if (forgets_after_last_use_ && extension != nullptr && extension->last_use)
      forget_stored(line, request.get_address());
    return true;
  }
  if (mshrs_.full() || queue_full()) return false;
  if (line == no_line) line = allocate(request.get_address());
  if (line == no_line) return false;
  use_line(line, request);
  ++misses;
  const unsigned mshr = fetch(request, line);
  observers_.notify([&](data_cache_observer& o) { o.looked_up(request, in_flight_[mshr].id); });
  return true;
}

template <class TRAITS>
bool data_cache<TRAITS>::store(tlm::tlm_generic_payload& request, line_index line) {
  if (line == no_line) {
    if (queue_full()) return false;
    line = allocate(request.get_address());
    if (line == no_line) return false;
  }
  use_line(line, request);
  write_line(line, request);
  answer_hit(request);
  observers_.notify([&](data_cache_observer& o) { o.looked_up(request, fill_of_[line]); });
  return true;
}

// Starts to fetch what the request needs of the line, and makes the request wait for it.
template <class TRAITS>
unsigned data_cache<TRAITS>::fetch(tlm::tlm_generic_payload& request, line_index line) {
  const std::uint64_t first_byte = tags_.line_of(request.get_address());
  const unsigned mshr = mshrs_.take(first_byte, this->cycle());
  mshrs_busy_.entered(this->cycle());
  memory_extension origin;
  if (const memory_extension* cause = extension_of(request)) origin = *cause;
  if (numbers_fills_) origin.transaction_id = ++last_id_;
  line_in_flight& f = in_flight_[mshr];
  f = {line, origin.transaction_id, 0, tags_.line_bytes(), 0};
  if (fetches_ == fetch_size::sectors) {
    const std::uint32_t offset = tags_.offset_in_line(request.get_address());
    const std::uint32_t end = offset + request.get_data_length() + line_sector_bytes - 1;
    f.offset = offset / line_sector_bytes * line_sector_bytes;
    f.bytes = end / line_sector_bytes * line_sector_bytes - f.offset;
  }
  tags_.pin(line);
  fills_.start_part(mshr, first_byte + f.offset, f.bytes, origin, this->cycle());
  queue(nullptr);
  waiting_.add(mshr, &request);
  return mshr;
}

// ---- lines ----

template <class TRAITS>
void data_cache<TRAITS>::use_line(line_index line, const tlm::tlm_generic_payload& request) {
  tags_.used(line);
  const memory_extension* const extension = extension_of(request);
  tags_.mark_evict_first(line, extension != nullptr && extension->evict_first);
}

// Nobody needs what was stored in the line.
template <class TRAITS>
void data_cache<TRAITS>::forget_stored(line_index line, std::uint64_t address) {
  if (!data_.dirty(line) || mshrs_.find(tags_.line_of(address)) != mshr_file::none) return;
  data_.clean(line);
  tags_.forget(line);
}

// The bytes have been fetched, or stored since the line was allocated.
template <class TRAITS>
bool data_cache<TRAITS>::readable(line_index line, std::uint32_t offset, std::uint32_t bytes) const {
  const std::uint32_t needed = sectors_of_part(offset, bytes);
  return (sectors_[line] & needed) == needed || data_.dirty(line, offset, bytes);
}

template <class TRAITS>
void data_cache<TRAITS>::write_line(line_index line, const tlm::tlm_generic_payload& request) {
  const std::uint32_t bytes = request.get_data_length();
  const std::uint8_t* const enables = request.get_byte_enable_ptr();
  if (enables != nullptr && request.get_byte_enable_length() < bytes)
    throw std::logic_error(std::string(this->name()) + ": byte enables that repeat");
  data_.write(line, tags_.offset_in_line(request.get_address()), bytes, request.get_data_ptr(), enables);
  if (const memory_extension* e = extension_of(request))
    writers_[line] = {e->tpc, e->sm, e->space, e->transaction_id};
  ++stores;
}

template <class TRAITS>
void data_cache<TRAITS>::read_line(line_index line, tlm::tlm_generic_payload& request) const {
  std::memcpy(request.get_data_ptr(), data_.data(line) + tags_.offset_in_line(request.get_address()),
              request.get_data_length());
}

// A line for `address`, which is not present; the line that had it is written back. no_line if none may give way.
template <class TRAITS>
line_index data_cache<TRAITS>::allocate(std::uint64_t address) {
  const tag_array::allocation place = tags_.allocate(address);
  if (place.line == no_line) return no_line;
  if (data_.dirty(place.line)) write_back(place.line, place.evicted);
  sectors_[place.line] = 0;
  fill_of_[place.line] = 0;
  return place.line;
}

template <class TRAITS>
void data_cache<TRAITS>::write_back(line_index line, std::uint64_t address) {
  memory_payload& payload = pool_.get();
  data_.write_back(line, address, payload);
  const line_writer& writer = writers_[line];
  memory_extension& extension = payload.extension();
  extension.transaction_id = numbers_fills_ ? ++last_id_ : writer.transaction_id;
  extension.tpc = writer.tpc;
  extension.sm = writer.sm;
  extension.space = writer.space;
  extension.kind = memory_kind::write_back;
  write_backs_.push_back(&payload);
  queue(&payload);
  ++write_backs;
}

template <class TRAITS>
void data_cache<TRAITS>::drop_line(std::uint64_t address) {
  const unsigned mshr = mshrs_.find(tags_.line_of(address));
  if (mshr != mshr_file::none) {
    mshrs_.invalidate(mshr);
    tags_.unpin(in_flight_[mshr].line);
  }
  const line_index line = tags_.find(address);
  if (line == no_line) return;
  if (data_.dirty(line)) write_back(line, tags_.line_of(address));
  tags_.forget(line);
  ++evictions;
}

template <class TRAITS>
void data_cache<TRAITS>::invalidate() {
  ++invalidations;
  invalidation_.give(this->domain().driver().now());
}

template <class TRAITS>
void data_cache<TRAITS>::drop_clean_lines() {
  ++invalidations;
  drop_.give(this->domain().driver().now());
}

template <class TRAITS>
void data_cache<TRAITS>::carry_out_invalidation() {
  for (unsigned mshr = 0; mshr < mshrs_.size(); ++mshr)
    if (mshrs_[mshr].busy && !mshrs_[mshr].invalidated) tags_.unpin(in_flight_[mshr].line);
  mshrs_.invalidate();
  tags_.invalidate();
  for (line_index line = 0; line < tags_.lines(); ++line)
    if (data_.dirty(line)) data_.clean(line);
}

// Dirty lines, and those in flight for which a store waits, have bytes that memory lacks.
template <class TRAITS>
void data_cache<TRAITS>::carry_out_drop() {
  for (unsigned mshr = 0; mshr < mshrs_.size(); ++mshr) {
    const line_in_flight& f = in_flight_[mshr];
    if (!mshrs_[mshr].busy || mshrs_[mshr].invalidated || f.waiting_stores != 0 || data_.dirty(f.line)) continue;
    tags_.unpin(f.line);
    mshrs_.invalidate(mshr);
  }
  for (line_index line = 0; line < tags_.lines(); ++line) {
    const std::uint64_t address = tags_.address_of(line);
    if (address == tag_array::no_address || data_.dirty(line)) continue;
    if (mshrs_.busy() == 0 || mshrs_.find(address) == mshr_file::none) tags_.forget(line);
  }
}

// ---- towards memory ----

template <class TRAITS>
void data_cache<TRAITS>::queue(tlm::tlm_generic_payload* payload) {
  to_memory_.push_back(payload);
  miss_queue_.entered(this->cycle());
  this->wake_next();
}

template <class TRAITS>
void data_cache<TRAITS>::send() {
  if (to_memory_.empty() || !memory.can_request()) return;
  if (to_memory_.front() != nullptr)
    memory.request(*to_memory_.front());
  else
    fills_.send(this->cycle() + 1);
  to_memory_.pop_front();
  miss_queue_.left(this->cycle());
  // For what waits here, and for a request that found the queue full.
  if (!to_memory_.empty() || requests.requests_waiting() != 0) this->wake_next();
}

// ---- debug ----

template <class TRAITS>
void data_cache<TRAITS>::show_unwritten(std::uint64_t address, unsigned bytes, std::uint8_t* to) const {
  for (const memory_payload* write : write_backs_) show_write(*write, write->get_address(), address, bytes, to);
  const std::uint64_t end = address + bytes;
  for (std::uint64_t at = address; at < end; at = tags_.line_of(at) + tags_.line_bytes()) {
    const line_index line = tags_.find(at);
    if (line == no_line) continue;
    const std::uint32_t offset = tags_.offset_in_line(at);
    const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(end - at, tags_.line_bytes() - offset));
    data_.for_each_dirty(line, offset, count,
                         [&](std::uint32_t i) { to[at - address + (i - offset)] = data_.data(line)[i]; });
  }
}

template <class TRAITS>
unsigned data_cache<TRAITS>::debug(tlm::tlm_generic_payload& payload) {
  const unsigned moved = memory->transport_dbg(payload);
  if (moved == 0) return 0;
  if (payload.is_read()) show_unwritten(payload.get_address(), payload.get_data_length(), payload.get_data_ptr());
  if (payload.is_write()) {
    for (memory_payload* write : write_backs_)
      renew_write(*write, write->get_address(), payload, payload.get_address());
    renew_lines(payload);
  }
  return moved;
}

template <class TRAITS>
void data_cache<TRAITS>::renew_lines(const tlm::tlm_generic_payload& write) {
  const std::uint64_t first = write.get_address();
  for_each_byte_of(write, first, first, first + write.get_data_length(), [&](std::uint64_t at) {
    const line_index line = tags_.find(at);
    if (line != no_line) data_.renew(line, tags_.offset_in_line(at), write.get_data_ptr()[at - first]);
  });
}

template <class TRAITS>
void data_cache<TRAITS>::publish(tlm_bus::signal_writer& to) {
  to.outstanding().mask("mshrs", std::min(mshrs_.size(), 64u), mshrs_.busy_mask());
  to.outstanding().number("to_memory", 16, to_memory_.size());
  to.outstanding().number("write_backs", 16, write_backs_.size());
  to.outstanding().number("answers", 16, hits_due_.size() + served_answers_.size());
}

template <class TRAITS>
void data_cache<TRAITS>::visit_state(tlm_bus::state_image& state) {
  state.fixed(rule_, fetches_, hit_latency_, miss_queue_entries_, max_answers_, numbers_fills_,
              forgets_after_last_use_);
  state(tags_, data_, sectors_, fill_of_, writers_, mshrs_, mshrs_busy_, in_flight_, waiting_, served_, fills_,
        last_id_);
  state(to_memory_, miss_queue_, request_queue_, pool_, write_backs_, hits_due_, served_answers_, turn_,
        invalidation_, drop_);
}

template class data_cache<tlm_bus::base_protocol>;
template class data_cache<gpu_memory_protocol>;

}  // namespace gt200::model
