#include "sc_models/config/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sc_models/config/hints.h"
#include "sc_models/config/lane_beats.h"
#include "sc_models/config/schema.h"
#include "sc_models/config/text.h"
#include "tlm_bus/transaction_size.h"
#include "toolchain/error.h"

namespace gt200::config {
namespace {

const void* address_of(const leaf_ref& value) {
  struct {
    const void* operator()(const bool* member) const { return member; }
    const void* operator()(const number_ref& number) const {
      return std::visit([](const auto* member) -> const void* { return member; }, number.value);
    }
    const void* operator()(const real_ref& real) const { return real.value; }
    const void* operator()(const choice_ref& choice) const { return choice.value; }
    const void* operator()(const file_ref& file) const { return file.value; }
  } get;
  return std::visit(get, value);
}

// Rules name keys by their members; the address of a member gives the path of its key.
class rule_checker {
 public:
  rule_checker(gpu_config& values, const std::map<std::string, location>& set_at)
      : values_(values), known_(values), set_at_(set_at) {}

  // A quantity that has no effect, such as the size of the active set of a policy that nothing chooses, contradicts
  // nothing. A choice or a flag asks for something, and must say it of what is there.
  template <class... Members>
  void require(bool holds, const char* rule, const Members&... members) const {
    if (!holds && !has_unused({static_cast<const void*>(&members)...}))
      refuse(rule, {static_cast<const void*>(&members)...});
  }
  // The same of what is made even if nothing uses it.
  template <class... Members>
  void require_always(bool holds, const char* rule, const Members&... members) const {
    if (!holds) refuse(rule, {static_cast<const void*>(&members)...});
  }

 private:
  const key_info& key_of(const void* member) const {
    return *std::find_if(known_.keys.begin(), known_.keys.end(),
                         [&](const key_info& key) { return address_of(key.value) == member; });
  }

  bool has_unused(std::initializer_list<const void*> members) const {
    const std::set<std::string> unused = keys_without_effect(values_);
    return std::any_of(members.begin(), members.end(), [&](const void* member) {
      const key_info& key = key_of(member);
      return is_quantity(key.value) && unused.count(key.path) != 0;
    });
  }

  static bool is_quantity(const leaf_ref& value) {
    return std::holds_alternative<number_ref>(value) || std::holds_alternative<real_ref>(value);
  }

  [[noreturn]] void refuse(const char* rule, std::initializer_list<const void*> members) const {
    std::vector<const key_info*> keys;
    for (const void* member : members) keys.push_back(&key_of(member));
    // Blame the latest setting: the earlier ones were valid without it.
    const auto rank = [&](const key_info* key) { return set_at_.at(key->path).rank; };
    const auto latest =
        std::max_element(keys.begin(), keys.end(), [&](const auto* a, const auto* b) { return rank(a) < rank(b); });
    const location& at = set_at_.at((*latest)->path);
    std::vector<std::string> settings;
    for (const key_info* key : keys) {
      const location& set = set_at_.at(key->path);
      settings.push_back(fmt::format("{} = {} ({}{})", key->path, value_text(key->value), set.file,
                                     set.line != 0 ? fmt::format(":{}", set.line) : ""));
    }
    throw input_error(at.file, at.line, fmt::format("contradiction: {}: {}", rule, joined(settings, ", ")));
  }

  const gpu_config& values_;
  schema known_;
  const std::map<std::string, location>& set_at_;
};

void check_cache(const rule_checker& rules, const cache_config& cache) {
  rules.require_always(
      cache.bytes >= cache.ways * cache.line_bytes && cache.bytes % (cache.ways * cache.line_bytes) == 0,
      "a cache holds a whole number of sets of ways x line_bytes", cache.bytes, cache.ways, cache.line_bytes);
}

void check_data_cache(const rule_checker& rules, const data_cache_config& cache) {
  if (!cache.enabled) return;
  check_cache(rules, cache);
  rules.require(
      cache.index == set_index::modulo || (cache.line_bytes == 128 && (cache.sets() == 32 || cache.sets() == 64)),
      "a folded set index is that of 32 or 64 sets of lines of 128 bytes", cache.index, cache.bytes, cache.ways,
      cache.line_bytes);
}

void check_sm(const rule_checker& rules, const sm_config& sm, timed::core_cycles way_to_shared_memory,
              bool is_volta) {
  const limits_config& limits = sm.limits;
  rules.require(limits.threads <= 32 * limits.warps, "threads need warps of 32", limits.threads, limits.warps);
  rules.require(limits.threads_per_block <= limits.threads, "a block must fit into an SM", limits.threads_per_block,
                limits.threads);
  rules.require(limits.least_registers_per_thread <= limits.registers_per_thread,
                "a thread takes no more registers than it may have", limits.least_registers_per_thread,
                limits.registers_per_thread);
  rules.require(limits.registers % limits.register_granule == 0, "registers come in granules", limits.registers,
                limits.register_granule);
  rules.require(limits.shared_bytes % limits.shared_granule_bytes == 0, "shared memory comes in granules",
                limits.shared_bytes, limits.shared_granule_bytes);
  rules.require(limits.blocks <= limits.barriers, "every block needs a barrier counter", limits.blocks,
                limits.barriers);

  const scoreboard_config& scoreboard = sm.scoreboard;
  rules.require(scoreboard.model == model_kind::systemc || scoreboard.mechanism == scoreboard_mechanism::coon,
                "RTL exists for the Coon scoreboard only", scoreboard.model, scoreboard.mechanism);
  rules.require(scoreboard.mechanism != scoreboard_mechanism::coon ||
                    scoreboard.allocate == scoreboard_allocation::with_lookup ||
                    scoreboard.when_full != scoreboard_full::discard,
                "only a look-up that takes entries discards an instruction", scoreboard.allocate,
                scoreboard.when_full, scoreboard.mechanism);
  rules.require(!scoreboard.tracks_shared ||
                    (scoreboard.mechanism == scoreboard_mechanism::coon && scoreboard.model == model_kind::systemc),
                "only the SystemC model of coon tracks s[]", scoreboard.tracks_shared, scoreboard.mechanism,
                scoreboard.model);
  const bool enters_with_lookup = scoreboard.mechanism == scoreboard_mechanism::coon &&
                                  scoreboard.allocate == scoreboard_allocation::with_lookup &&
                                  scoreboard.when_full != scoreboard_full::discard;
  rules.require(scoreboard.lookup_latency_cycles == timed::core_cycles(0) || enters_with_lookup,
                "a look-up answered later is one of coon that takes entries, and a refused one waits",
                scoreboard.lookup_latency_cycles, scoreboard.mechanism, scoreboard.allocate, scoreboard.when_full);
  const auto has_rtl = [](warp_policy policy) { return policy == "lrr" || policy == "gto"; };
  rules.require(sm.scheduler.model == model_kind::systemc || has_rtl(sm.scheduler.policy),
                "RTL exists for lrr and gto only", sm.scheduler.model, sm.scheduler.policy);
  rules.require(sm.scheduler.model == model_kind::systemc || sm.scheduler.schedulers == 1 ||
                    has_rtl(sm.scheduler.second_policy),
                "RTL exists for lrr and gto only", sm.scheduler.model, sm.scheduler.second_policy);
  rules.require(sm.fetch.granule_bytes <= sm.icache.line_bytes, "a fetch reads from one cache line",
                sm.fetch.granule_bytes, sm.icache.line_bytes);
  rules.require(sm.scheduler.two_level_active_warps <= limits.warps, "active warps are resident ones",
                sm.scheduler.two_level_active_warps, limits.warps);

  rules.require(sm.sfu.reduced_saves_cycles < sm.sfu.latency_cycles,
                "a function saves less than the whole of its latency", sm.sfu.reduced_saves_cycles,
                sm.sfu.latency_cycles);
  // The units of Tesla and Fermi are made with all their times. Volta has others.
  const auto require_of_unit = [&](bool holds, const char* rule, const auto&... members) {
    if (!is_volta) rules.require_always(holds, rule, members...);
  };
  const auto covers_interval = [&](const execution_unit_config& unit) {
    require_of_unit(unit.latency_cycles >= unit.interval_cycles(),
                    "a result needs at least the initiation interval, 32 / lanes x cycles_per_group",
                    unit.latency_cycles, unit.lanes, unit.cycles_per_group);
  };
  // A latency is measured from issue to issue. The part that is left for the unit is at least one core cycle.
  const timed::shader_cycles way = sm.clocks.to_shader(timed::core_cycles(2) + sm.issue.latency_cycles);
  constexpr const char* way_rule = "a result needs at least the way through the collector and back";
  const auto unit_covers_way = [&](const timed::shader_cycles& latency, timed::shader_cycles least,
                                   timed::shader_cycles saved = {}, const auto&... keys) {
    require_of_unit(latency >= least + saved, way_rule, latency, sm.issue.latency_cycles, keys...);
  };
  const bool in_unit = sm.units.latency_measured == latency_measure::unit;
  if (!in_unit) {
    sm.for_each_unit([&](const execution_unit_config& unit) { unit_covers_way(unit.latency_cycles, way); });
    unit_covers_way(sm.sfu.latency_cycles, way, sm.sfu.reduced_saves_cycles, sm.sfu.reduced_saves_cycles);
    unit_covers_way(sm.sfu.multiply_latency_cycles, way);
  }
  rules.require(
      sm.shared_memory.latency_cycles >= way + timed::shader_cycles(2) + sm.clocks.to_shader(way_to_shared_memory),
      way_rule, sm.shared_memory.latency_cycles, sm.issue.latency_cycles);
  rules.require(sm.barrier.base_cycles + sm.barrier.per_warp_cycles >= way + timed::shader_cycles(2),
                "a barrier needs at least the way through the collector and back", sm.barrier.base_cycles,
                sm.barrier.per_warp_cycles, sm.issue.latency_cycles);
  rules.require(sm.simt_stack.on_chip_entries <= sm.simt_stack.maximum_entries,
                "no more tokens on the chip than in all", sm.simt_stack.on_chip_entries,
                sm.simt_stack.maximum_entries);
  sm.for_each_unit(covers_interval);
  const auto covers_beats = [&](timed::shader_cycles latency, unsigned beats, timed::shader_cycles interval,
                                const auto&... keys) {
    const timed::shader_cycles last_beat = beat_offset(beats - 1, beats, interval);
    const timed::core_cycles pipe =
        sm.clocks.to_core(sm.issue_to_issue(latency)) - (sm.clocks.to_core(way) - timed::core_cycles(1));
    require_of_unit(
        in_unit ? latency > last_beat : unit_pipeline(sm.clocks, pipe, last_beat) != timed::shader_cycles(0),
        "a result needs at least one shader cycle after its last lanes have entered the unit", keys...,
        sm.units.latency_measured, sm.issue.latency_cycles);
  };
  sm.for_each_unit([&](const execution_unit_config& unit) {
    covers_beats(unit.latency_cycles, 32 / unit.lanes, unit.interval_cycles(), unit.latency_cycles, unit.lanes,
                 unit.cycles_per_group);
  });
  covers_beats(sm.sp.latency_cycles, 32 / sm.sp.lanes, sm.sp.shared_operand_interval_cycles, sm.sp.latency_cycles,
               sm.sp.shared_operand_interval_cycles, sm.sp.lanes);
  covers_beats(sm.sp.latency_cycles, 32 / sm.sp.lanes, sm.sp.shared_move_interval_cycles, sm.sp.latency_cycles,
               sm.sp.shared_move_interval_cycles, sm.sp.lanes);
  if (sm.sfu.reduced_saves_cycles < sm.sfu.latency_cycles)
    covers_beats(sm.sfu.reduced_latency_cycles(), 32 / sm.sfu.lanes, sm.sfu.interval_cycles(),
                 sm.sfu.reduced_saves_cycles, sm.sfu.latency_cycles, sm.sfu.lanes, sm.sfu.cycles_per_group);
  covers_beats(sm.sfu.multiply_latency_cycles, 32 / sfu_config::multipliers, sm.sfu.multiply_interval_cycles,
               sm.sfu.multiply_latency_cycles, sm.sfu.multiply_interval_cycles);
  if (sm.branch.comparisons)
    covers_beats(sm.sp.latency_cycles, 32 / branch_config::compared_lanes, sm.branch.interval_cycles,
                 sm.sp.latency_cycles, sm.branch.interval_cycles, sm.branch.comparisons);
  rules.require(sm.sp.shared_operand_interval_cycles >= sm.sp.interval_cycles(),
                "an s[] operand does not make an instruction faster", sm.sp.shared_operand_interval_cycles,
                sm.sp.lanes, sm.sp.cycles_per_group);
  rules.require(sm.sp.shared_move_interval_cycles >= sm.sp.interval_cycles(),
                "an s[] operand does not make an instruction faster", sm.sp.shared_move_interval_cycles,
                sm.sp.lanes, sm.sp.cycles_per_group);
  check_cache(rules, sm.icache);
  check_cache(rules, sm.constant_cache);
}

// From the activate of a single transaction of the largest size until its row is closed and a refresh may follow.
std::uint64_t access_cycles(const dram_config& dram) {
  const dram_timing_config& t = dram.timing;
  const std::uint64_t transfer = std::uint64_t{tlm_bus::max_transaction_bytes / dram.burst_bytes} * t.t_ccd;
  const std::uint64_t read = t.t_rcd_read + transfer + t.t_rp;
  const std::uint64_t write = t.t_rcd_write + transfer + t.wl + t.t_wr + t.t_rp;
  return std::max({std::uint64_t{t.t_rc}, read, write});
}

void check_memory(const rule_checker& rules, const gpu_config& c) {
  const crossbar_config& crossbar = c.interconnect.crossbar;
  rules.require(crossbar.request_header_bytes <= crossbar.flit_bytes, "a header fits into a flit",
                crossbar.request_header_bytes, crossbar.flit_bytes);
  const tlb_config& tlb = c.tpc.memory.tlb;
  rules.require(tlb.l2_entries % tlb.l2_ways == 0, "the second-level TLB has a whole number of sets",
                tlb.l2_entries, tlb.l2_ways);
  rules.require(c.tpc.texture.l1.instances <= c.chip.sms_per_tpc, "an SM uses one texture cache",
                c.tpc.texture.l1.instances, c.chip.sms_per_tpc);
  check_cache(rules, c.tpc.texture.l1);
  rules.require(c.tpc.texture.l1.lines() < 65535, "the model numbers 65534 lines of a texture cache",
                c.tpc.texture.l1.bytes, c.tpc.texture.l1.line_bytes);
  check_cache(rules, c.tpc.l2);
  check_cache(rules, c.l3);
  check_cache(rules, c.partition.texture_l2);
  check_data_cache(rules, c.tpc.memory.l1);
  rules.require(
      c.tpc.memory.coalescer.rule != coalescing_rule::cc_2_0 || c.tpc.memory.coalescer.model == model_kind::systemc,
      "the RTL of the coalescer has the rules of 1.0 and 1.2", c.tpc.memory.coalescer.rule,
      c.tpc.memory.coalescer.model);
  rules.require(!c.tpc.memory.coalescer.join_equal || c.tpc.memory.coalescer.model == model_kind::systemc,
                "the RTL of the coalescer has the rules as they are written", c.tpc.memory.coalescer.join_equal,
                c.tpc.memory.coalescer.model);
  check_data_cache(rules, c.partition.l2);
  rules.require(c.l3.line_bytes <= c.partition.interleave_bytes, "a cache line lies in one partition",
                c.l3.line_bytes, c.partition.interleave_bytes);
  for (const cache_config* data :
       {static_cast<const cache_config*>(&c.tpc.memory.l1), static_cast<const cache_config*>(&c.partition.l2)})
    rules.require(data->line_bytes <= c.partition.interleave_bytes, "a cache line lies in one partition",
                  data->line_bytes, c.partition.interleave_bytes);
  rules.require(!c.tpc.memory.l1.enabled || !c.partition.l2.enabled ||
                    c.tpc.memory.l1.line_bytes <= c.partition.l2.line_bytes,
                "a line of the L1 lies in one of the L2", c.tpc.memory.l1.line_bytes, c.partition.l2.line_bytes,
                c.tpc.memory.l1.enabled, c.partition.l2.enabled);
  rules.require(c.partition.texture_l2.line_bytes <= c.partition.interleave_bytes,
                "a cache line lies in one partition", c.partition.texture_l2.line_bytes,
                c.partition.interleave_bytes);

  const dram_config& dram = c.partition.dram;
  rules.require(dram.burst_bytes <= dram.row_bytes, "a burst lies in one row", dram.burst_bytes, dram.row_bytes);
  rules.require(dram.capacity_bytes() >= std::uint64_t{dram.row_bytes} * dram.banks, "every bank has a row",
                dram.capacity_mib, dram.row_bytes, dram.banks);
  const dram_timing_config& t = dram.timing;
  rules.require(t.t_rc >= t.t_ras + t.t_rp, "a row cycle is at least activate and precharge", t.t_rc, t.t_ras,
                t.t_rp);
  rules.require(t.t_ras >= t.t_rcd_read, "a row stays open until it can be read", t.t_ras, t.t_rcd_read);
  rules.require(t.t_faw >= t.t_rrd, "four activates take longer than one", t.t_faw, t.t_rrd);
  rules.require(!dram.refresh || t.t_refi >= t.t_rfc + access_cycles(dram),
                "between two refreshes there must be time for an access of 256 bytes, from activate to the end of "
                "precharge",
                t.t_refi, t.t_rfc, t.t_rc, t.t_rcd_read, t.t_rcd_write, t.t_ccd, t.wl, t.t_wr, t.t_rp,
                dram.burst_bytes, dram.refresh);
}

// The directory, and the tables for 32-bit addresses with an entry of 8 bytes per page.
std::uint64_t page_table_bytes(std::uint32_t page_bytes) {
  return (16u << 10) + 8 * ((std::uint64_t{1} << 32) / page_bytes);
}

void check_memory_map(const rule_checker& rules, const gpu_config& c) {
  // 24-bit code addresses; 16 constant spaces of 64 KiB.
  constexpr std::uint64_t code_bytes = 16u << 20;
  constexpr std::uint64_t constant_bytes = 1u << 20;
  const memory_map_config& map = c.memory_map;
  for (const std::uint64_t* base : {&map.code_base, &map.constant_base, &map.global_base}) {
    rules.require(*base % map.page_bytes == 0, "areas begin with a page", *base, map.page_bytes);
  }
  rules.require(map.page_bytes == 4096 || map.page_bytes == 65536, "pages of 4 or 64 KiB exist", map.page_bytes);
  rules.require(map.page_table_base + page_table_bytes(map.page_bytes) <= map.code_base,
                "the page tables of 4 GiB lie before the code", map.page_table_base, map.page_bytes, map.code_base);
  rules.require(map.code_base + code_bytes <= map.constant_base, "code needs 16 MiB", map.code_base,
                map.constant_base);
  rules.require(map.constant_base + constant_bytes <= map.global_base, "constants need 1 MiB", map.constant_base,
                map.global_base);
  rules.require(map.global_base < c.memory_bytes(), "global memory lies within the DRAM", map.global_base,
                c.chip.partitions, c.partition.dram.capacity_mib);
  rules.require(c.memory_bytes() <= std::uint64_t{1} << map.virtual_address_bits, "all of the DRAM is addressable",
                map.virtual_address_bits, c.chip.partitions, c.partition.dram.capacity_mib);
}

// A warp belongs to the processing block of its slot, and finds its registers there.
void check_processing_blocks(const rule_checker& rules, const gpu_config& c) {
  const chip_config& chip = c.chip;
  const sm_config& sm = c.tpc.sm;
  const processing_block_config& block = sm.processing_block;
  const bool is_volta = chip.is_volta();
  rules.require(!is_volta || sm.limits.warp_granule % block.blocks == 0,
                "registers are counted for as many warps as fill all processing blocks evenly",
                sm.limits.warp_granule, block.blocks, chip.compute_capability);
  rules.require(!is_volta || sm.limits.registers % (sm.limits.register_granule * block.blocks) == 0,
                "each processing block has registers in granules", sm.limits.registers, sm.limits.register_granule,
                block.blocks, chip.compute_capability);
  rules.require(!is_volta || sm.fetch.policy != "coordinated", "the fetch of a processing block has its own order",
                sm.fetch.policy, chip.compute_capability);
  rules.require(!is_volta || sm.scoreboard.lookup_latency_cycles == timed::core_cycles(0),
                "control codes need no look-up", sm.scoreboard.lookup_latency_cycles, chip.compute_capability);
  rules.require(!is_volta || sm.shared_memory.replay_latency_cycles == timed::shader_cycles(0),
                "the issue of a processing block knows no replays", sm.shared_memory.replay_latency_cycles,
                chip.compute_capability);
  rules.require(is_volta || sm.dependencies == dependency_rule::scoreboard,
                "code without control codes needs a scoreboard", sm.dependencies, chip.compute_capability);
}

void check_warp_formation(const rule_checker& rules, const gpu_config& c) {
  using namespace arch_state::tesla;
  const sm_config& sm = c.tpc.sm;
  const bool is_static = sm.warp_formation == warp_formation::fixed;
  rules.require(is_static || c.chip.is_tesla(), "warps are formed anew on Tesla only", sm.warp_formation,
                c.chip.compute_capability);
  rules.require(is_static || sm.simt_stack.semantics == divergence_semantics::join,
                "threads that form warps anew have stacks for code with join", sm.warp_formation,
                sm.simt_stack.semantics);
  rules.require(is_static || sm.simt_stack.join == join_moment::after,
                "threads that form warps anew meet after the instruction with join", sm.warp_formation,
                sm.simt_stack.join);
  const std::uint32_t register_banks = sm.register_file.banks_with(sm.sp.lanes);
  rules.require(register_banks >= 1 && register_banks <= 64 && sm.register_file.banks_per_sp * sm.sp.lanes % 4 == 0,
                "an SM has 1 to 64 banks of four registers", sm.register_file.banks_per_sp, sm.sp.lanes);
  rules.require(is_static || sm.register_file.sharing == register_sharing::none,
                "a register section belongs to a warp that keeps its threads", sm.warp_formation,
                sm.register_file.sharing);
  rules.require(!sm.warp_former.across_blocks || sm.warp_formation == warp_formation::dynamic,
                "threads of several blocks form warps where these are formed as threads come",
                sm.warp_former.across_blocks, sm.warp_formation);
  rules.require(is_static || !c.idealisations.no_divergence_cost,
                "without a cost of divergence there is nothing to gain from new warps", sm.warp_formation,
                c.idealisations.no_divergence_cost);
}

// The RTL names the registers and the warps of Tesla; the units of a processing block of Volta take whole warps.
void check_generation(const rule_checker& rules, const gpu_config& c) {
  const chip_config& chip = c.chip;
  const sm_config& sm = c.tpc.sm;
  const bool is_tesla = chip.is_tesla();
  const auto needs_systemc = [&](const model_kind& model) {
    rules.require(is_tesla || model == model_kind::systemc, "the RTL inside an SM is that of Tesla's",
                  chip.compute_capability, model);
  };
  needs_systemc(sm.scoreboard.model);
  needs_systemc(sm.scheduler.model);
  needs_systemc(sm.sp.model);
  rules.require(!chip.is_volta() || sm.units.detail == unit_detail::warp,
                "values pass lane by lane on Tesla and Fermi only", chip.compute_capability, sm.units.detail);
  constexpr std::uint32_t array_bytes = 65536;  // Fermi white paper: 16 + 48 KB, or 48 + 16
  const data_cache_config& l1 = c.tpc.memory.l1;
  rules.require(!chip.is_fermi() || !l1.enabled || l1.bytes + sm.limits.shared_bytes <= array_bytes,
                "the L1 and shared memory of an SM divide 64 KB", l1.bytes, sm.limits.shared_bytes, l1.enabled,
                chip.compute_capability);
  check_processing_blocks(rules, c);
  rules.require(is_tesla || sm.register_file.sharing == register_sharing::none,
                "registers are shared over time on Tesla only", chip.compute_capability, sm.register_file.sharing);
  rules.require(sm.register_file.sharing == register_sharing::none || sm.scoreboard.model == model_kind::systemc,
                "a release names more registers than the RTL scoreboard compares", sm.register_file.sharing,
                sm.scoreboard.model);
  check_warp_formation(rules, c);
  const bool& posted_stores = c.tpc.memory.load_store_queue.posted_stores;
  rules.require(chip.is_volta() || !posted_stores, "blocks that do not wait for their stores exist on Volta only",
                chip.compute_capability, posted_stores);
  rules.require(is_tesla || !sm.branch.comparisons, "comparisons beside the branch unit exist on Tesla only",
                chip.compute_capability, sm.branch.comparisons);
}

}  // namespace

void check(const resolved_config& config) {
  gpu_config values = config.values;  // a copy: descriptions need members that can be written
  const rule_checker rules(values, config.set_at);
  check_sm(rules, values.tpc.sm, timed::core_cycles(values.chip.is_fermi() ? 1 : 0), values.chip.is_volta());
  check_memory(rules, values);
  check_memory_map(rules, values);
  check_generation(rules, values);
}

}  // namespace gt200::config
