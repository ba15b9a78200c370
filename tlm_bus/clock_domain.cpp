#include "tlm_bus/clock_domain.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>

#include "tlm_bus/clocking.h"
#include "tlm_bus/counter.h"
#include "tlm_bus/edge_driver.h"
#include "tlm_bus/host_activity.h"
#include "tlm_bus/report.h"
#include "tlm_bus/stage.h"

namespace gt200::tlm_bus {

namespace {

void tick_of(stage& s) {
  try {
    s.tick();
  } catch (...) {
    throw_with_place(s);
  }
}

}  // namespace

clock_domain::clock_domain(const char* name, femtoseconds period, clocking& owner)
    : clock_domain(name, period, owner.main_driver()) {}

clock_domain::clock_domain(const char* name, femtoseconds period, edge_driver& driver)
    : sc_core::sc_object(name), period_(period), driver_(driver), clocking_(driver.owner()) {
  if (period == 0) throw std::invalid_argument(std::string("clock domain ") + name + ": period must be positive");
  driver_.add(*this);
  if (clocking_.reference())
    reference_clock_ = std::make_unique<sc_core::sc_clock>((std::string(basename()) + "_clock").c_str(),
                                                           sc_core::sc_time::from_value(period_), 0.5,
                                                           sc_core::SC_ZERO_TIME, true);
}

clock_domain::~clock_domain() { driver_.remove(*this); }

clock_domain::place clock_domain::add(stage& s) {
  const auto index = static_cast<unsigned>(stages_.size());
  stages_.push_back(&s);
  call_order_.push_back(&s);
  called_.push_back(&s);
  next_.resize(index / 64 + 1, 0);
  slots_.resize(next_.size() * wheel_size, 0);
  return place_at(index, index);
}

clock_domain::place clock_domain::place_at(unsigned index, unsigned position) {
  return {index, position / 64 * wheel_size, position / 64, std::uint64_t{1} << (position % 64)};
}

void clock_domain::schedule_checked(const place& p, cycle_t at) {
  if (clocking_.ignores_wakes()) {
    clocking_.note_ignored_wake(*stages_[p.index]);
    return;
  }
  if (at == no_cycle) return;
  if (at < origin_ || !driver_.due_at(at * period_)) refuse_wake(p, at);
  next_due_time_ = std::min(next_due_time_, at * period_);
  if (at - origin_ < wheel_size) {
    mark(p, at % wheel_size);
  } else {
    far_.emplace_back(at, p.index);
    std::push_heap(far_.begin(), far_.end(), std::greater<>());
    next_far_ = far_.front().first;
  }
}

void clock_domain::schedule_later(const place& p, cycle_t first, cycle_t extra) {
  advance_origin(first - 1);
  const cycle_t at = first + extra;
  if (driver_.calls_before(first * period_) && at - origin_ < wheel_size) {
    next_due_time_ = std::min(next_due_time_, at * period_);
    mark(p, at % wheel_size);
  } else {
    schedule(p, at);
  }
}

void clock_domain::move_more_next(cycle_t at) {
  for (std::size_t word = 1; word < next_.size(); ++word) move_next(word, at);
}

void clock_domain::refuse_wake(const place& p, cycle_t at) const {
  throw std::logic_error(std::string(stages_[p.index]->name()) + " was made due at cycle " + std::to_string(at) +
                         " of " + name() + ", which is not in the future");
}

void clock_domain::near_from_heap(cycle_t at, unsigned slot) {
  while (!far_.empty() && far_.front().first == at) {
    mark(stages_[far_.front().second]->wheel_place(), slot);
    std::pop_heap(far_.begin(), far_.end(), std::greater<>());
    far_.pop_back();
  }
  next_far_ = far_.empty() ? no_cycle : far_.front().first;
}

void clock_domain::tell_of_edge(unsigned slot) const {
  if (slots_.size() == wheel_size) return clocking_.edge_begins(*this, &slots_[slot]);
  std::vector<std::uint64_t> due;
  for (std::size_t word = slot; word < slots_.size(); word += wheel_size) due.push_back(slots_[word]);
  clocking_.edge_begins(*this, due.data());
}

void clock_domain::execute(cycle_t at) {
  const unsigned slot = open_edge(at);
  if (clocking_.is_observed()) tell_of_edge(slot);
  const auto call_due = [this, slot](const auto& call) {
    // wheel_size is also the number of bits of a word.
    unsigned position = 0;
    do
      for (std::uint64_t due = std::exchange(slots_[position + slot], 0); due != 0; due &= due - 1)
        call(position + static_cast<unsigned>(__builtin_ctzll(due)));
    while ((position += wheel_size) < slots_.size());
  };
  active_ = true;
  unsigned last = 0;
  try {
    if (host_activity::noting()) {
      std::atomic<const stage*>& running = host_activity::of_this_thread();
      call_due([&](unsigned position) {
        last = position;
        running.store(call_order_[position], std::memory_order_relaxed);
        called_[position]->tick();
      });
      running.store(nullptr, std::memory_order_relaxed);
    } else {
      clocked* const* const called = called_.data();
      call_due([called, &last](unsigned position) {
        last = position;
        called[position]->tick();
      });
    }
  } catch (...) {
    throw_with_place(*call_order_[last]);
  }
  active_ = false;
  close_edge(at);
}

void clock_domain::execute_audited(cycle_t at) {
  const unsigned slot = open_edge(at);
  if (clocking_.is_observed()) tell_of_edge(slot);
  for (unsigned position = 0; position < slots_.size(); position += wheel_size) {
    const std::uint64_t due = std::exchange(slots_[position + slot], 0);
    for (unsigned bit = 0; bit < wheel_size && position + bit < call_order_.size(); ++bit) {
      stage& s = *call_order_[position + bit];
      if (((due >> bit) & 1) != 0) {
        active_ = true;
        tick_of(s);
        active_ = false;
        continue;
      }
      const std::uint64_t acts = s.activity();
      const std::uint64_t counts = counter::sum_of(s);
      clocking_.begin_sleeping_call(s);
      tick_of(s);
      const bool woke_another = clocking_.end_sleeping_call();
      if (woke_another || s.activity() != acts || counter::sum_of(s) != counts)
        throw std::logic_error(std::string("audit: ") + s.name() + " was asleep but had work to do at cycle " +
                               std::to_string(at) + " of " + name());
    }
  }
  close_edge(at);
}

void clock_domain::follow_systemc_time() {
  const femtoseconds t = sc_core::sc_time_stamp().value();
  if (t != now_) {
    now_ = t;
    cycle_ = t / period_;
    clocking_.reference_edge_begins(*this);
  }
}

void clock_domain::restart(femtoseconds t) {
  active_ = false;
  std::fill(slots_.begin(), slots_.end(), 0);
  std::fill(next_.begin(), next_.end(), 0);
  occupied_ = 0;
  far_.clear();
  next_far_ = no_cycle;
  next_due_time_ = no_time;
  const cycle_t first = (t + period_ - 1) / period_;
  advance_origin(first);
  for (const stage* s : stages_) schedule_checked(s->wheel_place(), first);
}

void clock_domain::shuffle(std::uint64_t seed) {
  std::vector<unsigned> order(stages_.size());
  std::iota(order.begin(), order.end(), 0u);
  std::mt19937_64 random(seed);
  for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random() % i]);
  // Some stages have become due during elaboration: move their bits to the new positions.
  const std::vector<std::uint64_t> before = std::move(slots_);
  slots_.assign(before.size(), 0);
  for (unsigned position = 0; position < order.size(); ++position) {
    stage& s = *stages_[order[position]];
    const place old = s.wheel_place();
    s.set_wheel_place(place_at(order[position], position));
    for (unsigned slot = 0; slot < wheel_size; ++slot)
      if ((before[old.first + slot] & old.mask) != 0) mark(s.wheel_place(), slot);
    call_order_[position] = &s;
    called_[position] = &s;
  }
}

}  // namespace gt200::tlm_bus
