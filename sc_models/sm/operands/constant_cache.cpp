#include "sc_models/sm/operands/constant_cache.h"

#include <algorithm>
#include <cstring>

namespace gt200::model {

constant_cache::constant_cache(const sc_core::sc_module_name& name, tlm_bus::clock_domain& domain,
                               const config::sm_config& config, const memory_extension& origin)
    : stage(name, domain),
      fill("fill", *this),
      config_(config.constant_cache),
      origin_(origin),
      lines_(config.constant_cache.lines()),
      data_(config.constant_cache.bytes),
      mshrs_(config.constant_cache.mshrs),
      mshrs_busy_("mshrs", config.constant_cache.mshrs) {
  origin_.space = memory_space::constant;
  origin_.kind = memory_kind::fill;
}

void constant_cache::invalidate() {
  std::fill(lines_.begin(), lines_.end(), line{});
  for (mshr& m : mshrs_) m.void_on_arrival = m.busy;
}

void constant_cache::settle() {
  if (arrived_ == nullptr || arrived_at_ >= cycle()) return;
  const std::uint64_t tag = arrived_->get_address();
  const auto set = static_cast<std::size_t>(tag / config_.line_bytes % config_.sets());
  const auto first = lines_.begin() + static_cast<std::ptrdiff_t>(set * config_.ways);
  // An absent line has used_at 0 and is replaced first.
  const auto victim = std::min_element(first, first + static_cast<std::ptrdiff_t>(config_.ways),
                                       [](const line& a, const line& b) { return a.used_at < b.used_at; });
  const auto index = static_cast<std::size_t>(victim - lines_.begin());
  for (mshr& m : mshrs_) {
    if (!m.busy || m.address != tag) continue;
    m.busy = false;
    latencies.add(*arrived_, arrived_at_ + 1 - m.taken_at);
    mshrs_busy_.left(arrived_at_ + 1);
    if (m.void_on_arrival) continue;
    std::memcpy(&data_[index * config_.line_bytes], arrived_->get_data_ptr(), config_.line_bytes);
    *victim = {tag, ++uses_};
  }
  arrived_->release();
  arrived_ = nullptr;
}

int constant_cache::find(std::uint64_t address) {
  settle();
  const auto set = static_cast<std::size_t>(address / config_.line_bytes % config_.sets());
  for (std::size_t i = set * config_.ways; i < (set + 1) * config_.ways; ++i)
    if (lines_[i].tag == tag_of(address)) return static_cast<int>(i);
  return -1;
}

const std::uint8_t* constant_cache::look_up(std::uint64_t address) {
  const int index = find(address);
  if (index < 0) return nullptr;
  return &data_[static_cast<std::size_t>(index) * config_.line_bytes + address % config_.line_bytes];
}

void constant_cache::used(std::uint64_t address) {
  const int index = find(address);
  if (index < 0) return;
  lines_[static_cast<std::size_t>(index)].used_at = ++uses_;
  ++hits;
}

void constant_cache::fetch(std::uint64_t address) {
  settle();
  mshr* free = nullptr;
  for (mshr& m : mshrs_) {
    if (m.busy && m.address == tag_of(address)) return;
    if (!m.busy && free == nullptr) free = &m;
  }
  if (free == nullptr) return;  // who waits asks again when a line has arrived: an MSHR is free then
  *free = {true, false, tag_of(address), false, cycle()};
  mshrs_busy_.entered(cycle());
  ++misses;
  wake_next();
}

void constant_cache::tick() {
  // 1. A line arrives; it can be read from the next cycle on.
  settle();
  if (auto* payload = fill.response()) {
    fill.take_response();
    arrived_ = payload;
    arrived_at_ = cycle();
    wake_next();
    arrival_.notify(domain());
  }
  // 2. One miss per cycle goes to the L2.
  for (mshr& m : mshrs_) {
    if (!m.busy || m.requested || m.taken_at == cycle()) continue;
    if (!fill.can_request()) return;
    auto& payload = payloads_.get();
    payload.prepare(tlm::TLM_READ_COMMAND, m.address, config_.line_bytes);
    payload.extension() = origin_;
    payload.extension().transaction_id += ++transactions_;
    fill.request(payload);
    m.requested = true;
    wake_next();
    return;
  }
}

}  // namespace gt200::model
