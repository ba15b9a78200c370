// Parameters of the SM's front end: fetch, decode, buffer, dependency tracking, scheduling, divergence. tpc.sm.*
#pragma once

#include <cstdint>
#include <string>

#include "sc_models/config/added_policy.h"
#include "sc_models/config/clock_ratio.h"
#include "sc_models/config/execution_units_config.h"
#include "sc_models/config/parameter.h"
#include "sc_models/config/rtl_config.h"
#include "toolchain/arch_state/tesla/divergence_options.h"

namespace gt200::config {

// How coordinated fetch merges the priority queues of two schedulers: coordinated_order.h.
enum class queue_merge : std::uint8_t { rank, round_robin, sequential };
template <>
inline constexpr std::array<const char*, 3> choice_names<queue_merge> = {"rank", "round_robin", "sequential"};

// tpc.sm.fetch
struct fetch_config {
  fetch_policy policy;
  queue_merge merge{};
  std::uint32_t instructions_per_fetch{};
  std::uint32_t granule_bytes{};
  std::uint32_t queue_entries{};
  std::uint32_t command_entries{};

  void describe(visitor& v) {
    v.choice("policy", policy, "order of warps; coordinated: by the issue schedulers' priority queues, merged",
             assumption("loose round robin, as named for fetch in the coordinated-scheduling patent"));
    v.choice("merge", merge,
             "coordinated, two schedulers: their queues merge by rank, alternating; each in turn; or 0 before 1",
             assumption("the patent merges the queues; the rule is not public"));
    v.number("instructions_per_fetch", instructions_per_fetch, unit::none, between(1, 2),
             "instructions of one warp read per core cycle", assumption("one fetch serves one issue slot"));
    v.number("granule_bytes", granule_bytes, unit::bytes, power_of_two(8, 256),
             "what a fetch reads of the cache line: all of its instructions begin in one such granule",
             measured("Wong 2010: appears to be 64 B at a time"));
    v.number("queue_entries", queue_entries, unit::none, between(1, 64), "fetches on their way to the decoder",
             assumption("covers the hit latency of the instruction cache"));
    v.number("command_entries", command_entries, unit::none, between(1, 64),
             "starts, redirects and commands of the decoder waiting, each",
             assumption("covers full rate between two stages"));
  }
};

// tpc.sm.decode
struct decode_config {
  timed::core_cycles latency_cycles{};
  std::uint32_t queue_entries{};

  void describe(visitor& v) {
    v.cycles("latency_cycles", latency_cycles, between(1, 16), "words until decoded instruction",
             assumption("one pipeline stage"));
    v.number("queue_entries", queue_entries, unit::none, between(1, 16), "fetched words waiting",
             assumption("covers full rate between two stages"));
  }
};

// tpc.sm.instruction_buffer
struct instruction_buffer_config {
  std::uint32_t entries_per_warp{};

  void describe(visitor& v) {
    v.number("entries_per_warp", entries_per_warp, unit::none, between(1, 16), "decoded instructions held per warp",
             assumption("Kanter estimates 32-64 entries for 32 warps"));
  }
};

enum class scoreboard_mechanism : std::uint8_t { coon, single_loop, bitmap };
template <>
inline constexpr std::array<const char*, 3> choice_names<scoreboard_mechanism> = {"coon", "single_loop", "bitmap"};
enum class scoreboard_allocation : std::uint8_t { with_lookup, at_issue };
template <>
inline constexpr std::array<const char*, 2> choice_names<scoreboard_allocation> = {"with_lookup", "at_issue"};
enum class scoreboard_full : std::uint8_t { stall_warp, stall_all, discard, stall_all_strict };
template <>
inline constexpr std::array<const char*, 4> choice_names<scoreboard_full> = {"stall_warp", "stall_all", "discard",
                                                                             "stall_all_strict"};

// tpc.sm.scoreboard
struct scoreboard_config {
  scoreboard_mechanism mechanism{};
  model_kind model{};
  std::string rtl;
  std::uint32_t entries_per_warp{};
  timed::core_cycles lookup_latency_cycles{};
  scoreboard_allocation allocate{};
  scoreboard_full when_full{};
  bool tracks_shared{};
  std::uint32_t probes_per_cycle{};
  added_keys<dependency_trackers> added;

  bool stalls_all() const {
    return when_full == scoreboard_full::stall_all || when_full == scoreboard_full::stall_all_strict;
  }

  void describe(visitor& v) {
    v.choice(
        "mechanism", mechanism,
        "coon: a few entries per warp and a dependency vector per buffered instruction; single_loop: a warp issues "
        "again only after write-back; bitmap: one bit per register",
        patent("Coon et al., US 7,434,032 and US 8,225,076"));
    v.choice("model", model, "SystemC model, reference RTL, or both compared in every cycle",
             assumption("the fastest of the three"));
    v.file("rtl", rtl, "description of RTL of your own in place of the reference (docs/cosimulation.md)",
           assumption("the reference RTL"));
    v.number("entries_per_warp", entries_per_warp, unit::none, between(1, 16),
             "coon: pending destinations per warp",
             assumption("a design choice in the patent; estimates of later silicon are 3-4"));
    v.cycles("lookup_latency_cycles", lookup_latency_cycles, between(0, 4),
             "coon: from the look-up to its answer, 0: within a cycle. The warp's next look-up waits for it",
             assumption("decode has a cycle of its own"));
    v.choice("allocate", allocate, "coon: entries are taken with the look-up, or when the instruction issues",
             patent("Coon et al.: look-up when the instruction enters the buffer"));
    v.choice("when_full", when_full,
             "coon, no entry free: stall the warp's fetch, stall all fetch, or discard and fetch again; stall_all "
             "excepts warps that wait at a barrier, stall_all_strict does not, and kernels with barriers hang",
             assumption("milder form of the stall in the GPGPU architectures book, section 3.2"));
    v.flag("tracks_shared", tracks_shared,
           "coon: a store to s[] takes an entry, and the warp's next access to s[] waits for it",
           assumption("one queue keeps the accesses of a warp to s[] in order"));
    v.number("probes_per_cycle", probes_per_cycle, unit::none, between(1, 64),
             "bitmap: warps whose dependencies are looked up per core cycle",
             assumption("every resident warp of the preset"));
    added.describe(v);
  }
};

// tpc.sm.scheduler.weights: the ready warp with the largest sum goes. schedulers/weighted.cpp
struct weights_config : unit_weights_config {
  std::uint32_t age{};
  std::uint32_t age_limit{};
  std::uint32_t awaited{};
  std::uint32_t shared{};
  std::uint32_t memory{};
  std::uint32_t control{};

  void describe(visitor& v) {
    const source unknown = assumption("the weights are not public; long latencies and slow units start early");
    v.number("age", age, unit::none, between(0, 1000), "per instruction of others since the warp's last one",
             unknown);
    v.number("age_limit", age_limit, unit::none, between(0, 100000), "instructions that count for age at most",
             unknown);
    v.number("awaited", awaited, unit::none, between(0, 100000), "warp for which its block waits at a barrier",
             unknown);
    unit_weights_config::describe(v, unknown);
    v.number("shared", shared, unit::none, between(0, 100000), "the same for shared memory", unknown);
    v.number("memory", memory, unit::none, between(0, 100000), "the same for the memory port", unknown);
    v.number("control", control, unit::none, between(0, 100000), "the same for control and barriers", unknown);
  }
};

// What two schedulers can send in one cycle.
enum class dispatch_port_kind : std::uint8_t { per_class, single };
template <>
inline constexpr std::array<const char*, 2> choice_names<dispatch_port_kind> = {"per_class", "single"};

// tpc.sm.scheduler
struct scheduler_config {
  std::uint32_t schedulers{};
  warp_policy policy;
  warp_policy second_policy;
  model_kind model{};
  std::string rtl;
  dispatch_port_kind dispatch_ports{};
  std::uint32_t two_level_active_warps{};
  weights_config weights;
  added_keys<warp_policies> added;

  void describe(visitor& v) {
    v.number("schedulers", schedulers, unit::none, between(1, 2),
             "issue schedulers; with two, warps are split by the parity of their slots",
             documented("CUDA C Programming Guide 4.2, appendix F"));
    v.choice("policy", policy, "order of the ready warps",
             documented("Kanter, Lindholm: round robin with weights; the weights are not public"));
    v.choice("second_policy", second_policy,
             "the same for the second scheduler, where it is to differ: to set policy alone sets both",
             assumption("as the first"));
    v.choice("model", model, "SystemC model, reference RTL (of lrr and gto), or both compared in every grant",
             assumption("the fastest of the three"));
    v.file("rtl", rtl, "description of RTL of your own in place of the reference (docs/cosimulation.md)",
           assumption("the reference RTL"));
    v.choice("dispatch_ports", dispatch_ports,
             "two schedulers: one instruction per cycle to each class of collector units, or one in all",
             assumption("no chip of this family has two; each class has one entry to its collector units"));
    v.number("two_level_active_warps", two_level_active_warps, unit::none, between(1, 64),
             "two_level: warps in the active set of a scheduler",
             assumption("enough to hide the ALU latency: 24 / 4 = 6, and two more"));
    v.group("weights", weights, "policy weighted: what makes a warp go first");
    added.describe(v);
  }
};

// Whether warps are formed anew where threads diverge; docs/warp_formation.md.
enum class warp_formation : std::uint8_t { fixed, dynamic, compaction };
template <>
inline constexpr std::array<const char*, 3> choice_names<warp_formation> = {"static", "dynamic", "compaction"};

// Which of the groups of threads that wait becomes a warp.
enum class formation_heuristic : std::uint8_t { majority, dynamic_majority, minority, time_stamp, pc };
template <>
inline constexpr std::array<const char*, 5> choice_names<formation_heuristic> = {"majority", "dynamic_majority",
                                                                                 "minority", "time_stamp", "pc"};

// tpc.sm.warp_former
struct warp_former_config {
  formation_heuristic heuristic{};
  bool across_blocks = false;

  void describe(visitor& v) {
    v.choice(
        "heuristic", heuristic,
        "dynamic: which waiting threads become a warp: those of the commonest PC until none of it is left, of the "
        "commonest PC at each choice, of the rarest PC, those that wait longest, those of the lowest PC",
        documented("Fung et al., MICRO 2007; dynamic_majority: majority chosen anew each time"));
    v.flag("across_blocks", across_blocks,
           "dynamic: a warp may have threads of all blocks of the grid that are in the SM, not of one only",
           assumption("off; an option of this model"));
  }
};

// tpc.sm.issue
struct issue_config {
  timed::core_cycles latency_cycles{};
  timed::shader_cycles sp_hold_cycles{};
  bool drops_unexecuted{};

  void describe(visitor& v) {
    v.cycles("latency_cycles", latency_cycles, between(1, 16), "choice until operand collection",
             assumption("one pipeline stage"));
    v.cycles("sp_hold_cycles", sp_hold_cycles, whole_core_cycles(0, 64),
             "for how long an instruction for the SPs or the DP unit holds the issue port after its cycle",
             documented("Kanter: another unit's instruction can issue between two for the SPs; G80: inferred from "
                        "reductions"));
    v.flag(
        "drops_unexecuted", drops_unexecuted,
        "an instruction whose guard is false in every active lane takes its issue cycle and one step of its unit",
        documented("CUDA C Programming Guide, predication: it is scheduled, but not executed; G80: reductions"));
  }
};

template <>
inline constexpr std::array<const char*, 2> choice_names<arch_state::tesla::divergence_semantics> = {"join",
                                                                                                     "ssy_sync"};
template <>
inline constexpr std::array<const char*, 2> choice_names<arch_state::tesla::stack_mechanism> = {"typed_tokens",
                                                                                                "pdom"};
template <>
inline constexpr std::array<const char*, 3> choice_names<arch_state::tesla::first_path> = {"last_in_program",
                                                                                           "taken", "fall_through"};
template <>
inline constexpr std::array<const char*, 2> choice_names<arch_state::tesla::join_moment> = {"before", "after"};

// tpc.sm.simt_stack
struct simt_stack_config : arch_state::tesla::divergence_options {
  void describe(visitor& v) {
    v.choice("semantics", semantics,
             "what the code marks: with join the instruction where paths reconverge, with ssy_sync the last "
             "instruction of each path (.S); code of the other convention faults",
             documented("envytools, Tesla CUDA control flow; public notes on the SIMT stack have ssy_sync"));
    v.choice("mechanism", mechanism, "join: the hardware's stack of typed tokens, or a stack of reconvergence PCs",
             documented("envytools, Tesla CUDA stack"));
    v.choice("first_path", first, "join: the side of a divergent branch that runs first",
             measured("Wong 2010: last in program order first"));
    v.choice("join", join, "join: whether the join flag acts before or after its instruction",
             documented("envytools, Tesla CUDA control flow"));
    v.number("entries", on_chip_entries, unit::none, between(4, 1024),
             "tokens per warp on the chip; more spill to memory",
             documented("envytools, context layout: 16 entries for each of 32 warps"));
    v.number("maximum_entries", maximum_entries, unit::none, power_of_two(4, 4096),
             "tokens per warp in all, 8 bytes of stack memory each; one more is a fault",
             assumption("more than programs nest; envytools: a power of two, up to 4096"));
    v.number("call_limit", call_limit, unit::none, between(1, 4096),
             "limited calls active at once; further ones are ignored",
             assumption("envytools: a register of the hardware; its value is up to the driver"));
  }
};

// tpc.sm.branch
struct branch_config {
  static constexpr std::uint32_t compared_lanes = 8;  // at once; as many as the SPs

  timed::shader_cycles latency_cycles{};
  timed::shader_cycles interval_cycles{};
  bool comparisons{};

  void describe(visitor& v) {
    v.cycles("latency_cycles", latency_cycles, whole_core_cycles(4, 1000),
             "operands of a control instruction collected until the warp's fetch goes on",
             documented("Kanter: no prediction, 4-clock branch; until then the warp does not issue"));
    v.cycles("interval_cycles", interval_cycles, whole_core_cycles(2, 1000), "between two control instructions",
             assumption("as for the SPs: 8 lanes per cycle"));
    v.flag("comparisons", comparisons,
           "set instructions of integers and fp32 execute beside the branch unit instead of on the SPs",
           assumption("set is an operation of the SPs; Kanter: comparisons execute on the branch unit"));
  }
};

// tpc.sm.barrier: time from the issue of a barrier to the next issue of the warp. One warp needs base +
// counter_read + per_warp; W > 1 warps that arrive in a row need base + per_warp * W.
struct barrier_config {
  timed::shader_cycles base_cycles{};
  timed::shader_cycles counter_read_cycles{};
  timed::shader_cycles per_warp_cycles{};

  void describe(visitor& v) {
    v.cycles("base_cycles", base_cycles, whole_core_cycles(0, 1000), "constant part of the latency",
             measured("Wong 2010: 20 cycles for 1 warp, 78 for 16; with 4 per warp"));
    v.cycles("counter_read_cycles", counter_read_cycles, whole_core_cycles(0, 1000),
             "reading the counter; an arrival right behind another one finds it latched",
             assumption("Wong 2010: 58 = 15 x 4 - 2 cycles between 1 and 16 warps"));
    v.cycles("per_warp_cycles", per_warp_cycles, whole_core_cycles(2, 1000), "arrival of one warp",
             documented("CUDA C Programming Guide 4.2: 8 lanes per clock"));
  }
};

}  // namespace gt200::config
