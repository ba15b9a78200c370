#include "sc_models/config/hints.h"

#include <fmt/format.h>

#include <initializer_list>
#include <map>
#include <set>

#include "sc_models/config/added_policy.h"
#include "sc_models/config/named_choices.h"
#include "sc_models/config/peaks.h"
#include "sc_models/config/schema.h"
#include "sc_models/config/text.h"

namespace gt200::config {
namespace {

constexpr double shader_per_core = 2;
constexpr unsigned warp_lanes = 32;
constexpr unsigned largest_operands = 3;  // registers of 32 bits that an fp32 multiply-addition reads
constexpr unsigned smallest_load = 32;    // bytes that an outstanding load reserves at least
constexpr unsigned largest_load = 128;    // and at most

// The changed keys with their new values, and what there is to say about them.
class hint_list {
 public:
  // All keys, as if each had changed.
  explicit hint_list(gpu_config all) {
    for (const key_info& key : schema(all).keys) changed_[key.path] = value_text(key.value);
  }
  hint_list(gpu_config before, gpu_config after) {
    const schema old_keys(before);
    const schema new_keys(after);
    for (std::size_t i = 0; i < new_keys.keys.size(); ++i) {
      const std::string value = value_text(new_keys.keys[i].value);
      if (value_text(old_keys.keys[i].value) != value) changed_[new_keys.keys[i].path] = value;
    }
  }

  // Says it about the first of these keys that has changed.
  void add(std::initializer_list<const char*> keys, const std::string& text) {
    for (const char* key : keys)
      if (const auto found = changed_.find(key); found != changed_.end())
        return lines_.push_back(fmt::format("{} = {}: {}", key, found->second, text));
  }
  // This key has no effect; or, if its name ends with a dot, all keys of this group, but for `except`, which
  // decides that. A key is said once, with the first reason.
  void no_effect(const std::string& key_or_group, const std::string& reason, const std::string& except = "") {
    const bool is_group = key_or_group.back() == '.';
    for (auto key = changed_.lower_bound(key_or_group); key != changed_.end(); ++key) {
      if (key->first.compare(0, key_or_group.size(), key_or_group) != 0) break;
      if (!is_group && key->first != key_or_group) break;
      if (key->first != except && without_effect_.insert(key->first).second)
        lines_.push_back(fmt::format("{} has no effect: {}", key->first, reason));
    }
  }
  // The same of several keys of a group.
  void no_effect(const std::string& group, std::initializer_list<const char*> keys, const std::string& reason) {
    for (const char* key : keys) no_effect(group + key, reason);
  }
  std::vector<std::string> take() { return std::move(lines_); }
  std::set<std::string> take_without_effect() { return std::move(without_effect_); }

 private:
  std::map<std::string, std::string> changed_;  // by path
  std::set<std::string> without_effect_;
  std::vector<std::string> lines_;
};

// -- another key caps the changed one --

// Warps per shader cycle that the SPs of an SM could begin, against what feeds them and takes their results.
void about_sp(const sm_config& before, const sm_config& after, hint_list& to) {
  const auto interval = static_cast<double>(after.sp.interval_cycles().count());
  if (after.sp.interval_cycles() >= before.sp.interval_cycles()) return;
  const auto say = [&](const std::string& text) {
    to.add({"tpc.sm.sp.lanes", "tpc.sm.sp.cycles_per_group"}, text);
  };
  if (after.sp.shared_operand_interval_cycles > after.sp.interval_cycles())
    say(
        fmt::format("with an s[] operand instructions still begin every {} shader cycles: lower "
                    "tpc.sm.sp.shared_operand_interval_cycles",
                    after.sp.shared_operand_interval_cycles.count()));
  if (after.sp.shared_move_interval_cycles > after.sp.interval_cycles())
    say(fmt::format(
        "moves from s[] still begin every {} shader cycles: lower tpc.sm.sp.shared_move_interval_cycles",
        after.sp.shared_move_interval_cycles.count()));
  const auto read = shader_per_core * largest_operands * warp_lanes / after.register_file.read_ports;
  if (read > interval)
    say(fmt::format(
        "instructions of three register operands begin every {:.1f} shader cycles, as fast as {} registers "
        "per core cycle are read: raise tpc.sm.register_file.read_ports",
        read, after.register_file.read_ports));
  const auto write = shader_per_core * warp_lanes / after.register_file.write_ports;
  if (write > interval)
    say(
        fmt::format("results take {:.1f} shader cycles per instruction, as fast as {} are written per core cycle: "
                    "raise tpc.sm.register_file.write_ports",
                    write, after.register_file.write_ports));
  const auto issue =
      (shader_per_core + static_cast<double>(after.issue.sp_hold_cycles.count())) / after.scheduler.schedulers;
  if (issue > interval)
    say(
        fmt::format("{} instructions for the SPs every {:.1f} shader cycles: see tpc.sm.scheduler.schedulers and "
                    "tpc.sm.issue.sp_hold_cycles",
                    after.scheduler.schedulers == 1 ? "the scheduler issues" : "the schedulers issue", issue));
}

void about_sfu(const sm_config& before, const sm_config& after, hint_list& to) {
  if (after.sfu.interval_cycles() < before.sfu.interval_cycles() && after.sfu.multiply_enabled &&
      after.sfu.multiply_interval_cycles > after.sfu.interval_cycles())
    to.add({"tpc.sm.sfu.lanes", "tpc.sm.sfu.cycles_per_group"},
           fmt::format("multiplications on the SFUs still begin every {} shader cycles: lower "
                       "tpc.sm.sfu.multiply_interval_cycles",
                       after.sfu.multiply_interval_cycles.count()));
}

void about_front_end(const sm_config& before, const sm_config& after, hint_list& to) {
  if (after.scheduler.schedulers > before.scheduler.schedulers &&
      after.fetch.instructions_per_fetch < after.scheduler.schedulers)
    to.add(
        {"tpc.sm.scheduler.schedulers"},
        fmt::format("fetch reads {} instruction per core cycle for both: raise tpc.sm.fetch.instructions_per_fetch",
                    after.fetch.instructions_per_fetch));
}

void about_residency(const sm_config& before, const sm_config& after, hint_list& to) {
  const unsigned by_threads = after.limits.threads / warp_lanes;
  if (after.limits.warps > before.limits.warps && by_threads < after.limits.warps)
    to.add({"tpc.sm.limits.warps"},
           fmt::format("{} threads are {} warps: raise tpc.sm.limits.threads", after.limits.threads, by_threads));
}

void about_loads(const load_store_queue_config& before, const load_store_queue_config& after, hint_list& to) {
  const unsigned by_bytes = after.load_bytes / smallest_load;
  if (after.load_entries > before.load_entries && by_bytes < after.load_entries)
    to.add({"tpc.memory.load_store_queue.load_entries"},
           fmt::format("the data of {} loads at most have room: raise tpc.memory.load_store_queue.load_bytes",
                       by_bytes));
  const unsigned by_entries = after.load_entries * largest_load;
  if (after.load_bytes > before.load_bytes && by_entries < after.load_bytes)
    to.add({"tpc.memory.load_store_queue.load_bytes"},
           fmt::format("{} loads have {} bytes at most: raise tpc.memory.load_store_queue.load_entries",
                       after.load_entries, by_entries));
}

void about_bandwidth(const gpu_config& before, const gpu_config& after, hint_list& to) {
  const double uncore_hertz = 1e15 / static_cast<double>(after.clocks.uncore_period());
  const double replies = after.chip.partitions * after.interconnect.crossbar.flit_bytes * uncore_hertz;
  const double dram = peak_dram_bytes_per_second(after);
  if (dram > peak_dram_bytes_per_second(before) && dram > replies && !after.partition.l2.enabled)
    to.add({"clocks.memory_mhz", "partition.dram.burst_bytes", "partition.dram.timing.t_ccd"},
           fmt::format("the DRAM could give {:.1f} GB/s, replies of the partitions carry {:.1f}: see "
                       "interconnect.crossbar.flit_bytes and clocks.uncore_mhz",
                       dram * 1e-9, replies * 1e-9));
}

// -- the changed key has no effect --

void about_policies(const sm_config& sm, bool second, hint_list& to) {
  const auto used = [&](const char* policy) {
    return sm.scheduler.policy == policy || (second && sm.scheduler.second_policy == policy) ||
           sm.fetch.policy == policy || is_chosen_for_modules(warp_policies, policy);
  };
  if (!used("two_level")) to.no_effect("tpc.sm.scheduler.two_level_active_warps", "no policy is two_level");
  if (!used("weighted")) to.no_effect("tpc.sm.scheduler.weights.", "no policy is weighted");
}

void about_schedulers(const sm_config& sm, hint_list& to) {
  const bool two = sm.scheduler.schedulers > 1;
  if (two && sm.scheduler.policy != sm.scheduler.second_policy)
    to.add({"tpc.sm.scheduler.second_policy", "tpc.sm.scheduler.policy"},
           fmt::format("the two schedulers differ, {} and {}; tpc.sm.scheduler.policy alone sets both",
                       sm.scheduler.policy.name(), sm.scheduler.second_policy.name()));
  if (!two)
    to.no_effect("tpc.sm.scheduler.", {"second_policy", "dispatch_ports"}, "tpc.sm.scheduler.schedulers = 1");
  about_policies(sm, two, to);
  if (sm.fetch.policy != "coordinated")
    to.no_effect("tpc.sm.fetch.merge", "tpc.sm.fetch.policy is not coordinated");
  else if (!two)
    to.no_effect("tpc.sm.fetch.merge", "tpc.sm.scheduler.schedulers = 1");
  if (sm.scheduler.model == model_kind::systemc)
    to.no_effect("tpc.sm.scheduler.rtl", "tpc.sm.scheduler.model = systemc");
}

// The keys of the stages that Volta's SM does not have. Its processing blocks have a scheduler, operand paths and
// units of their own.
void about_volta(const sm_config& sm, hint_list& to) {
  about_policies(sm, false, to);
  const std::string units = "lanes and times of Volta's units are keys of tpc.sm.processing_block";
  for (const char* unit : {"tpc.sm.sp.", "tpc.sm.sfu.", "tpc.sm.dp."}) to.no_effect(unit, units);
  // Others stand in tpc.sm.units as well: those of arithmetics from outside.
  to.no_effect("tpc.sm.units.",
               {"latency_measured", "detail", "sp", "sfu", "dp", "sms", "first_cycle", "last_cycle"}, units);
  const std::string one_scheduler = "each processing block of Volta has one scheduler";
  to.no_effect("tpc.sm.scheduler.", {"schedulers", "dispatch_ports", "rtl"}, one_scheduler);
  // Where it is as the first one, it may have followed that one.
  if (sm.scheduler.second_policy != sm.scheduler.policy)
    to.no_effect("tpc.sm.scheduler.second_policy", one_scheduler);
  to.no_effect("tpc.sm.fetch.merge", "each processing block of Volta has one scheduler");
  to.no_effect("tpc.sm.issue.", "issue of Volta takes the times of tpc.sm.processing_block");
  to.no_effect("tpc.sm.operand_collector.",
               {"sp_units", "sfu_units", "dp_units", "memory_units", "shared_operand_queue_entries"},
               "processing blocks of Volta have no collector units");
  to.no_effect("tpc.sm.register_file.", {"banks", "banks_per_sp", "read_ports", "memory_read_ports", "write_ports"},
               "Volta's registers are read as tpc.sm.processing_block.bank_reads says");
  to.no_effect("tpc.sm.branch.interval_cycles", "issue keeps the branches of Volta apart");
  to.no_effect("tpc.sm.barrier.", {"counter_read_cycles", "per_warp_cycles"},
               "of the keys of barriers Volta reads tpc.sm.barrier.base_cycles");
}

void about_scoreboard(const scoreboard_config& scoreboard, hint_list& to) {
  if (scoreboard.mechanism != scoreboard_mechanism::coon)
    to.no_effect("tpc.sm.scoreboard.", {"entries_per_warp", "allocate", "when_full", "tracks_shared"},
                 "tpc.sm.scoreboard.mechanism is not coon");
  if (scoreboard.mechanism != scoreboard_mechanism::bitmap)
    to.no_effect("tpc.sm.scoreboard.probes_per_cycle", "tpc.sm.scoreboard.mechanism is not bitmap");
  if (scoreboard.model == model_kind::systemc)
    to.no_effect("tpc.sm.scoreboard.rtl", "tpc.sm.scoreboard.model = systemc");
}

void about_warps(const gpu_config& config, hint_list& to) {
  const sm_config& sm = config.tpc.sm;
  if (sm.warp_formation == warp_formation::fixed)
    to.no_effect("tpc.sm.warp_former.", "tpc.sm.warp_formation = static");
  if (sm.warp_formation == warp_formation::compaction)
    to.no_effect("tpc.sm.warp_former.heuristic", "tpc.sm.warp_formation = compaction");
  if (config.chip.is_fermi())
    to.no_effect("tpc.sm.simt_stack.", {"semantics", "mechanism", "first_path", "join"},
                 "divergence on Fermi goes by SSY and .S");
  if (!config.chip.is_volta()) return;
  to.no_effect("tpc.sm.scoreboard.", "tpc.sm.dependencies takes its place on Volta");
  to.no_effect("tpc.sm.simt_stack.", "paths of a warp on Volta have no stack");
}

void about_units(const gpu_config& config, hint_list& to) {
  const sm_config& sm = config.tpc.sm;
  if (!sm.sfu.multiply_enabled)
    to.no_effect("tpc.sm.sfu.", {"multiply_interval_cycles", "multiply_latency_cycles"},
                 "tpc.sm.sfu.multiply_enabled = false");
  if (sm.sp.model == model_kind::systemc)
    to.no_effect("tpc.sm.sp.", {"rtl", "rtl_units"}, "tpc.sm.sp.model = systemc");
  if (sm.units.detail == unit_detail::warp)
    to.no_effect("tpc.sm.units.", {"sp", "sfu", "dp", "sms", "first_cycle", "last_cycle"},
                 "tpc.sm.units.detail = warp");
  if (!config.chip.is_volta()) to.no_effect("tpc.sm.processing_block.", "chip.compute_capability is not 7.0");
  if (config.chip.is_fermi() || config.chip.is_volta())
    to.no_effect("tpc.sm.shared_memory.replay_cycles", "from Fermi on the banks serve whole warps");
  if (config.chip.is_fermi()) {
    to.no_effect("tpc.sm.sfu.multiply_enabled", "SFUs of Fermi do not multiply for the SPs");
    to.no_effect("tpc.sm.issue.drops_unexecuted", "guards are read at issue on Tesla alone");
    to.no_effect("tpc.sm.sfu.reduced_saves_cycles", "all functions of sm_20 take tpc.sm.sfu.latency_cycles");
    to.no_effect("tpc.sm.sp.shared_operand_interval_cycles", "no instruction of sm_20 has an s[] operand");
    to.no_effect("tpc.sm.sp.shared_move_interval_cycles", "no instruction of sm_20 has an s[] operand");
  }
}

void about_memory(const gpu_config& config, hint_list& to) {
  if (config.topology.network == "crossbar")
    to.no_effect("topology.", {"hop_cycles", "buffer_flits"}, "topology.network = crossbar");
  if (config.topology.network == "ring" || config.topology.network == "mesh")
    to.no_effect("interconnect.crossbar.arbitration", "topology.network is not crossbar");
  if (config.topology.network == "crossbar" || config.topology.network == "ring")
    to.no_effect("topology.mesh_columns", "topology.network is not mesh");
  if (config.tpc.memory.coalescer.model == model_kind::systemc)
    to.no_effect("tpc.memory.coalescer.rtl", "tpc.memory.coalescer.model = systemc");
  if (config.tpc.memory.coalescer.rule != coalescing_rule::cc_1_0)
    to.no_effect("tpc.memory.coalescer.join_equal", "tpc.memory.coalescer.rule is not 1.0");
  if (!config.tpc.memory.l1.enabled)
    to.no_effect("tpc.memory.l1.", "tpc.memory.l1.enabled = false", "tpc.memory.l1.enabled");
  if (!config.partition.l2.enabled)
    to.no_effect("partition.l2.", "partition.l2.enabled = false", "partition.l2.enabled");
  else
    to.no_effect("partition.texture_l2.", "partition.l2.enabled = true");
  const dram_config& dram = config.partition.dram;
  if (dram.model == "timing") to.no_effect("partition.dram.fixed_latency_cycles", "partition.dram.model = timing");
  if (dram.model == "fixed_latency") {
    const std::string reason = "partition.dram.model = fixed_latency";
    to.no_effect("partition.dram.",
                 {"banks", "row_bytes", "scheduler", "page_policy", "idle_close_cycles", "bank_hash", "refresh"},
                 reason);
    // Its data take as long as theirs.
    to.no_effect("partition.dram.timing.", reason, "partition.dram.timing.t_ccd");
  }
  if (dram.model == "timing" && dram.page_policy == "closed")
    to.no_effect("partition.dram.idle_close_cycles", "partition.dram.page_policy = closed");
  if (dram.model == "timing" && !dram.refresh)
    to.no_effect("partition.dram.timing.", {"t_rfc", "t_refi"}, "partition.dram.refresh = false");
  if (config.clocks.uncore_tied_to_core) to.no_effect("clocks.uncore_mhz", "clocks.uncore_tied_to_core = true");
}

void about_banks(const gpu_config& config, hint_list& to) {
  if (config.idealisations.no_bank_conflicts) {
    const std::string reason = "idealisations.no_bank_conflicts = true";
    to.no_effect("tpc.sm.register_file.", {"banks", "banks_per_sp"}, reason);
    to.no_effect("tpc.sm.shared_memory.banks", reason);
    to.no_effect("tpc.sm.processing_block.bank_reads", reason);
  }
  if (config.tpc.sm.register_file.banks_per_sp != 0)
    to.no_effect("tpc.sm.register_file.banks", "tpc.sm.register_file.banks_per_sp is given");
}

// A perfect cache reads what it lacks from the DRAM, in no time. So the caches of SMs and texture units ask no
// other.
void about_perfect_caches(const gpu_config& config, hint_list& to) {
  if (!config.idealisations.perfect_caches) return;
  const std::string reason = "idealisations.perfect_caches = true";
  for (const char* below : {"l3.", "tpc.l2.", "partition.texture_l2."}) to.no_effect(below, reason);
  to.no_effect("partition.texture_writes_invalidate", reason);
  to.no_effect("tpc.sm.icache.", {"bytes", "ways", "mshrs"}, reason);
  to.no_effect("tpc.sm.constant_cache.", {"bytes", "ways", "mshrs"}, reason);
  to.no_effect("tpc.texture.l1.bytes", reason);
}

void about_simulation(const gpu_config& config, buffer_copies copies, hint_list& to) {
  if (config.simulation.stalls_per_1024 == 0)
    to.no_effect("simulation.stall_seed", "simulation.stalls_per_1024 = 0");
  to.no_effect("host.", {"copy_engines", "copy_overhead_ns", "pageable_mb_per_s"},
               "it is of CUDA programs (gt200 exec): here one copy is made at a time, and none beside a grid");
  if (copies == buffer_copies::timed) return;
  const std::string reason = "buffers are copied at once without --copies";
  to.no_effect("host.", {"pcie_mb_per_s", "pcie_packet_bytes", "pcie_packet_overhead_bytes"}, reason);
  to.no_effect("command_processor.host_accesses", reason);
}

void about_rtl(const gpu_config& config, hint_list& to) {
  const sm_config& sm = config.tpc.sm;
  bool any = false, lockstep = false;
  for (const model_kind model :
       {sm.scheduler.model, sm.scoreboard.model, sm.sp.model, config.tpc.memory.coalescer.model}) {
    any = any || model != model_kind::systemc;
    lockstep = lockstep || model == model_kind::lockstep;
  }
  if (!any) to.no_effect("tpc.sm.rtl.", {"sms", "clock"}, "no model is rtl or lockstep");
  if (!lockstep) to.no_effect("tpc.sm.rtl.run_on_cycles", "no model is lockstep");
}

// Keys of policies from outside. Their groups stand at `prefix`; `chosen` are the names that keys give.
void about_added(const policy_list& list, const std::string& prefix, std::initializer_list<const char*> chosen,
                 hint_list& to) {
  for (const added_policy* policy : added_to(list)) {
    bool used = is_chosen_for_modules(list, policy->name);
    for (const char* name : chosen) used = used || policy->name == name;
    if (!used) to.no_effect(prefix + policy->name + ".", "nothing chooses " + policy->name);
  }
}

void about_added_policies(const gpu_config& config, hint_list& to) {
  const sm_config& sm = config.tpc.sm;
  const dram_config& dram = config.partition.dram;
  const char* const second = sm.scheduler.schedulers > 1 ? sm.scheduler.second_policy.name() : "";
  about_added(warp_policies, "tpc.sm.scheduler.", {sm.scheduler.policy.name(), second, sm.fetch.policy.name()}, to);
  about_added(dram_models, "partition.dram.", {dram.model.name()}, to);
  about_added(dram_schedulers, "partition.dram.", {dram.scheduler.name()}, to);
  about_added(page_policies, "partition.dram.", {dram.page_policy.name()}, to);
  about_added(crossbar_arbitrations, "interconnect.crossbar.", {config.interconnect.crossbar.arbitration.name()},
              to);
  about_added(network_topologies, "topology.", {config.topology.network.name()}, to);
  about_added(coalescing_policies, "tpc.memory.coalescer.", {}, to);
  about_added(dependency_trackers, "tpc.sm.scoreboard.", {}, to);
  about_added(unit_arithmetics, "tpc.sm.units.", {}, to);
}

void tell(const gpu_config& before, const gpu_config& after, buffer_copies copies, hint_list& to) {
  const sm_config& old_sm = before.tpc.sm;
  const sm_config& sm = after.tpc.sm;
  if (after.chip.is_volta()) {
    about_volta(sm, to);
  } else {
    about_sp(old_sm, sm, to);
    about_sfu(old_sm, sm, to);
    about_front_end(old_sm, sm, to);
    about_schedulers(sm, to);
    about_scoreboard(sm.scoreboard, to);
  }
  about_residency(old_sm, sm, to);
  about_loads(before.tpc.memory.load_store_queue, after.tpc.memory.load_store_queue, to);
  about_bandwidth(before, after, to);
  about_warps(after, to);
  about_units(after, to);
  about_memory(after, to);
  about_rtl(after, to);
  about_banks(after, to);
  about_perfect_caches(after, to);
  about_simulation(after, copies, to);
  about_added_policies(after, to);
}

}  // namespace

std::vector<std::string> hints(const gpu_config& before, const gpu_config& after, buffer_copies copies) {
  hint_list to(before, after);
  tell(before, after, copies, to);
  return to.take();
}

std::set<std::string> keys_without_effect(const gpu_config& config) {
  hint_list to(config);
  tell(config, config, buffer_copies::timed, to);
  return to.take_without_effect();
}

}  // namespace gt200::config
