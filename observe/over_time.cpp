#include "observe/over_time.h"

namespace gt200::observe {
namespace {

std::string name_of(const counter_entry& c) { return c.path.substr(c.path.rfind('.') + 1); }

std::uint64_t sum_of(const std::vector<const tlm_bus::counter::attribute*>& counters) {
  std::uint64_t sum = 0;
  for (const tlm_bus::counter::attribute* c : counters) sum += c->value();
  return sum;
}

}  // namespace

over_time::over_time(const model::chip& chip)
    : chip_(const_cast<model::chip&>(chip)),
      clocks_(chip_.clocks),
      core_(chip.core.period()),
      next_(first_interval * core_) {
  for (model::sm_if* sm : chip.sms()) sms_.push_back(&sm->probe());
  for (const counter_entry& c : counters_below(chip)) {
    if (name_of(c) == "read_bytes") reads_.push_back(c.counter);
    if (name_of(c) == "written_bytes") writes_.push_back(c.counter);
  }
  clocks_.attach(*this);
  chip_.object_to_reset(this, "figures over time are taken of the chip");
}

over_time::~over_time() {
  clocks_.detach(*this);
  chip_.object_to_reset(this, "");
}

void over_time::interval_ends() {
  ends_.push_back(sums_until(next_ / core_));
  if (ends_.size() == max_intervals) {
    for (std::size_t i = 0; i < max_intervals / 2; ++i) ends_[i] = ends_[2 * i + 1];
    ends_.resize(max_intervals / 2);
    interval_ *= 2;
  }
  next_ = (ends_.back().until + interval_) * core_;
}

over_time::sums over_time::sums_until(tlm_bus::cycle_t until) const {
  sums s;
  s.until = until;
  for (const model::sm_probe* sm : sms_) {
    for (unsigned scheduler = 0; scheduler < sm->schedulers(); ++scheduler) {
      const model::slot_counts slots = sm->slots_until(scheduler, model::core_cycle(until));
      for (std::size_t cause = 0; cause < slots.size(); ++cause) s.slots[cause] += slots[cause];
    }
    s.resident_warp_cycles += sm->resident_warp_cycles_until(model::core_cycle(until));
  }
  s.read_bytes = sum_of(reads_);
  s.written_bytes = sum_of(writes_);
  return s;
}

nlohmann::ordered_json over_time::to_json() {
  // In due clocking nobody has noticed the intervals that ended since the last stage was called.
  while (next_ <= sc_core::sc_time_stamp().value()) interval_ends();
  std::vector<sums> ends = ends_;
  const tlm_bus::cycle_t present = sc_core::sc_time_stamp().value() / core_ + 1;
  if (ends.empty() || ends.back().until < present) ends.push_back(sums_until(present));
  using json = nlohmann::ordered_json;
  json result = {{"core_cycles", json::array()},
                 {"slots", json::object()},
                 {"resident_warp_cycles", json::array()},
                 {"dram_read_bytes", json::array()},
                 {"dram_written_bytes", json::array()}};
  sums before;
  for (const sums& s : ends) {
    result["core_cycles"].push_back(s.until);
    for (const model::stall_cause_name& name : model::stall_cause_names) {
      const auto cause = static_cast<std::size_t>(name.cause);
      if (ends.back().slots[cause] != 0) result["slots"][name.key].push_back(s.slots[cause] - before.slots[cause]);
    }
    result["resident_warp_cycles"].push_back(s.resident_warp_cycles - before.resident_warp_cycles);
    result["dram_read_bytes"].push_back(s.read_bytes - before.read_bytes);
    result["dram_written_bytes"].push_back(s.written_bytes - before.written_bytes);
    before = s;
  }
  return result;
}

}  // namespace gt200::observe
