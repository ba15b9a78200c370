#include "sc_models/texture/l1.h"

#include <algorithm>
#include <string>
#include <vector>

#include "sc_models/ids.h"
#include "tlm_bus/state_image.h"
#include "toolchain/bits.h"

namespace gt200::model {

texture_l1::texture_l1(const sc_core::sc_module_name& name, tlm_bus::clock_domain& uncore,
                       const config::texture_l1_config& config, unsigned tpc, bool perfect, unsigned write_latency)
    : stage(name, uncore),
      from_address("from_address", *this, 2),
      fills("fills", *this),
      to_filter("to_filter", *this),
      config_(config),
      tpc_(tpc),
      perfect_(perfect),
      queue_(config.mshrs + config.hit_latency_cycles),
      fifo_("fifo", config.mshrs + config.hit_latency_cycles),
      mshrs_(config.mshrs),
      mshrs_busy_("mshrs", config.mshrs),
      places_(config.mshrs),
      line_fill_(fills, {config.mshrs, config.line_bytes}) {
  if (write_latency != 0)
    texture_writes =
        std::make_unique<tlm_bus::pipe_in<texture_write_token>>("texture_writes", *this, 2, write_latency);
  for (unsigned i = 0; i < config.instances; ++i) {
    const std::string number = std::to_string(i);
    to_cache.emplace_back(("to_cache_" + number).c_str());
    caches.emplace_back(("cache_" + number).c_str(), config);
    to_cache[i].bind(caches[i].accesses);
  }
}

void texture_l1::tick() {
  if (invalidation_.take(now())) invalidate_caches();
  if (texture_writes && texture_writes->front() != nullptr) {
    texture_writes->pop();
    invalidate_caches();
  }
  receive_fill();
  deliver();
  look_up();
}

void texture_l1::invalidate_caches() {
  texture_cache_access invalidate;
  invalidate.what = texture_cache_access::command::invalidate;
  for (auto& cache : to_cache) cache.send(invalidate);
}

void texture_l1::receive_fill() {
  const auto filled = line_fill_.receive();
  if (!filled) return;
  const place& to = places_[filled->mshr];
  texture_cache_access fill;
  fill.line = to.line;
  if (filled->status == tlm::TLM_OK_RESPONSE) {
    fill.what = texture_cache_access::command::fill;
    fill.data = filled->data;
    fill.caches_missed = filled->caches_missed + 1u;
  } else {
    fill.what = texture_cache_access::command::fail;
    ++faults;
  }
  to_cache[to.cache].send(fill);
  lines_may_have_come_ = true;
  mshrs_.release(filled->mshr);
  mshrs_busy_.left(cycle());
}

void texture_l1::deliver() {
  if (used_ == 0) return;
  waiting_access& oldest = queue_[head_];
  read_texels(*oldest.access);
  if (oldest.access->uses != 0 || (used_ == 1 && looking_up_)) return;
  if (cycle() < oldest.ready_at) {
    wake_at(oldest.ready_at);
    return;
  }
  if (!to_filter.can_send()) return;
  to_filter.send({oldest.access});
  fifo_.left(cycle());
  head_ = head_ + 1 == queue_.size() ? 0 : head_ + 1;
  lines_may_have_come_ = true;
  if (--used_ != 0) wake_next();
}

void texture_l1::read_texels(texture_access& access) {
  if (access.uses == 0 || !lines_may_have_come_) return;
  lines_may_have_come_ = false;
  auto& cache = to_cache[cache_of(access)];
  unsigned kept = 0;
  for (unsigned i = 0; i < access.uses; ++i) {
    const texture_access::line_use use = access.use[i];
    texture_cache_access read;
    read.what = texture_cache_access::command::read;
    read.line = use.line;
    read.lanes = use.lanes;
    read.addresses = access.physical[use.tap];
    read.texels = access.texel[use.tap];
    cache.send(read);
    if (read.expected) {
      access.use[kept++] = use;
      continue;
    }
    if (read.failed) report_failure(access, use);
    if (use.missed)
      access.operation->caches_missed =
          std::max(access.operation->caches_missed, static_cast<std::uint8_t>(read.caches_missed));
  }
  access.uses = kept;
}

void texture_l1::report_failure(const texture_access& access, const texture_access::line_use& use) {
  warp_instruction& operation = *access.operation;
  const auto lowest = static_cast<unsigned>(__builtin_ctz(use.lanes));
  const isa::lane_mask below = (isa::lane_mask{1} << lowest) - 1;
  if (operation.fault == arch_state::fault_kind::none || (operation.fault_lanes & below) == 0)
    operation.fault_address = access.address(lowest, use.tap);
  operation.fault = arch_state::fault_kind::unmapped_address;
  operation.fault_lanes |= use.lanes;
}

void texture_l1::look_up() {
  // 1. The next instruction enters the queue.
  if (!looking_up_) {
    const texture_access_token* token = from_address.front();
    if (token == nullptr || used_ == queue_.size()) return;
    queue_[(head_ + used_) % queue_.size()].access = token->access;
    for (unsigned tap = 0; tap < token->access->taps; ++tap) lanes_left_[tap] = token->access->lanes;
    looking_up_ = true;
    fifo_.entered(cycle());
    ++used_;
    from_address.pop();
  }

  // 2. Find lines for the lowest lanes without one, and for all other lanes that read the same lines.
  waiting_access& w = queue_[(head_ + used_ - 1) % queue_.size()];
  texture_access& access = *w.access;
  unsigned tap = tap_left(access);
  for (unsigned n = 0; n < config_.lookups_per_cycle && tap != sampling::max_taps; ++n, tap = tap_left(access)) {
    const std::uint64_t address =
        access.physical[tap][__builtin_ctz(lanes_left_[tap])] & ~std::uint64_t{config_.line_bytes - 1};
    const line_index line = find_line(address, access);
    if (line == no_line) {
      if (n != 0) wake_next();
      return;
    }
    use_line(access, line, address);
  }
  if (tap != sampling::max_taps) {
    wake_next();
    return;
  }
  looking_up_ = false;
  w.ready_at = cycle() + config_.hit_latency_cycles;
  wake_at(w.ready_at);
  if (from_address.occupancy() != 0) wake_next();  // it may have arrived during the look-ups
}

unsigned texture_l1::tap_left(const texture_access& access) const {
  unsigned tap = 0;
  while (tap < access.taps && lanes_left_[tap] == 0) ++tap;
  return tap == access.taps ? sampling::max_taps : tap;
}

void texture_l1::use_line(texture_access& access, line_index line, std::uint64_t address) {
  const std::uint64_t last = address + config_.line_bytes - 1;
  const unsigned first_use = access.uses;
  for (unsigned tap = 0; tap < access.taps; ++tap) {
    isa::lane_mask lanes = 0;
    for (const unsigned lane : set_bits(lanes_left_[tap])) {
      const std::uint64_t texel = access.physical[tap][lane];
      if (texel >= address && texel <= last) lanes |= isa::lane_mask{1} << lane;
    }
    if (lanes == 0) continue;
    access.use[access.uses++] = {static_cast<std::uint16_t>(line), static_cast<std::uint8_t>(tap), false, lanes};
    lanes_left_[tap] &= ~lanes;
  }
  texture_cache_access pin;
  pin.what = texture_cache_access::command::pin;
  pin.line = line;
  pin.uses = access.uses - first_use;
  to_cache[cache_of(access)].send(pin);
  for (unsigned i = first_use; i < access.uses; ++i) access.use[i].missed = pin.expected;
  lines_may_have_come_ = true;
}

line_index texture_l1::find_line(std::uint64_t address, const texture_access& access) {
  const unsigned number = cache_of(access);
  texture_cache_access found;
  found.address = address;
  to_cache[number].send(found);
  if (found.line != no_line) {
    ++hits;
    return found.line;
  }
  if (perfect_ && found.room) {
    const line_index line = fill_at_once(number, address);
    if (line != no_line) return line;
  }
  if (!found.room || mshrs_.full() || !fills.can_request()) return no_line;
  texture_cache_access expected;
  expected.what = texture_cache_access::command::expect;
  expected.address = address;
  to_cache[number].send(expected);
  const line_index line = expected.line;
  const unsigned mshr = mshrs_.take(address, cycle());
  places_[mshr] = {number, line};
  mshrs_busy_.entered(cycle());
  line_fill_.start(mshr, address, extension_of_fill(*access.operation), cycle());
  line_fill_.send(cycle() + 1);
  ++misses;
  return line;
}

// Idealisation: reads a line from the memory behind in zero time. no_line if the memory does not have it.
line_index texture_l1::fill_at_once(unsigned cache, std::uint64_t address) {
  std::vector<std::uint8_t> bytes(config_.line_bytes);
  if (!read_at_once(fills, address, bytes.data(), config_.line_bytes)) return no_line;
  texture_cache_access line;
  line.what = texture_cache_access::command::expect;
  line.address = address;
  to_cache[cache].send(line);
  line.what = texture_cache_access::command::fill;
  line.data = bytes.data();
  to_cache[cache].send(line);
  ++hits;
  return line.line;
}

memory_extension texture_l1::extension_of_fill(const warp_instruction& operation) const {
  memory_extension extension;
  extension.transaction_id = id_base(id_kind::texture, tpc_);
  extension.instruction_id = operation.id;
  extension.tpc = static_cast<std::uint8_t>(tpc_);
  extension.sm = operation.sm;
  extension.warp = operation.warp;
  extension.space = memory_space::texture;
  return extension;
}

void texture_l1::invalidate() {
  invalidation_.give(domain().driver().now());
  wake_from_outside();
}

void texture_l1::publish(tlm_bus::signal_writer& to) {
  to.outstanding().number("instructions_waiting", 16, used_);
  to.outstanding().number("fills_outstanding", 16, mshrs_.busy());
}

void texture_l1::visit_state(tlm_bus::state_image& state) {
  state.fixed(tpc_, perfect_);
  state(lanes_left_, queue_, fifo_, mshrs_, mshrs_busy_, places_, line_fill_, head_, used_, lines_may_have_come_,
        looking_up_, invalidation_);
}

}  // namespace gt200::model
