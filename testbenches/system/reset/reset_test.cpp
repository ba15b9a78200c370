// After a reset the chip does the same work as a fresh one at the same time: the same bytes, cycles and counters,
// whatever came before.
#include "testbenches/system/reset/reset_run.h"

#include <gtest/gtest.h>

#include "observe/checker/checker.h"
#include "observe/over_time.h"
#include "sc_models/memory_transaction.h"
#include "testbenches/support/assembly_run.h"
#include "toolchain/error.h"

namespace gt200::support {
namespace {

using arch_state::fault_kind;
using model::gpu_memory_protocol;
using model::memory_completion_token;
using tlm_bus::base_protocol;

void expect_like_fresh(const reset_setting& setting, const damage& before) {
  const std::string fresh = work_after(setting, before, false);
  ASSERT_EQ(fresh.rfind("done ", 0), 0u) << fresh.substr(0, 500);
  EXPECT_EQ(first_difference(work_after(setting, before, true), fresh), "");
}

template <class TOKEN>
std::function<hangs::planted(device&)> lost(const std::string& pipe) {
  return [pipe](device& board) { return hangs::lost_token<TOKEN>(board, pipe); };
}
template <class TOKEN>
std::function<hangs::planted(device&)> leak(const std::string& pipe) {
  return [pipe](device& board) { return hangs::leaked_credits<TOKEN>(board, pipe); };
}
template <class TRAITS>
std::function<hangs::planted(device&)> unheard(const std::string& port) {
  return [port](device& board) { return hangs::lost_request<TRAITS>(board, port); };
}
template <class TRAITS>
std::function<hangs::planted(device&)> unanswered(const std::string& port) {
  return [port](device& board) { return hangs::lost_response<TRAITS>(board, port); };
}

const char* const tesla_traffic =
    "  ld b32 $r5 g14[$r3]\n  shl $a1 $r1 0x2\n  st b32 s[$a1+tile] $r5\n  bar inc wait 0x0 0xfff\n"
    "  mov b32 $r6 b32 s[$a1+tile]\n  rcp f32 $r7 $r6\n  add b32 $r6 $r6 c1[seven]\n  st b32 g14[$r4] $r6\n"
    "  mov b32 $r9 b32 s[out]\n  red add u32 g14[$r9] $r7\n  exit nop\n";
std::string tesla_traffic_program() {
  return tesla_program(tesla_traffic, ".literal seven u32 7\n.shared tile 256\n");
}

damage fault(const char* name, const std::string& body, fault_kind kind, const std::string& directives = "") {
  return {name, tesla_program(body, directives), end_reason::fault, kind};
}
damage hang(const char* name, std::function<hangs::planted(device&)> plant) {
  return {name, tesla_traffic_program(), end_reason::hang, fault_kind::none, std::move(plant)};
}
const char* const forever = "again:\n  ld b32 $r5 g14[$r3]\n  st b32 g14[$r4] $r5\n  bra again\n  exit nop\n";
damage endless() {
  return {"endless_loop", tesla_program(forever), end_reason::max_cycles, fault_kind::none, {}, 60000};
}

std::string in_sm(const char* module) { return std::string("gt200.tpc_0.sm_0.") + module; }

// A bit of the machine flips, the first one in use that is what `bit` says.
damage machine_check(const char* name, const std::string& body, const char* storage, const std::string& bit) {
  return {name, tesla_program(body), end_reason::fault, fault_kind::machine_check,
          [=](device& board) { return hangs::flipped_bit(board, in_sm(storage), in_sm("issue"), bit); }};
}

std::vector<damage> damages_of_tesla() {
  std::vector<damage> all = {
      fault("misaligned_address", "  add b32 $r3 $r3 0x2\n  ld b32 $r5 g14[$r3]\n  exit nop\n",
            fault_kind::misaligned_address),
      fault("unmapped_address", "  mov b32 $r3 0x10\n  st b32 g14[$r3] $r1\n  exit nop\n",
            fault_kind::unmapped_address),
      fault("behind_shared_memory", "  st b32 s[0x18] $r1\n  exit nop\n", fault_kind::unmapped_address),
      fault("behind_constants", "  add b32 $r5 $r1 c1[0x10]\n  exit nop\n", fault_kind::unmapped_address,
            ".literal one u32 1\n"),
      fault("texture_not_bound", "  texfetch all $r8:#:#:# $t5 $s0 $r8 0x0 0x0 0x0\n  exit nop\n",
            fault_kind::texture_not_bound),
      fault("trap", "  trap\n  exit nop\n", fault_kind::trap),
      fault("breakpoint", "  brkpt\n  exit nop\n", fault_kind::breakpoint),
      fault("wrong_convention", "  joinat meet\n  join nop\nmeet:\n  join nop\n  exit nop\n",
            fault_kind::wrong_convention),
      {"barrier_not_allocated",
       tesla_program("  bar inc wait 0x3 0xfff\n  exit nop\n"),
       end_reason::fault,
       fault_kind::barrier_not_allocated,
       {},
       0,
       false,
       [](cubin::kernel& kernel) { kernel.barriers = 1; }},
      fault("stack_underflow", "  join nop\n  exit nop\n", fault_kind::stack_underflow),
      fault("stack_overflow", "again:\n  call again\n  exit nop\n", fault_kind::stack_overflow),
      fault("divergent_barrier",
            "  set $c0 # l u32 $r1 c1[five]\n  joinat meet\n  (lg $c0) bra meet\n  bar inc wait 0x0 0xfff\nmeet:\n"
            "  join nop\n  exit nop\n",
            fault_kind::divergent_barrier, ".literal five u32 5\n"),
      fault("illegal_instruction", "  bra there\nthere:\n  .word 0xf0000001 0xffffffff\n  exit nop\n",
            fault_kind::illegal_instruction),
      fault("invalid_pc", "  .word 0x11000003 0x00000780  // bra 0x8000\n  exit nop\n", fault_kind::invalid_pc),
      {"protected_address",
       tesla_program("  st b32 g14[$r3] $r1\n  exit nop\n"),
       end_reason::fault,
       fault_kind::protected_address,
       {},
       0,
       true},
      // The lanes end before the join, so the token says where the warp goes on; there is no type 7.
      machine_check("token_of_no_type",
                    "  joinat meet\n  ld b32 $r5 g14[$r3]\n  add b32 $r5 $r5 $r1\n  exit nop\nmeet:\n  join nop\n"
                    "  exit nop\n",
                    "simt_stack", "warp 0 entry 0 \\(joinat\\) word 1 bit 24"),
      // An instruction in the buffer becomes one that ends its warp; younger ones are there already.
      machine_check(
          "instruction_of_an_ended_warp",
          "  set $c0 # l u32 $r1 $r2\n  add b32 $r5 $r1 $r2\n  add b32 $r5 $r5 $r1\n  add b32 $r5 $r5 $r1\n"
          "  ld b32 $r5 g14[$r3]\n  st b32 g14[$r4] $r5\n  exit nop\n",
          "instruction_buffer", "warp 0 slot . instruction bit 32 \\(set .*"),
      machine_check("second_end_of_a_warp", "  set $c0 # l u32 $r1 $r2\n  exit nop\n", "instruction_buffer",
                    "warp 0 slot . instruction bit 32 \\(set .*"),
      hang("lost_start_of_a_warp", lost<model::start_token>(in_sm("fetch.start"))),
      hang("lost_fetch", lost<model::fetch_token>(in_sm("icache.requests"))),
      hang("lost_line_of_the_icache", unanswered<base_protocol>(in_sm("icache.fill"))),
      hang("lost_line_of_the_l2", unanswered<base_protocol>("gt200.tpc_0.l2.fill")),
      hang("lost_line_of_the_l3", unanswered<gpu_memory_protocol>("gt200.l3.fill")),
      hang("lost_issue", lost<model::issued_token>(in_sm("operand_collector.from_sp"))),
      hang("lost_operands", lost<model::collected_token>(in_sm("execution_units.sp.from_collector"))),
      hang("lost_result_of_the_sfu", lost<model::executed_token>(in_sm("write_back.from_sfu"))),
      hang("lost_constants", unanswered<base_protocol>(in_sm("constant_cache.fill"))),
      hang("lost_arrival_at_a_barrier", lost<model::collected_token>(in_sm("barrier.in"))),
      hang("lost_access", lost<model::collected_token>(in_sm("memory_port.in"))),
      hang("lost_walk", lost<model::walk_request_token>("gt200.tpc_0.memory.page_walker.requests")),
      hang("response_that_a_tpc_forgets",
           unanswered<gpu_memory_protocol>("gt200.tpc_0.memory.crossbar_port.crossbar")),
      hang("request_that_a_partition_forgets", unheard<gpu_memory_protocol>("gt200.partition_0.arbiter.requests")),
      hang("lost_word_of_the_dram", unanswered<base_protocol>("gt200.partition_0.arbiter.dram")),
      hang("store_that_the_rop_forgets", unheard<gpu_memory_protocol>("gt200.partition_0.rop.requests")),
      hang("lost_completion", lost<memory_completion_token>(in_sm("write_back.from_memory"))),
      hang("leaked_credits_of_fetch", leak<model::fetch_token>(in_sm("icache.requests"))),
      hang("leaked_credits_of_a_unit", leak<model::executed_token>(in_sm("write_back.from_sp"))),
      hang("leaked_credits_at_a_border", leak<model::launch_token>("gt200.tpc_0.block_port.launch")),
      hang("lost_block", lost<model::launch_token>("gt200.tpc_0.block_port.launch")),
      hang("lost_end_of_a_block", lost<model::retire_token>("gt200.work_distributor.retire_0")),
      endless(),
      {"different_barriers",
       tesla_program("  mov b32 $r5 0x20\n  set $c0 # l u32 $r1 $r5\n  (lg $c0) bra other\n"
                     "  bar inc wait 0x1 0xfff\n  exit nop\nother:\n  bar inc wait 0x0 0xfff\n  exit nop\n"),
       end_reason::hang},
  };
  return all;
}

std::string name_of_damage(const ::testing::TestParamInfo<damage>& test) { return test.param.name; }

class reset_of_gt200 : public ::testing::TestWithParam<damage> {};
TEST_P(reset_of_gt200, brings_back_a_chip_like_a_fresh_one) {
  expect_like_fresh({"gt200_small", {"simulation.watchdog_idle_cycles=3000"}}, GetParam());
}
INSTANTIATE_TEST_SUITE_P(after, reset_of_gt200, ::testing::ValuesIn(damages_of_tesla()), name_of_damage);

// -- registers shared over time --

class reset_of_sections : public ::testing::TestWithParam<damage> {};
TEST_P(reset_of_sections, brings_back_a_chip_like_a_fresh_one) {
  expect_like_fresh({"gt200_small", {"tpc.sm.register_file.sharing=regmutex"}}, GetParam());
}
INSTANTIATE_TEST_SUITE_P(
    after, reset_of_sections,
    ::testing::Values(fault("section_not_held", "  add b32 $r8 $r1 0x1\n  regrelease $r8 0x1\n  exit nop\n",
                            fault_kind::section_not_held),
                      fault("section_kept", "  regacquire $r8 0x1\n  add b32 $r8 $r1 0x1\n  exit nop\n",
                            fault_kind::section_kept)),
    name_of_damage);

// -- the other generations --

std::vector<damage> damages_of_fermi() {
  const std::string traffic = fermi_program_of(
      "  ld b32 $r3 ca g[$r2]\n  shl b32 $r5 $r0 clamp 0x2\n  st b32 s[$r5+cells] $r3\n"
      "  bar popc $p7 $r63 $r63 $r63 $p7\n  st b32 wb g[$r4] $r3\n  mov b32 $r9 c0[out]\n"
      "  red add u32 g[$r9] $r3\n  exit\n",
      ".shared cells 1024\n");
  const auto lose = [&](const char* name, std::function<hangs::planted(device&)> plant) {
    return damage{name, traffic, end_reason::hang, fault_kind::none, std::move(plant)};
  };
  return {
      {"misaligned_address", fermi_program_of("  add b32 $r2 $r2 0x2\n  ld b32 $r3 ca g[$r2]\n  exit\n"),
       end_reason::fault, fault_kind::misaligned_address},
      {"unmapped_address", fermi_program_of("  mov b32 $r2 0x10\n  st b32 wb g[$r2] $r0\n  exit\n"),
       end_reason::fault, fault_kind::unmapped_address},
      {"unsupported",
       fermi_program_of("  mov b32 $r2 c0[0x0]\n  red add u32 g[$r2] $r0\n  exit\n", ".shared cells 128\n"),
       end_reason::fault, fault_kind::unsupported},
      {"accesses_in_parts",
       fermi_program_of("  set $p0 $p7 lt u32 $r0 0x10\n  $p0 mov b32 $r2 c0[0x0]\n"
                        "again:\n  ld b32 $r3 ca g[$r2]\n  bra again\n  exit\n",
                        ".shared cells 128\n"),
       end_reason::max_cycles,
       fault_kind::none,
       {},
       60000},
      {"endless_loop",
       fermi_program_of("again:\n  ld b32 $r3 ca g[$r2]\n  st b32 wb g[$r4] $r3\n  bra again\n  exit\n"),
       end_reason::max_cycles,
       fault_kind::none,
       {},
       60000},
      lose("lost_line_of_the_icache", unanswered<base_protocol>(in_sm("icache.fill"))),
      lose("lost_line_of_the_l1", unanswered<gpu_memory_protocol>("gt200.tpc_0.memory.l1.memory")),
      lose("lost_line_of_a_partition", unanswered<base_protocol>("gt200.partition_0.l2.memory")),
      lose("lost_completion", lost<memory_completion_token>(in_sm("write_back.from_memory"))),
  };
}
class reset_of_gtx480 : public ::testing::TestWithParam<damage> {};
TEST_P(reset_of_gtx480, brings_back_a_chip_like_a_fresh_one) {
  expect_like_fresh({"gtx480", {"chip.tpcs=2", "chip.partitions=2", "simulation.watchdog_idle_cycles=3000"}},
                    GetParam());
}
INSTANTIATE_TEST_SUITE_P(after, reset_of_gtx480, ::testing::ValuesIn(damages_of_fermi()), name_of_damage);

std::vector<damage> damages_of_volta() {
  const std::string traffic = volta_program_of(
      "  [B------:R-:W0:-:S02] LDG.E.SYS R4, [R12]\n  [B0-----:R-:W-:-:S05] BAR.SYNC 0x0\n"
      "  [B------:R-:W-:-:S02] STG.E.SYS [R2], R4\n  [B------:R-:W-:-:S05] EXIT\n");
  const auto lose = [&](const char* name, std::function<hangs::planted(device&)> plant) {
    return damage{name, traffic, end_reason::hang, fault_kind::none, std::move(plant)};
  };
  return {
      {"misaligned_address",
       volta_program_of(
           "  [B------:R-:W-:-:S08] IADD3 R2, R2, 0x7, RZ\n  [B------:R-:W0:-:S02] LDG.E.SYS R4, [R2]\n"
           "  [B0-----:R-:W-:-:S05] EXIT\n"),
       end_reason::fault, fault_kind::misaligned_address},
      {"endless_loop",
       volta_program_of(
           "again:\n  [B------:R-:W0:-:S02] LDG.E.SYS R4, [R12]\n  [B0-----:R-:W-:-:S02] STG.E.SYS [R2], R4\n"
           "  [B------:R-:W-:-:S05] BRA again\n  [B------:R-:W-:-:S05] EXIT\n"),
       end_reason::max_cycles,
       fault_kind::none,
       {},
       60000},
      lose("lost_line_of_the_icache", unanswered<base_protocol>(in_sm("block_0.icache.fill"))),
      lose("lost_line_of_a_partition", unanswered<base_protocol>("gt200.partition_0.l2.memory")),
      lose("lost_completion", lost<memory_completion_token>(in_sm("result_router.from_memory"))),
  };
}
class reset_of_v100 : public ::testing::TestWithParam<damage> {};
TEST_P(reset_of_v100, brings_back_a_chip_like_a_fresh_one) {
  expect_like_fresh({"v100_small", {"simulation.watchdog_idle_cycles=3000"}}, GetParam());
}
INSTANTIATE_TEST_SUITE_P(after, reset_of_v100, ::testing::ValuesIn(damages_of_volta()), name_of_damage);

// -- ways to simulate, and parts that the presets do not use --

struct mode {
  const char* name;
  std::vector<std::string> overrides;
  std::function<void(tlm_bus::clocking_options&)> set = {};
};
void PrintTo(const mode& m, std::ostream* out) { *out << m.name; }

class reset_in_mode : public ::testing::TestWithParam<mode> {};
TEST_P(reset_in_mode, brings_back_a_chip_like_a_fresh_one) {
  reset_setting setting{"gt200_small", GetParam().overrides};
  if (GetParam().set) GetParam().set(setting.clocking);
  expect_like_fresh(setting, endless());
}
INSTANTIATE_TEST_SUITE_P(
    with, reset_in_mode,
    ::testing::Values(
        mode{"shuffled_modules", {}, [](tlm_bus::clocking_options& o) { o.shuffle_seed = 7; }},
        mode{"stalls",
             {},
             [](tlm_bus::clocking_options& o) {
               o.stalls = {3, 100};
             }},
        mode{"an_audit", {}, [](tlm_bus::clocking_options& o) { o.audit = true; }},
        mode{"reference_clocking",
             {},
             [](tlm_bus::clocking_options& o) { o.mode = tlm_bus::clocking_options::way::reference; }},
        mode{"threads",
             {"chip.tpcs=4"},
             [](tlm_bus::clocking_options& o) {
               o.threads = 3;
               o.share_every_window = true;
             }},
        mode{"warp_formation", {"tpc.sm.warp_formation=dynamic"}},
        mode{"compaction", {"tpc.sm.warp_formation=compaction"}},
        mode{"blocks_mixed", {"tpc.sm.warp_formation=dynamic", "tpc.sm.warp_former.across_blocks=true"}},
        mode{"greedy_scheduling", {"tpc.sm.scheduler.policy=gto"}},
        mode{"two_level_scheduling", {"tpc.sm.scheduler.policy=two_level"}},
        mode{"weighted_scheduling", {"tpc.sm.scheduler.policy=weighted"}},
        mode{"a_register_bitmap", {"tpc.sm.scoreboard.mechanism=bitmap"}},
        mode{"register_sharing", {"tpc.sm.register_file.sharing=regmutex"}},
        mode{"units_lane_by_lane", {"tpc.sm.units.detail=lane"}}, mode{"a_ring", {"topology.network=ring"}},
        mode{"islip", {"interconnect.crossbar.arbitration=islip"}},
        mode{"fixed_latency_memory", {"partition.dram.model=fixed_latency"}},
        mode{"closed_pages", {"partition.dram.page_policy=closed"}},
        mode{"ideal_memory", {"idealisations.ideal_memory=true"}}),
    [](const auto& test) { return std::string(test.param.name); });

// The time at which a reset takes effect is that of all ways to simulate: the work afterwards has the same cycles.
TEST(reset, takes_effect_at_the_same_time_in_every_clocking) {
  const damage before = endless();
  const std::string due = work_after({}, before, true);
  for (const unsigned way : {0u, 1u, 2u}) {
    reset_setting other;
    if (way == 0) other.clocking.audit = true;
    if (way == 1) other.clocking.mode = tlm_bus::clocking_options::way::reference;
    if (way == 2) other.clocking.threads = 2;
    EXPECT_EQ(first_difference(work_after(other, before, true), due), "") << way;
  }
}

TEST(reset, is_refused_by_the_name_of_who_cannot_follow) {
  device board(configuration("gt200_small"));
  {
    const observe::over_time figures(board.chip());
    try {
      board.reset();
      FAIL() << "no refusal";
    } catch (const input_error& e) {
      EXPECT_NE(std::string(e.what()).find("figures over time"), std::string::npos) << e.what();
    }
  }
  {
    const observe::checker checker(board);
    EXPECT_THROW(board.reset(), input_error);
  }
  EXPECT_NO_THROW(board.reset());
}

TEST(reset, is_refused_by_a_chip_that_has_forgone_it) {
  device board(configuration("gt200_small"));
  board.chip().forgo_reset();
  try {
    board.reset();
    FAIL() << "no refusal";
  } catch (const input_error& e) {
    EXPECT_NE(std::string(e.what()).find("does without a reset"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace gt200::support
