#include "observe/over_time.h"

#include <algorithm>

namespace gt200::observe {
namespace {

std::string name_of(const counter_entry& c) { return c.path.substr(c.path.rfind('.') + 1); }

std::uint64_t sum_of(const std::vector<const tlm_bus::counter::attribute*>& counters) {
  std::uint64_t sum = 0;
  for (const tlm_bus::counter::attribute* c : counters) sum += c->value();
  return sum;
}

bool contains(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

// The counters of single instances that have a series. The others of interest are summed by kind.
bool has_own_series(const std::string& path, const std::string& name) {
  if (name == "occupancy") return contains(path, ".memory_port.queue.") || contains(path, ".partition_");
  return name == "data_cycles" || (contains(path, ".bank_") && (name == "row_hits" || name == "row_misses"));
}

bool is_of_a_cache(const std::string& name) {
  static const std::vector<std::string> names = {"hits",    "misses",    "merged",    "merged_stores",
                                                 "l1_hits", "l1_misses", "l2_misses", "l1_merged"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

over_time::over_time(const model::chip& chip)
    : chip_(const_cast<model::chip&>(chip)),
      clocks_(chip_.clocks),
      core_(chip.core.period()),
      next_(first_interval * core_) {
  for (model::sm_if* sm : chip.sms()) {
    sms_.push_back(&sm->probe());
    const std::string path = path_below(chip, sm->name());
    series_.push_back({path + ".issued", {}});
    series_.push_back({path + ".resident_warp_cycles", {}});
  }
  for (const counter_entry& c : counters_below(chip)) {
    if (name_of(c) == "read_bytes") reads_.push_back(c.counter);
    if (name_of(c) == "written_bytes") writes_.push_back(c.counter);
    add_series(c);
  }
  clocks_.attach(*this);
  chip_.object_to_reset(this, "figures over time are taken of the chip");
}

over_time::~over_time() {
  clocks_.detach(*this);
  chip_.object_to_reset(this, "");
}

void over_time::add_series(const counter_entry& c) {
  const std::string name = name_of(c);
  const bool own = has_own_series(c.path, name);
  if (!own && !is_of_a_cache(name)) return;
  const std::string path = own ? c.path : kind_path(c.path);
  const auto found =
      own ? series_.end()
          : std::find_if(series_.begin(), series_.end(), [&](const series& s) { return s.path == path; });
  (found == series_.end() ? series_.emplace_back(series{path, {}}) : *found).counters.push_back(c.counter);
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
    std::uint64_t issued = 0;
    for (unsigned scheduler = 0; scheduler < sm->schedulers(); ++scheduler) {
      const model::slot_counts slots = sm->slots_until(scheduler, model::core_cycle(until));
      for (std::size_t cause = 0; cause < slots.size(); ++cause) s.slots[cause] += slots[cause];
      issued += slots[static_cast<std::size_t>(model::stall_cause::none)];
    }
    const std::uint64_t resident = sm->resident_warp_cycles_until(model::core_cycle(until));
    s.resident_warp_cycles += resident;
    s.series.insert(s.series.end(), {issued, resident});
  }
  for (std::size_t i = s.series.size(); i < series_.size(); ++i) s.series.push_back(sum_of(series_[i].counters));
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
  json result = {{"core_cycles", json::array()},          {"slots", json::object()},
                 {"resident_warp_cycles", json::array()}, {"dram_read_bytes", json::array()},
                 {"dram_written_bytes", json::array()},   {"series", json::object()}};
  sums before;
  before.series.resize(series_.size());
  for (const sums& s : ends) {
    result["core_cycles"].push_back(s.until);
    for (const model::stall_cause_name& name : model::stall_cause_names) {
      const auto cause = static_cast<std::size_t>(name.cause);
      if (ends.back().slots[cause] != 0) result["slots"][name.key].push_back(s.slots[cause] - before.slots[cause]);
    }
    result["resident_warp_cycles"].push_back(s.resident_warp_cycles - before.resident_warp_cycles);
    result["dram_read_bytes"].push_back(s.read_bytes - before.read_bytes);
    result["dram_written_bytes"].push_back(s.written_bytes - before.written_bytes);
    for (std::size_t i = 0; i < series_.size(); ++i)
      if (ends.back().series[i] != 0) result["series"][series_[i].path].push_back(s.series[i] - before.series[i]);
    before = s;
  }
  return result;
}

}  // namespace gt200::observe
