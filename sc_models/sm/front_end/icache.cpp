#include "sc_models/sm/front_end/icache.h"

#include <algorithm>
#include <cstring>

namespace gt200::model {

icache::icache(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain, const config::sm_config& config,
               const memory_extension& origin)
    : stage(name, domain),
      requests("requests", *this, config.fetch.queue_entries, config.icache.hit_latency_cycles),
      out("out", *this),
      fill("fill", *this),
      config_(config.icache),
      line_words_(config.icache.line_bytes / 4),
      line_shift_(static_cast<unsigned>(__builtin_ctz(config.icache.line_bytes))),
      sets_(config.icache.sets()),
      origin_(origin),
      lines_(config.icache.lines()),
      data_(std::size_t{config.icache.lines()} * line_words_),
      mshrs_(config.icache.mshrs) {
  origin_.space = memory_space::instruction;
  origin_.kind = memory_kind::fill;
  waiting_.reserve(std::size_t{max_warps} * 16);
}

void icache::invalidate() {
  std::fill(lines_.begin(), lines_.end(), line{});
  for (mshr& m : mshrs_) m.void_on_arrival = m.busy;
}

int icache::find(std::uint64_t address) {
  settle();
  const std::uint64_t tag = tag_of(address);
  // Mostly it is the line of the look-up before.
  if (lines_[found_].tag == tag) return static_cast<int>(found_);
  const std::size_t first = first_way(address);
  for (std::size_t index = first; index < first + config_.ways; ++index) {
    if (lines_[index].tag != tag) continue;
    found_ = index;
    return static_cast<int>(index);
  }
  return -1;
}

unsigned icache::length_at(const grid_descriptor& grid, isa::code_address pc) {
  if (pc >= grid.code_bytes) return 0;
  const std::uint64_t address = grid.code_base + pc;
  const int index = find(address);
  if (index < 0) return 0;
  const std::uint32_t word = words_of(index)[word_in_line(address)];
  return (word & 1u) != 0 ? 8 : 4;
}

// Reads the instructions of a fetch. False: a line is absent, its address in `missing_address`.
bool icache::read(const fetch_token& token, fetched_token& fetched, std::uint64_t& missing_address) {
  fetched.warp = token.warp;
  fetched.epoch = token.epoch;
  fetched.grid = token.grid;
  fetched.pc = token.pc;
  fetched.requested = token.count;
  fetched.sequential_known = token.sequential_known;
  fetched.met = token.met;
  fetched.count = 0;
  isa::code_address pc = token.pc;
  unsigned words = 0;
  for (unsigned i = 0; i < token.count; ++i) {
    if (pc >= token.grid->code_bytes) {
      fetched.invalid_pc = i == 0;
      break;
    }
    const std::uint64_t address = token.grid->code_base + pc;
    const int index = find(address);
    if (index < 0) {
      missing_address = address;
      return false;
    }
    const std::uint32_t* line_words = words_of(index);
    const unsigned position = word_in_line(address);
    fetched.words[words++] = line_words[position];
    if ((line_words[position] & 1u) != 0) {
      // A long instruction that is not 8-byte aligned has no second word here; decode refuses it.
      fetched.words[words++] = position + 1 < line_words_ ? line_words[position + 1] : 0;
      pc += 8;
    } else {
      pc += 4;
    }
    ++fetched.count;
  }
  return true;
}

void icache::deliver(const fetched_token& fetched) {
  out.send(fetched);
  if (fetched.count == 0) return;
  lines_[static_cast<std::size_t>(find(fetched.grid->code_base + fetched.pc))].used_at = ++uses_;
}

void icache::set_missing(unsigned warp, bool value) {
  const warp_mask bit = warp_bit(warp);
  if (((waiting_warps_ & bit) != 0) == value) return;
  waiting_warps_ ^= bit;
  missing_.change(domain()) = waiting_warps_;
}

// Sees to it that the line comes, if an MSHR is free.
icache::miss icache::start_miss(std::uint64_t address) {
  const std::uint64_t tag = tag_of(address);
  mshr* free = nullptr;
  for (mshr& m : mshrs_) {
    if (m.busy && m.address == tag) return miss::merged;
    if (!m.busy && free == nullptr) free = &m;
  }
  if (free == nullptr) return miss::no_mshr;
  *free = {true, false, false, tag, cycle()};
  ++unrequested_;
  return miss::reserved;
}

void icache::place_line() {
  const std::uint64_t tag = arrived_->get_address();
  const auto first = lines_.begin() + static_cast<std::ptrdiff_t>(first_way(tag));
  // An absent line has used_at 0 and is replaced first.
  const auto victim = std::min_element(first, first + static_cast<std::ptrdiff_t>(config_.ways),
                                       [](const line& a, const line& b) { return a.used_at < b.used_at; });
  const auto index = static_cast<std::size_t>(victim - lines_.begin());
  for (mshr& m : mshrs_) {
    if (!m.busy || m.address != tag) continue;
    m.busy = false;
    mshr_cycles += arrived_at_ + 1 - m.since;
    latencies.add(*arrived_, arrived_at_ + 1 - m.since);
    if (m.void_on_arrival) continue;
    std::memcpy(&data_[index * line_words_], arrived_->get_data_ptr(), config_.line_bytes);
    *victim = {tag, ++uses_};
  }
  arrived_->release();
  arrived_ = nullptr;
}

void icache::take_fill() {
  settle();
  auto* payload = fill.response();
  if (payload == nullptr) return;
  fill.take_response();
  arrived_ = payload;
  arrived_at_ = cycle();
  ++fills;
  wake_next();
}

void icache::send_request() {
  if (unrequested_ == 0) return;
  for (mshr& m : mshrs_) {
    if (!m.busy || m.requested) continue;
    if (!fill.can_request()) return;
    auto& payload = payloads_.get();
    payload.prepare(tlm::TLM_READ_COMMAND, m.address, config_.line_bytes);
    payload.extension() = origin_;
    payload.extension().transaction_id += ++transactions_;
    fill.request(payload);
    m.requested = true;
    --unrequested_;
    wake_next();
    return;
  }
}

void icache::tick() {
  // 1. A line arrives; it can be read from the next cycle on.
  take_fill();
  // 2. One fetch is delivered per cycle: the oldest waiting one whose line has come, else a new one.
  bool delivered = false;
  if (!waiting_.empty() && out.can_send()) {
    warp_mask passed = 0;  // warps with an older fetch still waiting
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
      const fetch_token token = waiting_[i];
      if ((passed & warp_bit(token.warp)) != 0) continue;
      passed |= warp_bit(token.warp);
      fetched_token fetched;
      std::uint64_t address = 0;
      if (!read(token, fetched, address)) {
        start_miss(address);
        continue;
      }
      deliver(fetched);
      delivered = true;
      waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(i));
      const bool more =
          std::any_of(waiting_.begin(), waiting_.end(), [&](const fetch_token& t) { return t.warp == token.warp; });
      if (!more) set_missing(token.warp, false);
      if (!waiting_.empty()) wake_next();
      break;
    }
  }
  if (const auto* token = requests.front()) {
    fetched_token fetched;
    std::uint64_t address = 0;
    const bool behind = (waiting_warps_ & warp_bit(token->warp)) != 0;
    if (!behind && read(*token, fetched, address)) {
      if (!delivered && out.can_send()) {
        ++hits;
        deliver(fetched);
        requests.pop();
      } else if (delivered) {
        wake_next();
      }
    } else {
      const miss answer = behind ? miss::merged : start_miss(address);
      ++(answer == miss::merged ? merged : misses);
      if (answer == miss::no_mshr) ++mshr_full;
      waiting_.push_back(*token);
      set_missing(token->warp, true);
      requests.pop();
    }
  }
  // 3. One miss per cycle goes to the L2.
  send_request();
}

void icache::publish(tlm_bus::signal_writer& to) {
  std::uint64_t busy = 0;
  for (std::size_t i = 0; i < mshrs_.size() && i < 64; ++i) busy |= std::uint64_t{mshrs_[i].busy} << i;
  to.mask("missing", max_warps, missing_.next());
  to.mask("mshrs", static_cast<unsigned>(std::min<std::size_t>(mshrs_.size(), 64)), busy);
  to.number("fetches_waiting", 8, waiting_.size());
}

}  // namespace gt200::model
