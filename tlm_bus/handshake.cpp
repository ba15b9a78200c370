#include "tlm_bus/handshake.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "tlm_bus/clocking.h"

namespace gt200::tlm_bus {

bool handshake_sender::can_send() {
  if (sent_cycle_ == owner_.cycle()) {
    owner_.wake_next();
    return false;
  }
  if (awaiting_end_) {
    wanted_ = true;
    return false;
  }
  if (owner_.cycle() < free_at_) {
    owner_.wake_at(free_at_);
    return false;
  }
  return true;
}

void handshake_sender::sent(bool ended) {
  if (awaiting_end_ || sent_cycle_ == owner_.cycle())
    throw std::logic_error(std::string(owner_.name()) + ": transaction begun without permission");
  sent_cycle_ = owner_.cycle();
  awaiting_end_ = !ended;
  owner_.note_activity();
}

void handshake_sender::ended(cycle_t visible_at) {
  if (!awaiting_end_) return;
  awaiting_end_ = false;
  free_at_ = visible_at;
  if (wanted_) {
    wanted_ = false;
    owner_.wake_on_edge(visible_at, 0);
  }
}

handshake_receiver::handshake_receiver(stage& owner, unsigned depth, unsigned latency)
    : owner_(owner), latency_(latency), queue_(depth) {
  if (depth == 0 || latency == 0)
    throw std::invalid_argument(std::string(owner.name()) + ": zero depth or latency");
}

void handshake_receiver::push(tlm::tlm_generic_payload& payload, cycle_t visible_at) {
  const auto size = static_cast<unsigned>(queue_.size());
  unsigned tail = head_ + used_;
  if (tail >= size) tail -= size;
  queue_[tail] = {visible_at, &payload};
  ++used_;
}

bool handshake_receiver::arrive(tlm::tlm_generic_payload& payload, cycle_t first, femtoseconds at) {
  if (waiting_ != nullptr)
    throw std::logic_error(std::string(owner_.name()) + ": BEGIN before the END of the last one");
  const cycle_t visible_at = first + (latency_ - 1);
  if (used_at_start(at) < queue_.size()) {
    push(payload, visible_at);
    if (used_ == 1) owner_.wake_on_edge(first, latency_ - 1);
    return true;
  }
  waiting_ = &payload;
  waiting_visible_at_ = visible_at;
  if (used_ < queue_.size()) owner_.wake_on_edge(first, 0);  // freed in this instant: END at the next edge
  return false;
}

tlm::tlm_generic_payload* handshake_receiver::settle() {
  if (waiting_ == nullptr || used_at_start(owner_.now()) >= queue_.size()) return nullptr;
  tlm::tlm_generic_payload* accepted = waiting_;
  waiting_ = nullptr;
  const cycle_t visible_at = std::max(waiting_visible_at_, owner_.cycle() + 1);
  push(*accepted, visible_at);
  if (used_ == 1) owner_.wake_at(visible_at);
  owner_.note_activity();
  return accepted;
}

tlm::tlm_generic_payload* handshake_receiver::front() {
  if (used_ == 0) return nullptr;
  const entry& e = queue_[head_];
  const cycle_t cycle = owner_.cycle();
  if (e.visible_at > cycle) return nullptr;
  const auto& stalls = owner_.domain().driver().options().stalls;
  if (stalls.per_1024 != 0 && stalls.stalls(name_hash_, cycle)) {
    owner_.wake_next();
    return nullptr;
  }
  return e.payload;
}

void handshake_receiver::pop() {
  if (used_ == 0 || queue_[head_].visible_at > owner_.cycle())
    throw std::logic_error(std::string(owner_.name()) + ": pop without a visible transaction");
  head_ = head_ + 1 == queue_.size() ? 0 : head_ + 1;
  --used_;
  if (popped_at_ != owner_.now()) {
    popped_at_ = owner_.now();
    popped_ = 0;
  }
  ++popped_;
  owner_.note_activity();
  if (used_ != 0) owner_.wake_at(std::max(queue_[head_].visible_at, owner_.cycle() + 1));
  if (waiting_ != nullptr) owner_.wake_next();
}

}  // namespace gt200::tlm_bus
