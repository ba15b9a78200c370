#include "observe/report/latencies.h"

#include <unordered_map>

#include "observe/trace/glob.h"
#include "observe/trace/log_reader.h"
#include "observe/trace/sm_path.h"
#include "sc_models/memory_transaction.h"

namespace gt200::observe::report {
namespace {

class collection final : public log_visitor {
 public:
  collection(const log_definitions& definitions, latencies& to) : to_(to) {
    for (const logged_domain& d : definitions.domains)
      if (matches("*.core", d.name)) core_ = d.period;
    for (const std::string& path : definitions.places) {
      place p;
      if (is_issue_pipe(path)) {
        p.role = place_role::issue;
        p.name = path.substr(path.rfind(".from_") + 6);
      } else if (matches("*.crossbar.source_*", path)) {
        p.role = place_role::crossbar;
      } else if (matches("*.partition_*.arbiter.requests", path)) {
        p.role = place_role::partition;
      }
      places_.push_back(std::move(p));
    }
  }

  void time(tlm_bus::femtoseconds t) override { now_ = t; }
  void on_event(const event& e) override {
    if (e.place >= places_.size() || e.id == 0) return;
    const place& p = places_[e.place];
    if (e.kind == event_kind::sent && p.role == place_role::issue) issued_[e.id] = {now_, &p.name};
    if (e.kind == event_kind::completed) {
      const auto found = issued_.find(e.id);
      if (found == issued_.end()) return;
      ++to_.instructions[*found->second.name][(now_ - found->second.at) / core_];
      issued_.erase(found);
    }
    if (p.role == place_role::crossbar) transaction(e, at_crossbar_, to_.from_tpcs);
    if (p.role == place_role::partition) transaction(e, at_partition_, to_.in_partitions);
  }

 private:
  enum class place_role : std::uint8_t { none, issue, crossbar, partition };
  struct place {
    place_role role = place_role::none;
    std::string name;
  };
  struct issued_instruction {
    tlm_bus::femtoseconds at;
    const std::string* name;
  };
  using begun = std::unordered_map<std::uint64_t, tlm_bus::femtoseconds>;

  void transaction(const event& e, begun& open, std::map<std::string, histogram>& to) const {
    if (e.kind == event_kind::begin_request) open[e.id] = now_;
    if (e.kind != event_kind::begin_response) return;
    const auto found = open.find(e.id);
    if (found == open.end()) return;
    ++to[model::name_of(static_cast<model::memory_kind>(e.detail[model::transaction_details::kind]))]
        [(now_ - found->second) / core_];
    open.erase(found);
  }

  latencies& to_;
  tlm_bus::femtoseconds core_ = 1;
  tlm_bus::femtoseconds now_ = 0;
  std::vector<place> places_;
  std::unordered_map<std::uint64_t, issued_instruction> issued_;
  begun at_crossbar_, at_partition_;
};

}  // namespace

latencies read_latencies(const std::string& log) {
  latencies result;
  log_reader reader(log);
  collection visitor(reader.definitions(), result);
  reader.read(visitor);
  result.loss = reader.loss();
  return result;
}

}  // namespace gt200::observe::report
