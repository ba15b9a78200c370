#include "tlm_bus/edge_driver.h"

#include <algorithm>
#include <systemc>

#include "tlm_bus/clocking.h"

namespace gt200::tlm_bus {

edge_driver::edge_driver(clocking& owner) : owner_(owner) { owner_.add(*this); }

edge_driver::~edge_driver() { owner_.remove(*this); }

femtoseconds edge_driver::now() const { return running_ ? now_ : sc_core::sc_time_stamp().value(); }

void edge_driver::add(clock_domain& d) {
  domains_.push_back(&d);
}

void edge_driver::remove(const clock_domain& d) {
  domains_.erase(std::remove(domains_.begin(), domains_.end(), &d), domains_.end());
}

void edge_driver::rotate_domains(std::uint64_t steps) {
  if (domains_.empty()) return;
  std::rotate(domains_.begin(), domains_.begin() + static_cast<std::ptrdiff_t>(steps % domains_.size()),
              domains_.end());
}

bool edge_driver::wake(femtoseconds t) { return owner_.due_at(t); }

femtoseconds edge_driver::next_due() const {
  femtoseconds next = no_time;
  for (const clock_domain* d : domains_) next = std::min(next, d->next_due_time());
  return next;
}

femtoseconds edge_driver::execute_before(femtoseconds end) {
  running_ = calling_ = true;
  femtoseconds next = next_due();
  for (; next < end; next = next_due()) {
    now_ = next;
    earliest_ = next + 1;
    for (clock_domain* d : domains_) {
      if (d->next_due_time() != next) continue;
      d->execute(d->next_due());
      ++executed_edges_;
    }
  }
  running_ = calling_ = false;
  return next;
}

femtoseconds edge_driver::execute(femtoseconds now) {
  const femtoseconds next = execute_before(now + 1);
  earliest_ = now + 1;
  return next;
}

void edge_driver::execute_audited(femtoseconds now) {
  running_ = true;
  now_ = now;
  earliest_ = now + 1;
  for (clock_domain* d : domains_)
    if (now % d->period() == 0) {
      d->execute_audited(now / d->period());
      ++executed_edges_;
    }
  running_ = false;
}

femtoseconds edge_driver::run_until(femtoseconds end) {
  const femtoseconds next = execute_before(end);
  earliest_ = std::max(earliest_, end);
  return next;
}

void edge_driver::crossed(crossing& c) {
  if (!owner_.defers_crossings()) {
    c.hand_over();
  } else if (!c.listed) {
    c.listed = true;
    outbox_.push_back(&c);
  }
}

void edge_driver::restart(femtoseconds t) {
  running_ = calling_ = false;
  for (crossing* c : outbox_) c->listed = false;
  outbox_.clear();
  for (clock_domain* d : domains_) d->restart(t);
}

void edge_driver::hand_over() {
  for (crossing* c : outbox_) {
    c->listed = false;
    c->hand_over();
  }
  outbox_.clear();
}

}  // namespace gt200::tlm_bus
