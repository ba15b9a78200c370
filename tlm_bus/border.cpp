#include "tlm_bus/border.h"

#include <stdexcept>
#include <string>

#include "tlm_bus/clocking.h"

namespace gt200::tlm_bus {

border_credits::border_credits(stage& owner, unsigned count) : owner_(owner), visible_(count), visible_at_(count) {}

void border_credits::see(cycle_t cycle) {
  while (under_way_ != 0 && visible_at_[head_] <= cycle) {
    head_ = head_ + 1 == visible_at_.size() ? 0 : head_ + 1;
    --under_way_;
    ++visible_;
  }
}

unsigned border_credits::visible() {
  see(owner_.cycle());
  return visible_;
}

bool border_credits::available() {
  if (visible() != 0) return true;
  if (under_way_ != 0)
    owner_.wake_at(visible_at_[head_]);
  else if (!owner_.asleep())
    wanted_ = true;
  return false;
}

void border_credits::take() { --visible_; }

void border_credits::set(unsigned count) {
  visible_ = count;
  under_way_ = 0;
}

void border_credits::arrived(femtoseconds returned_at, const credit&) {
  const femtoseconds effective = returned_at + owner_.domain().driver().owner().window();
  const cycle_t first = owner_.domain().first_edge_after(returned_at);
  const cycle_t at = owner_.domain().first_edge_after(effective - 1);
  unsigned tail = head_ + under_way_;
  if (tail >= visible_at_.size()) tail -= static_cast<unsigned>(visible_at_.size());
  visible_at_[tail] = at;
  ++under_way_;
  if (!wanted_) return;
  wanted_ = false;
  owner_.wake_on_edge(first, at - first);
}

void require_window(const char* name, const clock_domain& sender, const clock_domain& receiver, cycle_t latency) {
  const femtoseconds window = sender.driver().owner().window();
  // With different clocks the first cycle of the latency may be shorter than a period.
  const cycle_t whole = sender.period() == receiver.period() ? latency : latency - 1;
  if (window == 0 || whole * receiver.period() < window)
    throw std::logic_error(std::string(name) + ": a border between clusters with a latency below one window");
}

void note_foreign_end(const sc_core::sc_object& end, const stage& owner) {
  edge_driver& driver = owner.domain().driver();
  if (&driver != &driver.owner().main_driver())
    driver.owner().keep_time_order(std::string(end.name()) + " is bound to a foreign component");
}

}  // namespace gt200::tlm_bus
