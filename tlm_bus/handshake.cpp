#include "tlm_bus/handshake.h"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "tlm_bus/clocking.h"
#include "tlm_bus/queue_counter.h"
#include "tlm_bus/report.h"

namespace gt200::tlm_bus {

bool handshake_sender::can_send() {
  if (sent_cycle_ == owner_.cycle()) {
    owner_.wake_next();
    return false;
  }
  if (border_ != nullptr) return border_->credits.available();
  if (awaited_ != nullptr) {
    if (!owner_.asleep()) wanted_ = true;
    return false;
  }
  if (owner_.cycle() < free_at_) {
    owner_.wake_at(free_at_);
    return false;
  }
  return true;
}

void handshake_sender::begin(const tlm::tlm_generic_payload& payload) {
  if (awaited_ != nullptr || sent_cycle_ == owner_.cycle() || owner_.cycle() < free_at_)
    throw std::logic_error(std::string(owner_.name()) + ": transaction begun without permission");
  sent_cycle_ = owner_.cycle();
  awaited_ = &payload;
  owner_.note_activity();
}

border_credits& handshake_sender::cross_border(crossing_target<tlm::tlm_generic_payload*>& to, unsigned depth) {
  border_.reset(new border{{owner_, depth}, {owner_.domain().driver(), to, depth}});
  return border_->credits;
}

void handshake_sender::cross(tlm::tlm_generic_payload& payload) {
  if (sent_cycle_ == owner_.cycle() || border_->credits.visible() == 0)
    throw std::logic_error(std::string(owner_.name()) + ": transaction begun without permission");
  sent_cycle_ = owner_.cycle();
  border_->credits.take();
  owner_.note_activity();
  border_->payloads.send(owner_.now(), &payload);
}

bool handshake_sender::ended(const tlm::tlm_generic_payload& payload, const call_instant& at) {
  if (awaited_ != &payload) return false;
  awaited_ = nullptr;
  free_at_ = at.first;
  if (wanted_) {
    wanted_ = false;
    owner_.wake_on_edge(at.next, at.first - at.next);
  }
  return true;
}

handshake_receiver::handshake_receiver(stage& owner, unsigned depth, unsigned latency)
    : owner_(owner), depth_(depth), latency_(latency), queue_(depth + 1) {
  if (depth == 0 || latency == 0)
    throw std::invalid_argument(std::string(owner.name()) + ": zero depth or latency");
}

void handshake_receiver::push(tlm::tlm_generic_payload& payload, cycle_t visible_at, cycle_t now) {
  const auto size = static_cast<unsigned>(queue_.size());
  if (used_ == size) throw std::logic_error(std::string(owner_.name()) + ": transaction without room");
  unsigned tail = head_ + used_;
  if (tail >= size) tail -= size;
  queue_[tail] = {visible_at, &payload, now};
  ++used_;
  if (counter_ == nullptr) return;
  if (border_ != nullptr)
    ++not_counted_;
  else
    counter_->entered(now);
}

void handshake_receiver::cross_border(border_credits& sender) {
  border_ = std::make_unique<crossing_queue<credit>>(owner_.domain().driver(), sender, depth_);
}

// With clusters that run by themselves it may come later than payloads that left after it. It is therefore counted
// from the end of its first window on: nothing at or after that time has been executed yet.
void handshake_receiver::arrive_over_border(tlm::tlm_generic_payload& payload, femtoseconds sent_at) {
  const clock_domain& domain = owner_.domain();
  const cycle_t first = domain.first_edge_after(sent_at);
  push(payload, first + (latency_ - 1), domain.first_edge_after(sent_at + domain.driver().owner().window() - 1));
  if (used_ == 1) owner_.wake_on_edge(first, latency_ - 1);
}

void handshake_receiver::count_arrivals(cycle_t cycle) {
  for (; not_counted_ != 0; --not_counted_) {
    const entry& e = queue_[(head_ + used_ - not_counted_) % queue_.size()];
    if (e.counted_at > cycle) return;
    counter_->entered(e.counted_at);
  }
}

bool handshake_receiver::arrive(tlm::tlm_generic_payload& payload, const call_instant& at) {
  if (waiting_ != nullptr)
    throw reported_error(protocol_report, std::string(name_) + ": BEGIN before the END of the last one");
  if (used_at_start(at.now) < depth_) {
    arrive_without_end(payload, at);
    return true;
  }
  waiting_ = &payload;
  waiting_first_ = at.first;
  // freed at this instant: END at the next edge
  if (used_ < depth_) owner_.wake_on_edge(at.next, at.first - at.next);
  return false;
}

void handshake_receiver::arrive_without_end(tlm::tlm_generic_payload& payload, const call_instant& at) {
  push(payload, at.first + (latency_ - 1), at.next - 1);
  if (used_ == 1) owner_.wake_on_edge(at.next, at.first - at.next + (latency_ - 1));
}

tlm::tlm_generic_payload* handshake_receiver::settle() {
  if (waiting_ == nullptr || owner_.cycle() < waiting_first_ || used_at_start(owner_.now()) >= depth_)
    return nullptr;
  tlm::tlm_generic_payload* accepted = waiting_;
  waiting_ = nullptr;
  const cycle_t visible_at = std::max(waiting_first_ + (latency_ - 1), owner_.cycle() + 1);
  push(*accepted, visible_at, owner_.cycle());
  if (used_ == 1) owner_.wake_at(visible_at);
  owner_.note_activity();
  return accepted;
}

tlm::tlm_generic_payload* handshake_receiver::front() {
  if (used_ == 0) return nullptr;
  const entry& e = queue_[head_];
  const cycle_t cycle = owner_.cycle();
  if (e.visible_at > cycle) return nullptr;
  const auto& stalls = owner_.domain().driver().owner().options().stalls;
  if (stalls.per_1024 != 0 && stalls.stalls(name_hash_, cycle)) {
    owner_.wake_next();
    return nullptr;
  }
  return e.payload;
}

tlm::tlm_generic_payload& handshake_receiver::pop() {
  if (used_ == 0 || queue_[head_].visible_at > owner_.cycle())
    throw std::logic_error(std::string(owner_.name()) + ": taken without a visible transaction");
  tlm::tlm_generic_payload& payload = *queue_[head_].payload;
  if (not_counted_ != 0) count_arrivals(owner_.cycle());
  head_ = head_ + 1 == queue_.size() ? 0 : head_ + 1;
  --used_;
  if (counter_ != nullptr) counter_->left(owner_.cycle());
  if (popped_at_ != owner_.now()) {
    popped_at_ = owner_.now();
    popped_ = 0;
  }
  ++popped_;
  owner_.note_activity();
  if (border_ != nullptr) border_->send(owner_.now(), {});
  const cycle_t next = owner_.cycle() + 1;
  if (used_ != 0) owner_.wake_at(std::max(queue_[head_].visible_at, next));
  if (waiting_ != nullptr) owner_.wake_at(std::max(waiting_first_, next));
  return payload;
}

}  // namespace gt200::tlm_bus
