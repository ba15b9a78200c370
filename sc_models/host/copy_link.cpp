#include "sc_models/host/copy_link.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "sc_models/host/copy_time.h"

namespace gt200::model {

using tlm_bus::femtoseconds;
using tlm_bus::no_time;

copy_link::copy_link(const config::host_config& config, unsigned packets, forward_call forward,
                     progress_call progress)
    : config_(config), packets_(packets), forward_(std::move(forward)), progress_(std::move(progress)) {}

bool copy_link::idle() const { return lanes_[0].copies.empty() && lanes_[1].copies.empty(); }

void copy_link::begin(copy_direction direction, std::uint64_t address, std::uint8_t* data, std::size_t bytes) {
  of(direction).copies.push_back({address, data, bytes, copies_begun_++, 0, bytes});
}

femtoseconds copy_link::carry(femtoseconds now) {
  while (carry_to_device(now) || carry_from_device(now) || send(now)) {
  }
  femtoseconds next = no_time;
  for (const lane& l : lanes_) {
    if (l.crossing != nullptr) next = std::min(next, l.crossing->at);
    // Those that wait for the link go on when it is free.
    const bool waits =
        &l == &lanes_[static_cast<std::size_t>(copy_direction::from_device)] && l.crossing != nullptr;
    if (!waits && !l.answered.empty()) next = std::min(next, std::max(l.answered.front()->at, now) + 1);
  }
  if (requested_ != nullptr && request_ended_ != no_time) next = std::min(next, std::max(request_ended_, now) + 1);
  return next;
}

// ---- links ----

copy_link::copy* copy_link::next_copy(lane& l) {
  if (l.under_way >= packets_) return nullptr;
  for (copy& c : l.copies)
    if (c.begun < c.bytes) return must_wait(l, c) ? nullptr : &c;
  return nullptr;
}

// One engine: an older copy of the other direction has not ended.
bool copy_link::must_wait(const lane& l, const copy& c) const {
  const lane& other = &l == &lanes_[0] ? lanes_[1] : lanes_[0];
  return config_.copy_engines < 2 && !other.copies.empty() && other.copies.front().number < c.number;
}

copy_link::packet& copy_link::make_packet(lane& l, copy_direction direction) {
  copy& c = *next_copy(l);
  if (free_.empty()) {
    tlm::tlm_mm_interface* const owner = this;
    all_.push_back(std::make_unique<packet>(owner));
    free_.push_back(all_.back().get());
  }
  packet& p = *free_.back();
  free_.pop_back();
  const auto bytes = static_cast<unsigned>(std::min<std::size_t>(c.bytes - c.begun, config_.pcie_packet_bytes));
  p.acquire();
  p.direction = direction;
  p.part_of = &c;
  p.set_command(direction == copy_direction::to_device ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  p.set_address(c.address + c.begun);
  p.set_data_ptr(c.data + c.begun);
  p.set_data_length(bytes);
  p.set_streaming_width(bytes);
  p.set_byte_enable_ptr(nullptr);
  p.set_dmi_allowed(false);
  p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  c.begun += bytes;
  ++l.under_way;
  return p;
}

// Between packets without a gap no fraction of a femtosecond is lost.
void copy_link::cross(lane& l, packet& p, femtoseconds start) {
  if (start != l.free_at) l.remainder = 0;
  const std::uint64_t parts = bytes_on_link(config_, p.get_data_length()) * femtoseconds_per_us + l.remainder;
  l.remainder = parts % config_.pcie_mb_per_s;
  p.at = l.free_at = start + parts / config_.pcie_mb_per_s;
  l.crossing = &p;
}

// Both return true if something has happened.
bool copy_link::carry_to_device(femtoseconds now) {
  lane& l = of(copy_direction::to_device);
  while (!l.answered.empty() && l.answered.front()->at < now) {
    l.answered.front()->release();
    l.answered.pop_front();
    --l.under_way;
  }
  if (l.crossing != nullptr && l.crossing->at <= now) requests_.push_back(std::exchange(l.crossing, nullptr));
  if (l.crossing != nullptr || next_copy(l) == nullptr) return false;
  cross(l, make_packet(l, copy_direction::to_device), now);
  return true;
}

bool copy_link::carry_from_device(femtoseconds now) {
  lane& l = of(copy_direction::from_device);
  bool acted = false;
  for (; next_copy(l) != nullptr; acted = true) requests_.push_back(&make_packet(l, copy_direction::from_device));
  if (l.crossing != nullptr && l.crossing->at <= now) {
    packet& p = *std::exchange(l.crossing, nullptr);
    arrived(p);
    p.release();
    --l.under_way;
    acted = true;
  }
  if (l.crossing == nullptr && !l.answered.empty() && l.answered.front()->at < now) {
    packet& p = *l.answered.front();
    l.answered.pop_front();
    cross(l, p, std::max(l.free_at, p.at));
    acted = true;
  }
  return acted;
}

void copy_link::arrived(packet& p) {
  lane& l = of(p.direction);
  copy& c = *p.part_of;
  c.left -= p.get_data_length();
  progress_(p.direction, p.get_data_length());
  if (c.left == 0) l.copies.remove_if([&](const copy& one) { return &one == &c; });
}

// ---- the socket ----

bool copy_link::send(femtoseconds now) {
  if (requested_ != nullptr && request_ended_ < now) {
    requested_ = nullptr;
    request_ended_ = no_time;
  }
  if (requested_ != nullptr || requests_.empty()) return false;
  packet& p = *requests_.front();
  requests_.pop_front();
  requested_ = &p;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay;
  const tlm::tlm_sync_enum result = forward_(p, phase, delay);
  const femtoseconds at = now + delay.value();
  if (result == tlm::TLM_ACCEPTED) return true;
  if (at == now) {
    requested_ = nullptr;
    request_ended_ = no_time;
  } else {
    request_ended_ = at;
  }
  if (result == tlm::TLM_COMPLETED) {
    answered(p, at);
  } else if (phase == tlm::BEGIN_RESP) {
    answered(p, at);
    phase = tlm::END_RESP;
    forward_(p, phase, delay);
  }
  return true;
}

tlm::tlm_sync_enum copy_link::backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, femtoseconds now) {
  if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  if (&payload == requested_ && request_ended_ == no_time) request_ended_ = now;
  if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
  answered(static_cast<packet&>(payload), now);
  phase = tlm::END_RESP;
  return tlm::TLM_COMPLETED;
}

void copy_link::answered(packet& p, femtoseconds at) {
  if (p.part_of == nullptr) return p.release();
  if (p.is_response_error() && error_.empty())
    error_ =
        "the chip answers an access to " + std::to_string(p.get_address()) + " with " + p.get_response_string();
  p.at = at;
  of(p.direction).answered.push_back(&p);
  if (p.direction == copy_direction::to_device) arrived(p);
}

void copy_link::free(tlm::tlm_generic_payload* released) {
  released->reset();
  free_.push_back(static_cast<packet*>(released));
}

void copy_link::forget() {
  // 1. What the chip does not have is given back.
  for (packet* p : requests_) p->release();
  requests_.clear();
  for (lane& l : lanes_) {
    if (l.crossing != nullptr) l.crossing->release();
    for (packet* p : l.answered) p->release();
  }
  // 2. The rest comes back with an answer.
  for (const std::unique_ptr<packet>& p : all_) p->part_of = nullptr;
  lanes_ = {};
  error_.clear();
}

}  // namespace gt200::model
