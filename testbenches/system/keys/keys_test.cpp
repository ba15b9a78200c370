// Every configuration key is effective: changing it changes a cycle or a counter of a small kernel. If the model
// accepted and ignored a key, explorations with it would be worthless.
//
// The small chip runs a probe (probes.h) unchanged and with another value of the key; the two stats.json must
// differ, and no hint may say that the key has no effect. Keys that need more than the part of the chip they belong
// to are listed below with the probe and the settings that make them effective.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "sc_models/config/hints.h"
#include "sc_models/config/load.h"
#include "sc_models/config/schema.h"
#include "testbenches/system/cli/program.h"
#include "testbenches/system/keys/probes.h"

namespace gt200::keys {
namespace {

using cli::arguments;

struct way_to_see {
  std::string probe;                // empty: that of the part
  std::vector<std::string> values;  // empty: values around the current one
  std::vector<std::string> with;    // key=value, in both runs
};

// The first matching part.
const std::vector<std::pair<std::string, std::string>> probe_of_part = {{"tpc.sm.fetch", "code"},
                                                                        {"tpc.sm.icache", "code"},
                                                                        {"tpc.sm.constant_cache", "constants"},
                                                                        {"tpc.l2", "constants"},
                                                                        {"l3", "constants"},
                                                                        {"tpc.texture", "texture"},
                                                                        {"partition.texture_l2", "texture"},
                                                                        {"tpc.memory", "memory"},
                                                                        {"tpc.sm.memory_port", "memory"},
                                                                        {"partition", "memory"},
                                                                        {"interconnect", "memory"},
                                                                        {"topology", "memory"},
                                                                        {"tpc.sm.branch", "control"},
                                                                        {"tpc.sm.simt_stack", "control"},
                                                                        {"tpc.sm.processing_block", "volta"},
                                                                        {"", "arithmetic"}};

// A queue that never fills in an undisturbed run fills when connections stall.
const std::vector<std::string> stalls = {"simulation.stalls_per_1024=400"};
const std::vector<std::string> weighted = {"tpc.sm.scheduler.policy=weighted"};
const std::vector<std::string> l1 = {"tpc.memory.l1.enabled=true"};
const std::vector<std::string> l2 = {"partition.l2.enabled=true"};
const std::vector<std::string> two_schedulers = {"tpc.sm.scheduler.schedulers=2"};

const std::map<std::string, way_to_see> special = {
    {"chip.compute_capability", {"memory", {"1.1"}, {}}},
    {"distribution.order", {"", {}, {"chip.tpcs=2", "tpc.sm.limits.blocks=4"}}},
    {"tpc.sm.limits.registers_per_thread", {"arithmetic", {"8"}, {}}},
    {"tpc.sm.limits.least_registers_per_thread", {"arithmetic", {"64"}, {}}},
    {"tpc.sm.limits.warp_granule", {"registers", {}, {}}},
    {"tpc.sm.limits.shared_granule_bytes", {"shared", {"64"}, {}}},
    {"tpc.sm.limits.barriers", {"barriers", {}, {}}},
    {"tpc.sm.icache.ways", {"loop", {"1"}, {}}},
    {"tpc.sm.simt_stack.entries", {"nesting", {}, {}}},
    {"tpc.sm.simt_stack.semantics", {"control", {"ssy_sync"}, {}}},
    {"tpc.sm.simt_stack.mechanism", {"nesting", {}, {"tpc.sm.simt_stack.entries=4"}}},
    {"tpc.sm.simt_stack.maximum_entries", {"nesting", {"16"}, {}}},
    {"tpc.sm.simt_stack.call_limit", {"recursion", {"16"}, {}}},
    {"tpc.sm.constant_cache.mshrs", {"arithmetic", {}, {}}},
    {"l3.queue_entries", {"", {"1"}, {}}},
    {"tpc.sm.write_back.queue_entries", {"", {}, {"tpc.sm.register_file.write_ports=4"}}},
    {"tpc.sm.fetch.command_entries", {"control", {"2"}, stalls}},
    {"tpc.sm.decode.queue_entries", {"loop", {"16"}, stalls}},
    {"tpc.sm.operand_collector.control_queue_entries", {"control", {"2"}, stalls}},
    {"tpc.memory.coalescer.join_equal", {"equal_words", {}, {"tpc.memory.coalescer.rule=1.0"}}},
    {"tpc.memory.sm_controller.exclusive_pipelines", {"texture", {}, {}}},
    {"partition.block_linear", {"array", {}, {}}},
    {"partition.texture_writes_invalidate", {"texture", {}, {}}},
    {"partition.dram.timing.t_rrd", {"", {"48"}, {}}},
    {"tpc.memory.tlb.l2_entries", {"pages", {"8"}, {"tpc.memory.tlb.l1_entries=1"}}},
    {"tpc.memory.tlb.l2_ways", {"pages", {"16"}, {"tpc.memory.tlb.l2_entries=16", "tpc.memory.tlb.l1_entries=1"}}},
    {"tpc.memory.tlb.l2_page_bytes",
     {"pages", {"65536"}, {"tpc.memory.tlb.l2_entries=16", "tpc.memory.tlb.l1_entries=1"}}},
    {"tpc.memory.l1.enabled", {"data_cache", {}, {}}},
    {"tpc.memory.l1.bytes", {"data_cache", {}, l1}},
    {"tpc.memory.l1.ways", {"data_cache", {"1", "2"}, {"tpc.memory.l1.enabled=true", "tpc.memory.l1.bytes=32768"}}},
    {"tpc.memory.l1.line_bytes", {"data_cache", {}, l1}},
    {"tpc.memory.l1.set_index",
     {"data_cache", {}, {"tpc.memory.l1.enabled=true", "tpc.memory.l1.bytes=4096", "tpc.memory.l1.ways=1"}}},
    {"tpc.memory.l1.replacement", {"data_cache", {}, {"tpc.memory.l1.enabled=true", "tpc.memory.l1.bytes=4096"}}},
    {"tpc.memory.l1.hit_latency_cycles", {"data_cache", {}, l1}},
    {"tpc.memory.l1.mshrs", {"data_cache", {"1"}, l1}},
    {"tpc.memory.l1.miss_queue_entries", {"data_cache", {"1"}, l1}},
    {"partition.l2.enabled", {"data_cache", {}, {}}},
    {"partition.l2.bytes", {"data_cache", {"4096"}, l2}},
    {"partition.l2.ways", {"data_cache", {"1"}, {"partition.l2.enabled=true", "partition.l2.bytes=8192"}}},
    {"partition.l2.line_bytes", {"data_cache", {}, l2}},
    {"partition.l2.set_index",
     {"data_cache", {}, {"partition.l2.enabled=true", "partition.l2.bytes=16384", "partition.l2.ways=4"}}},
    {"partition.l2.replacement", {"data_cache", {}, {"partition.l2.enabled=true", "partition.l2.bytes=4096"}}},
    {"partition.l2.hit_latency_cycles", {"data_cache", {}, l2}},
    {"partition.l2.mshrs", {"data_cache", {"1"}, l2}},
    {"partition.l2.miss_queue_entries", {"data_cache", {"1"}, l2}},
    {"partition.l2.fill_latency_cycles", {"data_cache", {}, l2}},
    {"partition.arbiter.queue_entries", {"", {"2"}, {"chip.tpcs=10"}}},
    {"idealisations.infinite_queues", {"memory", {}, {}}},
    {"idealisations.no_divergence_cost", {"control", {}, {}}},
    {"partition.dram.timing.t_ras", {"", {"60", "86"}, {"partition.dram.timing.t_rc=100"}}},
    {"tpc.sm.warp_formation", {"control", {}, {}}},
    {"tpc.memory.load_store_queue.posted_stores", {"volta", {}, {}}},
    {"tpc.sm.dependencies", {"volta", {"scoreboard"}, {}}},
    {"tpc.sm.warp_former.heuristic", {"nesting", {"minority"}, {"tpc.sm.warp_formation=dynamic"}}},
    {"tpc.sm.warp_former.across_blocks", {"nesting", {}, {"tpc.sm.warp_formation=dynamic"}}},
    {"tpc.sm.register_file.sharing", {"sections", {"paired_warps"}, {"tpc.sm.register_file.sharing=regmutex"}}},
    {"tpc.sm.register_file.banks_per_sp", {"", {"1"}, {}}},
    {"tpc.sm.issue.sp_hold_cycles", {"", {"2"}, {}}},
    {"tpc.sm.issue.drops_unexecuted", {"guards", {}, {"tpc.sm.issue.sp_hold_cycles=2"}}},
    {"tpc.sm.shared_memory.replay_cycles", {"", {"6"}, {}}},
    {"tpc.sm.shared_memory.replay_latency_cycles", {"", {"0"}, {}}},
    {"interconnect.crossbar.request_header_bytes", {"", {"8"}, {}}},
    {"tpc.sm.scheduler.second_policy", {"", {"gto"}, two_schedulers}},
    {"tpc.sm.scheduler.dispatch_ports", {"", {}, two_schedulers}},
    {"tpc.sm.scheduler.two_level_active_warps", {"", {"2"}, {"tpc.sm.scheduler.policy=two_level"}}},
    {"tpc.sm.scheduler.weights.age", {"", {"0", "16"}, weighted}},
    {"tpc.sm.scheduler.weights.age_limit", {"", {"1"}, weighted}},
    {"tpc.sm.scheduler.weights.awaited", {"", {"0", "64"}, weighted}},
    {"tpc.sm.scheduler.weights.sp", {"", {"64"}, weighted}},
    {"tpc.sm.scheduler.weights.sfu", {"", {"64", "0"}, weighted}},
    {"tpc.sm.scheduler.weights.dp", {"", {"64", "0"}, weighted}},
    {"tpc.sm.scheduler.weights.shared", {"", {"64", "0"}, weighted}},
    {"tpc.sm.scheduler.weights.memory", {"memory", {"64", "0"}, weighted}},
    {"tpc.sm.scheduler.weights.control", {"control", {"64", "0"}, weighted}},
    {"tpc.sm.fetch.merge",
     {"arithmetic", {}, {"tpc.sm.fetch.policy=coordinated", "tpc.sm.scheduler.schedulers=2"}}},
    {"tpc.sm.fetch.granule_bytes", {"", {"16"}, {"tpc.sm.fetch.instructions_per_fetch=2"}}},
    {"tpc.sm.scoreboard.probes_per_cycle", {"", {"1"}, {"tpc.sm.scoreboard.mechanism=bitmap"}}},
    {"tpc.sm.sp.cycles_per_group",
     {"", {"2"}, {"tpc.sm.sp.shared_operand_interval_cycles=24", "tpc.sm.sp.shared_move_interval_cycles=24"}}},
    {"tpc.sm.sfu.cycles_per_group", {"", {"2"}, {"tpc.sm.sfu.latency_cycles=64"}}},
    {"tpc.sm.dp.cycles_per_group", {"", {"2"}, {"tpc.sm.dp.latency_cycles=128"}}},
    {"topology.hop_cycles", {"", {}, {"topology.network=ring"}}},
    {"topology.buffer_flits", {"", {"2", "64", "1024"}, {"topology.network=ring", "chip.tpcs=10"}}},
    {"topology.mesh_columns", {"", {}, {"topology.network=mesh"}}},
    {"partition.dram.fixed_latency_cycles", {"", {}, {"partition.dram.model=fixed_latency"}}},
    {"simulation.stall_seed", {"", {}, {"simulation.stalls_per_1024=100"}}},
};

// Keys without effect on cycles and counters of a small, successful run, with the reason.
const std::map<std::string, std::string> functional = {
    {"tpc.sm.scoreboard.model", "the reference RTL gives the same answers in the same cycles"},
    {"tpc.sm.scheduler.model", "the same"},
    {"tpc.sm.sp.model", "the same"},
    {"tpc.sm.sp.rtl_units", "the same: which SPs are RTL"},
    {"tpc.memory.coalescer.model", "the same"},
    {"tpc.sm.scoreboard.rtl", "the same: which RTL answers"},
    {"tpc.sm.scheduler.rtl", "the same"},
    {"tpc.sm.sp.rtl", "the same"},
    {"tpc.memory.coalescer.rtl", "the same"},
    {"tpc.sm.rtl.sms", "the same: where the reference RTL answers"},
    {"tpc.sm.rtl.run_on_cycles", "only says when a run ends whose RTL and model differ"},
    {"tpc.sm.rtl.clock", "no state of the reference RTL changes in an idle cycle"},
    {"tpc.sm.processing_block.operand_read_cycles",
     "the latency table says when a result is there, wherever in the path operands are read"},
    {"tpc.sm.processing_block.late_result_cycles", "changes values of programs, not their cycles"},
    {"tpc.sm.units.detail", "lane by lane, the same values pass in the same cycles"},
    {"tpc.sm.units.sp", "the same: where the values pass lane by lane"},
    {"tpc.sm.units.sfu", "the same"},
    {"tpc.sm.units.dp", "the same"},
    {"tpc.sm.units.sms", "the same"},
    {"tpc.sm.units.first_cycle", "the same: when they do"},
    {"tpc.sm.units.last_cycle", "the same"},
    {"host.copy_engines", "a run makes one copy at a time, and none beside a grid"},
    {"host.copy_overhead_ns", "of CUDA programs alone"},
    {"host.pageable_mb_per_s", "the same"},
    {"command_processor.queue_entries", "only refuses launches: this host waits for the end of each"},
    {"partition.dram.capacity_mib", "only refuses what does not fit"},
    {"tpc.memory.tlb.directory_entries",
     "an entry covers 512 MB: only a kernel with more memory than that notices"},
    {"memory_map.code_base", "moves code within DRAM"},
    {"memory_map.constant_base", "moves constants within DRAM"},
    {"memory_map.global_base", "moves global memory within DRAM"},
    {"memory_map.page_table_base", "moves the page table within DRAM"},
    {"memory_map.virtual_address_bits", "only refuses what does not fit into the addresses"},
    {"simulation.initial_state_seed", "only shows in programs that read what they did not write"},
    {"simulation.watchdog_idle_cycles", "only says when a hang is called one"},
};

std::vector<std::string> values_around(const config::leaf_ref& leaf) {
  std::vector<std::string> result;
  if (const auto* flag = std::get_if<bool*>(&leaf)) return {**flag ? "false" : "true"};
  if (const auto* real = std::get_if<config::real_ref>(&leaf))
    return {fmt::format("{}", 2 * *real->value), fmt::format("{}", *real->value / 2)};
  if (const auto* choice = std::get_if<config::choice_ref>(&leaf)) {
    for (std::size_t i = 0; i < choice->count; ++i)
      if (i != *choice->value) result.emplace_back(choice->names[i]);
    return result;
  }
  const auto& number = std::get<config::number_ref>(leaf);
  const std::uint64_t now = std::visit([](const auto* value) { return std::uint64_t{*value}; }, number.value);
  for (const std::uint64_t other :
       {2 * now, now / 2, now + 1, 16 * now, std::uint64_t{1}, now / 16, std::uint64_t{0}}) {
    const std::string text = std::to_string(other);
    const bool known = std::count(result.begin(), result.end(), text) != 0;
    if (other != now && !known && other >= number.allowed.low && other <= number.allowed.high)
      result.push_back(text);
  }
  return result;
}

// The chip on which a probe runs.
std::string chip_of(const std::string& probe) { return probe == "volta" ? "v100_small" : "gt200_small"; }

config::gpu_config& chip(const std::string& name) {
  static std::map<std::string, config::gpu_config> chips;
  const auto [place, is_new] = chips.try_emplace(name);
  if (is_new) place->second = config::load(cli::source_path("configs/" + name + ".toml")).values;
  return place->second;
}
config::gpu_config& small_chip() { return chip("gt200_small"); }

std::vector<std::string> all_keys() {
  std::vector<std::string> result;
  for (const config::key_info& key : config::schema(small_chip()).keys) result.push_back(key.path);
  return result;
}

class every_key : public cli::cli_test, public testing::WithParamInterface<std::string> {
 protected:
  // Keys of copies need copies; they would take every other probe long.
  bool copies() const {
    return GetParam().rfind("host.", 0) == 0 || GetParam() == "command_processor.host_accesses";
  }
  // The result of a run, without the names of configuration and host. Null for a refused value.
  std::optional<std::string> figures(const std::string& name, const std::vector<std::string>& settings) const {
    const probe what = make_probe(name);
    file(name + "/probe.s", what.program);
    file(name + "/launch.toml", what.launch);
    arguments args = {"run", path(name), "--config", chip_of(name), "--json"};
    if (copies()) args.push_back("--copies");
    for (const std::string& setting : settings) args.insert(args.end(), {"--set", setting});
    const cli::outcome outcome = cli::gt200_run(args);
    if (outcome.code == 1 || outcome.code == 2) {
      refusal_ = outcome.err;
      return std::nullopt;
    }
    if (outcome.code != 0) return outcome.err;  // a fault of the program
    auto all = nlohmann::ordered_json::parse(outcome.out);
    for (const char* other : {"host", "command_line", "configuration_hash", "program", "provenance", "hints"})
      all.erase(other);
    return all.dump();
  }
  // What changes a run must not be said to have no effect.
  void expect_no_hint_against(const std::string& key, const std::string& chip,
                              const std::vector<std::string>& before, const std::vector<std::string>& after) const {
    const std::string preset = cli::source_path("configs/" + chip + ".toml");
    for (const std::string& hint :
         config::hints(config::load(preset, before).values, config::load(preset, after).values,
                       copies() ? config::buffer_copies::timed : config::buffer_copies::at_once))
      EXPECT_NE(hint.rfind(key + " has no effect", 0), 0u) << hint;
  }
  mutable std::string refusal_;
};

TEST_P(every_key, changes_the_result_of_a_run) {
  const std::string key = GetParam();
  if (functional.count(key) != 0) return;
  const auto found = special.find(key);
  way_to_see way = found == special.end() ? way_to_see{} : found->second;
  for (const auto& [part, probe] : probe_of_part)
    if (way.probe.empty() && key.compare(0, part.size(), part) == 0) way.probe = probe;
  if (way.values.empty()) way.values = values_around(config::schema(chip(chip_of(way.probe))).find_key(key)->value);

  const auto as_it_is = figures(way.probe, way.with);
  ASSERT_TRUE(as_it_is) << refusal_;
  std::string tried;
  for (const std::string& value : way.values) {
    std::vector<std::string> settings = way.with;
    settings.push_back(key + "=" + value);
    const auto changed = figures(way.probe, settings);
    // A refusal by the chip itself proves nothing. A refusal because of this program does.
    for (const char* honest : {"probe", "launch.toml"})
      if (!changed && refusal_.find(honest) != std::string::npos) return;
    if (changed && changed != as_it_is) return expect_no_hint_against(key, chip_of(way.probe), way.with, settings);
    tried += fmt::format("  {} = {}{}\n", key, value, changed ? "" : ": " + refusal_);
  }
  ADD_FAILURE() << "the probe '" << way.probe << "' does not notice\n" << tried;
}

INSTANTIATE_TEST_SUITE_P(configuration, every_key, testing::ValuesIn(all_keys()), [](const auto& key) {
  std::string name = key.param;
  for (char& c : name) c = c == '.' ? '_' : c;
  return name;
});

TEST(keys, of_the_lists_above_exist) {
  const config::schema schema(small_chip());
  for (const auto& [key, way] : special) EXPECT_NE(schema.find_key(key), nullptr) << key;
  for (const auto& [key, reason] : functional) EXPECT_NE(schema.find_key(key), nullptr) << key;
}

}  // namespace
}  // namespace gt200::keys
