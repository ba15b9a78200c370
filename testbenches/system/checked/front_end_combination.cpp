#include "testbenches/system/checked/front_end_combination.h"

#include <random>
#include <stdexcept>

#include "sc_models/config/policy.h"
#include "testbenches/support/assembly_run.h"

namespace gt200::support {
namespace {

// Positions in front_end_options().
enum option : std::size_t { policy, mechanism, way_of_clocking, stalls = 10 };
enum amount_of_stalls : std::uint8_t { none, some, many };
enum way : std::uint8_t { due, reference, audit, shuffled };

std::string key(const char* name, const std::string& value) { return std::string("tpc.sm.") + name + "=" + value; }

std::vector<option_value> policies() {
  std::vector<option_value> result;
  for (std::size_t i = 0; i < config::warp_policies.count; ++i) {
    const char* const name = config::warp_policies.names[i];
    result.push_back({name, {key("scheduler.policy", name), key("scheduler.second_policy", name)}});
  }
  return result;
}

using pairs = std::vector<bool>;

// Position of a pair of values in the table of all pairs.
class pair_table {
 public:
  pair_table() {
    const auto& options = front_end_options();
    for (std::size_t a = 0; a < options.size(); ++a)
      for (std::size_t b = 0; b < a; ++b) {
        first_.push_back(size_);
        size_ += options[a].values.size() * options[b].values.size();
      }
  }
  std::size_t size() const { return size_; }
  // The number of pairs that `c` adds to `seen`; with `mark` they are entered.
  std::size_t add(const front_end_combination& c, pairs& seen, bool mark) const {
    std::size_t added = 0, group = 0;
    for (std::size_t a = 0; a < c.choice.size(); ++a)
      for (std::size_t b = 0; b < a; ++b, ++group) {
        const std::size_t at = first_[group] + c.choice[a] * front_end_options()[b].values.size() + c.choice[b];
        added += seen[at] ? 0 : 1;
        if (mark) seen[at] = true;
      }
    return added;
  }

 private:
  std::vector<std::size_t> first_;
  std::size_t size_ = 0;
};

}  // namespace

const std::vector<front_end_option>& front_end_options() {
  static const std::vector<front_end_option> options = {
      {"policy", policies()},
      {"mechanism",
       {{"coon", {}},
        {"coon_stall_all", {key("scoreboard.when_full", "stall_all")}},
        {"coon_discard", {key("scoreboard.when_full", "discard")}},
        {"coon_at_issue", {key("scoreboard.allocate", "at_issue")}},
        {"bitmap", {key("scoreboard.mechanism", "bitmap")}},
        {"bitmap_few_probes", {key("scoreboard.mechanism", "bitmap"), key("scoreboard.probes_per_cycle", "3")}},
        {"single_loop", {key("scoreboard.mechanism", "single_loop")}}}},
      {"clocking", {{"due", {}}, {"reference", {}}, {"audit", {}}, {"shuffled", {}}}},
      {"schedulers",
       {{"one", {}},
        {"two", {key("scheduler.schedulers", "2")}},
        {"two_with_one_port", {key("scheduler.schedulers", "2"), key("scheduler.dispatch_ports", "single")}},
        {"two_unlike", {key("scheduler.schedulers", "2"), key("scheduler.second_policy", "youngest")}}}},
      {"fetch_order",
       {{"lrr", {}},
        {"oldest", {key("fetch.policy", "oldest")}},
        {"youngest", {key("fetch.policy", "youngest")}},
        {"gtlrr", {key("fetch.policy", "gtlrr")}},
        {"gto", {key("fetch.policy", "gto")}},
        {"gty", {key("fetch.policy", "gty")}},
        {"two_level", {key("fetch.policy", "two_level")}},
        {"weighted", {key("fetch.policy", "weighted")}},
        {"coordinated", {key("fetch.policy", "coordinated")}},
        {"coordinated_in_turn", {key("fetch.policy", "coordinated"), key("fetch.merge", "round_robin")}},
        {"coordinated_in_sequence", {key("fetch.policy", "coordinated"), key("fetch.merge", "sequential")}}}},
      {"entries",
       {{"6", {}},
        {"1", {key("scoreboard.entries_per_warp", "1")}},
        {"2", {key("scoreboard.entries_per_warp", "2")}},
        {"3", {key("scoreboard.entries_per_warp", "3")}},
        {"8", {key("scoreboard.entries_per_warp", "8")}}}},
      {"buffer",
       {{"2", {}},
        {"1", {key("instruction_buffer.entries_per_warp", "1")}},
        {"4", {key("instruction_buffer.entries_per_warp", "4")}}}},
      {"fetch",
       {{"1", {}},
        {"2", {key("fetch.instructions_per_fetch", "2"), key("instruction_buffer.entries_per_warp", "4")}}}},
      {"collector",
       {{"preset", {}},
        {"one_unit",
         {key("operand_collector.sp_units", "1"), key("operand_collector.sfu_units", "1"),
          key("operand_collector.dp_units", "1"), key("operand_collector.memory_units", "1")}},
        {"two_units",
         {key("operand_collector.sp_units", "2"), key("operand_collector.sfu_units", "2"),
          key("operand_collector.dp_units", "2"), key("operand_collector.memory_units", "2")}}}},
      {"first_path",
       {{"last_in_program", {}},
        {"taken", {key("simt_stack.first_path", "taken")}},
        {"fall_through", {key("simt_stack.first_path", "fall_through"), key("simt_stack.entries", "4")}}}},
      {"stalls",
       {{"none", {}}, {"some", {"simulation.stalls_per_1024=40"}}, {"many", {"simulation.stalls_per_1024=200"}}}},
      {"surroundings",
       {{"preset", {}},
        {"little_room",
         {"tpc.memory.load_store_queue.load_entries=4", "tpc.memory.load_store_queue.store_entries=2",
          "partition.hash=fold"}},
        {"small_caches",
         {key("icache.bytes", "1024"), key("constant_cache.bytes", "256"), "tpc.texture.l1.mshrs=2",
          "partition.dram.scheduler=fifo"}},
        {"fast_units",
         {"partition.dram.model=fixed_latency", key("sp.latency_cycles", "6"), key("sfu.lanes", "8"),
          key("sfu.latency_cycles", "10"), key("sfu.reduced_saves_cycles", "0"),
          key("shared_memory.latency_cycles", "8"), key("sp.lanes", "32")}},
        {"old_coalescer", {"tpc.memory.coalescer.rule=1.0"}}}},
  };
  return options;
}

std::string front_end_combination::text() const {
  std::string result;
  for (std::size_t o = 0; o < choice.size(); ++o) {
    const front_end_option& option = front_end_options()[o];
    result += (o == 0 ? "" : ", ") + std::string(option.name) + " " + option.values[choice[o]].name;
  }
  return result;
}

std::vector<std::string> front_end_combination::overrides() const {
  std::vector<std::string> result = {"simulation.stall_seed=" + std::to_string(seed)};
  for (std::size_t o = 0; o < choice.size(); ++o)
    for (const std::string& line : front_end_options()[o].values[choice[o]].overrides) result.push_back(line);
  return result;
}

tlm_bus::clocking_options front_end_combination::clocking() const {
  tlm_bus::clocking_options result = clocking_of(configuration("gt200_small", overrides()).simulation);
  switch (choice[way_of_clocking]) {
    case due: break;
    case reference: result.mode = tlm_bus::clocking_options::way::reference; break;
    case audit: result.audit = true; break;
    case shuffled: result.shuffle_seed = seed + 1; break;
    default: throw std::logic_error("an unknown way of clocking");
  }
  return result;
}

std::vector<front_end_combination> front_end_combinations(std::size_t count) {
  constexpr unsigned draws = 16;
  const pair_table table;
  pairs seen(table.size());
  std::vector<front_end_combination> set;
  for (std::uint64_t seed = 0; seed < count; ++seed) {
    std::mt19937_64 random(seed);
    front_end_combination best;
    std::size_t most = 0;
    for (unsigned n = 0; n < draws; ++n) {
      front_end_combination drawn;
      drawn.seed = seed;
      for (const front_end_option& option : front_end_options())
        drawn.choice.push_back(static_cast<std::uint8_t>(random() % option.values.size()));
      const std::size_t added = table.add(drawn, seen, false);
      if (n != 0 && added <= most) continue;
      most = added;
      best = std::move(drawn);
    }
    table.add(best, seen, true);
    set.push_back(std::move(best));
  }
  return set;
}

std::pair<std::size_t, std::size_t> covered_pairs(const std::vector<front_end_combination>& set) {
  const pair_table table;
  pairs seen(table.size());
  std::size_t covered = 0;
  for (const front_end_combination& c : set) covered += table.add(c, seen, true);
  return {covered, table.size()};
}

std::vector<front_end_combination> all_policies_mechanisms_and_clockings() {
  const auto& options = front_end_options();
  std::vector<front_end_combination> result;
  front_end_combination c;
  c.choice.resize(options.size());
  for (std::size_t p = 0; p < options[policy].values.size(); ++p)
    for (std::size_t m = 0; m < options[mechanism].values.size(); ++m)
      for (std::size_t w = 0; w < options[way_of_clocking].values.size(); ++w) {
        c.choice[policy] = static_cast<std::uint8_t>(p);
        c.choice[mechanism] = static_cast<std::uint8_t>(m);
        c.choice[way_of_clocking] = static_cast<std::uint8_t>(w);
        c.choice[stalls] = some;
        c.seed = result.size();
        result.push_back(c);
      }
  return result;
}

}  // namespace gt200::support
