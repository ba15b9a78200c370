// When a running chip loses something it hangs, and the first ten lines of the explanation name the waiting module,
// the warp and the instruction. One chip per test: a program, the damage, and the expected names.

#include <gmock/gmock.h>

#include <cstring>
#include <sstream>

#include "testbenches/support/assembly_run.h"
#include "testbenches/system/hangs/seeds.h"
#include "toolchain/assembler/assembler.h"

namespace gt200::hangs {
namespace {

using model::collected_token;
using model::executed_token;
using model::gpu_memory_protocol;
using model::memory_access_token;
using model::memory_completion_token;
using model::memory_operation_token;
using tlm_bus::base_protocol;

struct hang_case {
  const char* name;
  const char* body;  // of the program, after the address of the thread's word in $r4
  std::function<planted(device&)> plant;
  std::vector<const char*> named;  // in the first ten lines
};
std::ostream& operator<<(std::ostream& out, const hang_case& c) { return out << c.name; }

constexpr const char* head =
    ".target sm_13\n.entry test\n.param u32 out\n.shared words 256\n.literal seven u32 7\n"
    "  mov b16 $r0h u16 s[%ntid.x]\n"
    "  cvt u32 $r1 u16 $r0l\n"
    "  add $r0 (mul u16 u16 s[%ctaid.x] $r0h) $r1\n"
    "  shl b32 $r2 $r0 0x2\n"
    "  add b32 $r4 b32 s[out] $r2\n";

constexpr const char* load =
    "  ld b32 $r5 g14[$r4]\n"
    "  add b32 $r6 $r5 $r1\n"
    "  st b32 g14[$r4] $r6\n"
    "  exit nop\n";
constexpr const char* store =
    "  st b32 g14[$r4] $r1\n"
    "  exit nop\n";
constexpr const char* branches =
    "  set $c0 # l u32 $r1 $r2\n"
    "  (lg $c0) bra on\n"
    "  add b32 $r1 $r1 $r1\n"
    "on:\n"
    "  add b32 $r1 $r1 0x1\n"
    "  exit nop\n";
constexpr const char* arithmetic =
    "  add b32 $r5 $r1 $r2\n"
    "  add b32 $r6 $r5 $r1\n"
    "  rcp f32 $r7 $r6\n"
    "  add b32 $r6 $r7 $r1\n"
    "  exit nop\n";
constexpr const char* shared =
    "  shl $a1 $r1 0x2\n"
    "  st b32 s[$a1+words] $r1\n"
    "  mov b32 $r5 b32 s[$a1+words]\n"
    "  add b32 $r5 $r5 $r1\n"
    "  exit nop\n";
constexpr const char* constant =
    "  add b32 $r5 $r1 c1[seven]\n"
    "  exit nop\n";
constexpr const char* atomic =
    "  red add u32 g14[$r4] $r1\n"
    "  exit nop\n";
constexpr const char* waiting_load = "sm_0 warp 0, 0x30: add b32 $r6 $r5 $r1, waits for 0x28: ld b32 $r5 g14[$r4]";
constexpr const char* waiting_store = "sm_0 warp 0, waits for 0x28: st b32 g14[$r4] $r1";
constexpr const char* barrier =
    "  bar inc wait 0x0 0xfff\n"
    "  exit nop\n";

std::string in_sm(const char* module) { return std::string("gt200.tpc_0.sm_0.") + module; }

template <class TOKEN>
std::function<planted(device&)> lost(const std::string& pipe) {
  return [pipe](device& board) { return lost_token<TOKEN>(board, pipe); };
}
// The token that carries the instruction at `pc`.
template <class TOKEN>
std::function<planted(device&)> lost(const std::string& pipe, isa::code_address pc) {
  return [pipe, pc](device& board) {
    return lost_token<TOKEN>(board, pipe, [pc](const TOKEN& token) { return token.operation->pc == pc; });
  };
}
template <class TOKEN>
std::function<planted(device&)> leak(const std::string& pipe) {
  return [pipe](device& board) { return leaked_credits<TOKEN>(board, pipe); };
}
template <class TRAITS>
std::function<planted(device&)> unheard(const std::string& port) {
  return [port](device& board) { return lost_request<TRAITS>(board, port); };
}
template <class TRAITS>
std::function<planted(device&)> unanswered(const std::string& port) {
  return [port](device& board) { return lost_response<TRAITS>(board, port); };
}

// The last transaction. If one before it goes missing, the load/store queue does not notice.
planted lost_end_of_an_access(device& board) {
  return lost_token<model::transaction_token>(
      board, "gt200.tpc_0.memory.load_store_queue.from_coalescer",
      [](const model::transaction_token& transaction) { return transaction.last; });
}

class hang : public ::testing::TestWithParam<hang_case> {};

std::string first_ten_lines(const std::string& text) {
  std::istringstream in(text);
  std::string result, line;
  for (int i = 0; i < 10 && std::getline(in, line); ++i) result += line + "\n";
  return result;
}

std::string name_of_case(const ::testing::TestParamInfo<hang_case>& test) { return test.param.name; }

TEST_P(hang, is_explained_in_ten_lines) {
  const hang_case& c = GetParam();
  const cubin::module module = assembler::assemble(std::string(head) + c.body + ".end\n", "test.s");
  device board(support::configuration("gt200_small"), support::explaining());
  board.load(module, {});
  const std::uint32_t out = board.allocate(4096);
  const planted damage = c.plant ? c.plant(board) : std::make_unique<done_at_once>();
  launch::launch_parameters grid;
  grid.kernel = &module.kernels.front();
  grid.grid = {1, 1};
  grid.block = {64, 1, 1};
  grid.parameter_bytes.resize(4);
  std::memcpy(grid.parameter_bytes.data(), &out, 4);

  const launch_result result = board.launch(grid);
  EXPECT_TRUE(damage->done());
  ASSERT_EQ(result.reason, end_reason::hang);
  const std::string beginning = first_ten_lines(result.explanation);
  for (const char* name : c.named) EXPECT_THAT(beginning, ::testing::HasSubstr(name));
  // An instruction of which the report says that it has issued is found in logs and waves by its id.
  if (beginning.find("issued at cycle") != std::string::npos) {
    EXPECT_THAT(beginning, ::testing::ContainsRegex(", issued at cycle [0-9]+, i[0-9]+\\.[0-9]+\\)"));
  }
}

INSTANTIATE_TEST_SUITE_P(
    of_the_front_end, hang,
    ::testing::Values(
        hang_case{"lost_start_of_a_warp",
                  arithmetic,
                  lost<model::start_token>(in_sm("fetch.start")),
                  {"sm_0 warp 0, 0x0: fetch stands still until it is started or redirected"}},
        hang_case{"lost_fetch",
                  arithmetic,
                  lost<model::fetch_token>(in_sm("icache.requests")),
                  {"sm_0 warp 0, 0x0: fetched and not back from icache and decode"}},
        hang_case{"lost_words_for_decode",
                  arithmetic,
                  lost<model::fetched_token>(in_sm("decode.in")),
                  {"sm_0 warp 0, 0x0: fetched and not back from icache and decode"}},
        hang_case{
            "lost_line_of_the_instruction_cache",
            arithmetic,
            unanswered<base_protocol>(in_sm("icache.fill")),
            {"sm_0 warp 0, 0x0: gt200.tpc_0.sm_0.icache waits for the line", "gt200.tpc_0.sm_0.icache.mshrs: "}},
        hang_case{"lost_line_of_the_l2",
                  arithmetic,
                  unanswered<base_protocol>("gt200.tpc_0.l2.fill"),
                  {"sm_0 warp 0, 0x0: gt200.tpc_0.sm_0.icache waits for the line", "gt200.tpc_0.l2.mshrs: "}},
        hang_case{"lost_line_of_the_l3",
                  arithmetic,
                  unanswered<gpu_memory_protocol>("gt200.l3.fill"),
                  {"sm_0 warp 0, 0x0: gt200.tpc_0.sm_0.icache waits for the line", "gt200.l3.mshrs: "}},
        hang_case{"lost_redirect",
                  branches,
                  lost<model::redirect_token>(in_sm("fetch.redirect")),
                  {"sm_0 warp 0, 0x30: fetch stands still until it is started or redirected"}},
        hang_case{"lost_branch",
                  branches,
                  lost<model::control_token>(in_sm("branch.in")),
                  {"sm_0 warp 0, 0x30: fetch stands still",
                   "0x30: (lg $c0) bra 0x40 (in gt200.tpc_0.sm_0.operand_collector or behind it, branch"}},
        hang_case{"leaked_credits_of_fetch",
                  arithmetic,
                  leak<model::fetch_token>(in_sm("icache.requests")),
                  {"gt200.tpc_0.sm_0.icache.requests: 4 of 4 credits are lost",
                   "sm_0 warp 0, 0x0: could be fetched and is not"}}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    of_execution, hang,
    ::testing::Values(
        hang_case{"lost_issue",
                  arithmetic,
                  lost<model::issued_token>(in_sm("operand_collector.from_sp"), 0x28),
                  {"sm_0 warp 0, 0x30: add b32 $r6 $r5 $r1, waits for 0x28: add b32 $r5 $r1 $r2 (in "
                   "gt200.tpc_0.sm_0.operand_collector or behind it, sp"}},
        hang_case{"lost_operands",
                  arithmetic,
                  lost<collected_token>(in_sm("execution_units.sp.from_collector"), 0x28),
                  {"sm_0 warp 0, 0x30: add b32 $r6 $r5 $r1, waits for 0x28: add b32 $r5 $r1 $r2 (in "
                   "gt200.tpc_0.sm_0.operand_collector or behind it, sp"}},
        hang_case{"lost_result_of_the_sp",
                  arithmetic,
                  lost<executed_token>(in_sm("write_back.from_sp"), 0x28),
                  {"sm_0 warp 0, 0x30: add b32 $r6 $r5 $r1, waits for 0x28: add b32 $r5 $r1 $r2"}},
        hang_case{"lost_result_of_the_sfu",
                  arithmetic,
                  lost<executed_token>(in_sm("write_back.from_sfu")),
                  {"sm_0 warp 0, 0x40: add b32 $r6 $r7 $r1, waits for 0x38: rcp f32 $r7 $r6 (in "
                   "gt200.tpc_0.sm_0.operand_collector or behind it, sfu"}},
        hang_case{
            "lost_access_to_shared_memory",
            shared,
            lost<collected_token>(in_sm("shared_memory.in"), 0x38),
            {"sm_0 warp 0, 0x40: add b32 $r5 $r5 $r1, waits for 0x38: mov b32 $r5 ", "behind it, shared_memory"}},
        hang_case{"lost_word_of_shared_memory",
                  shared,
                  lost<executed_token>(in_sm("write_back.from_sp"), 0x38),
                  {"sm_0 warp 0, 0x40: add b32 $r5 $r5 $r1, waits for 0x38: mov b32 $r5 "}},
        hang_case{"lost_constants",
                  constant,
                  unanswered<base_protocol>(in_sm("constant_cache.fill")),
                  {"sm_0 warp 0, ", "0x28: add b32 $r5 $r1 c1[0x0] (in gt200.tpc_0.sm_0.operand_collector"}},
        hang_case{"leaked_credits_of_issue",
                  arithmetic,
                  leak<model::issued_token>(in_sm("operand_collector.from_sp")),
                  {"gt200.tpc_0.sm_0.operand_collector.from_sp: 6 of 6 credits are lost",
                   "sm_0 warp 0, 0x8: cvt u32 $r1 u16 $r0l"}},
        hang_case{"leaked_credits_of_a_unit",
                  arithmetic,
                  leak<executed_token>(in_sm("write_back.from_sp")),
                  {"gt200.tpc_0.sm_0.write_back.from_sp: ", "credits are lost",
                   "sm_0 warp 0, 0x8: cvt u32 $r1 u16 $r0l, waits for 0x0: mov b16 $r0h u16 s[0x2]"}}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    of_barriers, hang,
    ::testing::Values(
        hang_case{"lost_arrival",
                  barrier,
                  lost<collected_token>(in_sm("barrier.in")),
                  {"sm_0 warp 0, 0x28: has not arrived at its barrier",
                   "0x28: bar inc wait 0x0 0xfff (in gt200.tpc_0.sm_0.operand_collector or behind it, barrier",
                   "sm_0 warp 1, 0x28: waits at barrier 0 with 1 of 2 warps of block 0"}},
        hang_case{"different_barriers",
                  "  mov b32 $r3 0x20\n  set $c0 # l u32 $r1 $r3\n  (lg $c0) bra other\n"
                  "  bar inc wait 0x1 0xfff\n  exit nop\nother:\n  bar inc wait 0x0 0xfff\n  exit nop\n",
                  {},
                  {"sm_0 warp 0, 0x50: waits at barrier 0 with 1 of 2 warps of block 0",
                   "sm_0 warp 1, 0x40: waits at barrier 1 with 1 of 2 warps of block 0"}},
        hang_case{"waiting_without_arriving",
                  "  mov b32 $r3 0x20\n  set $c0 # l u32 $r1 $r3\n  (lg $c0) bra other\n"
                  "  bar wait 0x0 0xfff\n  exit nop\nother:\n  bar inc wait 0x0 0xfff\n  exit nop\n",
                  {},
                  {"sm_0 warp 0, 0x50: waits at barrier 0 with "}}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    of_memory, hang,
    ::testing::Values(
        hang_case{"lost_access",
                  load,
                  lost<collected_token>(in_sm("memory_port.in")),
                  {waiting_load, "the way to gt200.tpc_0.sm_0.memory_port"}},
        hang_case{"lost_operation",
                  load,
                  lost<memory_operation_token>("gt200.tpc_0.memory.sm_controller.from_sm_0"),
                  {waiting_load, "the way to gt200.tpc_0.memory.sm_controller"}},
        hang_case{"lost_addresses",
                  load,
                  lost<memory_access_token>("gt200.tpc_0.memory.tlb.from_address_generation"),
                  {waiting_load, "what is behind gt200.tpc_0.memory.sm_controller"}},
        hang_case{"lost_walk",
                  load,
                  lost<model::walk_request_token>("gt200.tpc_0.memory.page_walker.requests"),
                  {waiting_load, "gt200.tpc_0.memory.tlb: walking"}},
        hang_case{"lost_entry_of_the_page_table",
                  load,
                  lost<model::payload_token>("gt200.tpc_0.memory.page_walker.from_crossbar_port"),
                  {waiting_load, "gt200.tpc_0.memory.page_walker: waiting"}},
        hang_case{"lost_translation",
                  load,
                  lost<memory_access_token>("gt200.tpc_0.memory.coalescer.from_tlb"),
                  {waiting_load, "what is behind gt200.tpc_0.memory.sm_controller"}},
        hang_case{"lost_transaction",
                  load,
                  lost_end_of_an_access,
                  {waiting_load, "what is behind gt200.tpc_0.memory.sm_controller"}},
        hang_case{"lost_response_of_a_partition",
                  load,
                  lost<model::payload_token>("gt200.tpc_0.memory.load_store_queue.from_crossbar_port"),
                  {waiting_load, "gt200.tpc_0.memory.load_store_queue.loads_outstanding: 1 (m0.1 for i0.11)"}},
        hang_case{"response_that_a_tpc_forgets",
                  load,
                  unanswered<gpu_memory_protocol>("gt200.tpc_0.memory.crossbar_port.crossbar"),
                  {waiting_load, "gt200.tpc_0.memory.page_walker: waiting"}},
        hang_case{"request_that_a_partition_forgets",
                  store,
                  unheard<gpu_memory_protocol>("gt200.partition_0.arbiter.requests"),
                  {"gt200.tpc_0"}},
        hang_case{"lost_word_of_the_dram",
                  load,
                  unanswered<base_protocol>("gt200.partition_0.arbiter.dram"),
                  {"gt200.partition_0.arbiter.accesses_outstanding: 1"}},
        hang_case{"store_that_the_rop_forgets",
                  store,
                  unheard<gpu_memory_protocol>("gt200.partition_0.rop.requests"),
                  {waiting_store, "gt200.tpc_0.memory.load_store_queue.stores_outstanding: "}},
        hang_case{"atomic_that_the_rop_forgets",
                  atomic,
                  unheard<gpu_memory_protocol>("gt200.partition_0.rop.requests"),
                  {"sm_0 warp 0, waits for 0x28: red add u32 g14[$r4] $r1"}},
        hang_case{
            "lost_read_of_an_atomic",
            atomic,
            unanswered<base_protocol>("gt200.partition_0.rop.memory"),
            {"sm_0 warp 0, waits for 0x28: red add u32 g14[$r4] $r1", "gt200.partition_0.rop.atomics_active: 1"}},
        hang_case{"lost_completion_of_a_load",
                  load,
                  lost<memory_completion_token>(in_sm("write_back.from_memory")),
                  {waiting_load, "from gt200.tpc_0.memory.sm_controller to gt200.tpc_0.sm_0.write_back"}},
        hang_case{"lost_completion_of_a_store",
                  store,
                  lost<memory_completion_token>(in_sm("write_back.from_memory")),
                  {waiting_store, "from gt200.tpc_0.memory.sm_controller to gt200.tpc_0.sm_0.write_back"}},
        hang_case{"leaked_credits_of_the_memory_port",
                  load,
                  leak<memory_operation_token>("gt200.tpc_0.memory.sm_controller.from_sm_0"),
                  {"gt200.tpc_0.memory.sm_controller.from_sm_0: 27 of 27 credits are lost", waiting_load,
                   "in gt200.tpc_0.sm_0.memory_port.in"}},
        hang_case{"leaked_credits_of_the_coalescer",
                  load,
                  leak<model::transaction_token>("gt200.tpc_0.memory.load_store_queue.from_coalescer"),
                  {"gt200.tpc_0.memory.load_store_queue.from_coalescer: 2 of 2 credits are lost", waiting_load}}),
    name_of_case);

INSTANTIATE_TEST_SUITE_P(
    of_blocks, hang,
    ::testing::Values(hang_case{"lost_block",
                                store,
                                lost<model::launch_token>("gt200.tpc_0.block_port.launch"),
                                {"gt200.tpc_0.sm_0: gt200.work_distributor counts 1 blocks, block_control has 0"}},
                      hang_case{"lost_end_of_a_block",
                                store,
                                lost<model::retire_token>("gt200.work_distributor.retire_0"),
                                {"gt200.tpc_0.sm_0: gt200.work_distributor counts 1 blocks, block_control has 0"}},
                      hang_case{"leaked_credits_of_the_work_distributor",
                                store,
                                leak<model::launch_token>("gt200.tpc_0.block_port.launch"),
                                {"gt200.tpc_0.block_port.launch: 16 of 16 credits are lost",
                                 "gt200.work_distributor.blocks_waiting: 1"}}),
    name_of_case);

// 960 atomics of 30 SMs on one word queue for each other, so that no warp completes for longer than the watchdog
// waits, because of a delay that all of them have.
class slow : public ::testing::TestWithParam<std::vector<std::string>> {};

TEST_P(slow, memory_is_no_hang) {
  std::vector<std::string> overrides = GetParam();
  overrides.emplace_back("simulation.watchdog_idle_cycles=1000");
  const auto run = support::run_assembly(support::configuration("gt200", overrides), std::string(head) + R"(
  mov b32 $r3 0x1
  mov b32 $r5 b32 s[out]
  red add u32 g14[$r5] $r3
  exit nop
.end
)",
                                         30, 32, 1024);
  EXPECT_EQ(run.result.reason, end_reason::done) << first_ten_lines(run.result.explanation);
  EXPECT_EQ(run.out[0], 960u);
}

INSTANTIATE_TEST_SUITE_P(of_the_partition, slow,
                         ::testing::Values(std::vector<std::string>{"partition.rop.atomic_interval_cycles=100"},
                                           std::vector<std::string>{
                                               "partition.rop.same_address_interval_cycles=200"},
                                           std::vector<std::string>{"partition.dram.timing.t_wtr=300"},
                                           std::vector<std::string>{"partition.dram.model=fixed_latency",
                                                                    "partition.dram.fixed_latency_cycles=300"}));

// Warp 0 waits at the barrier, and instructions behind it hold its entry. Fetch for warp 1, which has not arrived,
// must go on.
class barrier_with_a_full_scoreboard : public ::testing::TestWithParam<const char*> {
 protected:
  launch_result run() {
    std::string body = "  shr u32 $r6 $r1 0x5\n  set $c1 # e u32 $r6 $r124\n  (lg $c1) bra first\n";
    for (unsigned i = 0; i < 60; ++i) body += "  nop\n";
    body +=
        "first:\n  bar inc wait 0x0 0xfff\n  add b32 $r5 $r1 $r1\n  add b32 $r6 $r5 $r5\n"
        "  st b32 g14[$r4] $r6\n  exit nop\n.end\n";
    return support::run_assembly(
               support::configuration("gt200_small", {"tpc.sm.scoreboard.entries_per_warp=1",
                                                      std::string("tpc.sm.scoreboard.when_full=") + GetParam(),
                                                      "simulation.watchdog_idle_cycles=20000"}),
               head + body, 1, 64, 64)
        .result;
  }
};
class barrier_without_exception : public barrier_with_a_full_scoreboard {};

TEST_P(barrier_with_a_full_scoreboard, opens) { EXPECT_EQ(run().reason, end_reason::done); }
TEST_P(barrier_without_exception, hangs) {
  const launch_result result = run();
  EXPECT_EQ(result.reason, end_reason::hang);
  EXPECT_THAT(first_ten_lines(result.explanation), ::testing::HasSubstr("sm_0 warp "));
}

INSTANTIATE_TEST_SUITE_P(when_full, barrier_with_a_full_scoreboard,
                         ::testing::Values("stall_warp", "stall_all", "discard"));
INSTANTIATE_TEST_SUITE_P(when_full, barrier_without_exception, ::testing::Values("stall_all_strict"));

// A spinning program keeps issuing: the limit of cycles ends the launch, and the explanation says where the warps
// are.
TEST(spinning, on_a_lock_that_nobody_releases_is_seen_at_the_limit_of_cycles) {
  device_options options;
  options.max_cycles = 20000;
  const auto run = support::run_assembly(support::configuration("gt200_small"), std::string(head) + R"(
  mov b32 $r3 0x1
again:
  mov b32 $r5 b32 s[out]
  ld max u32 $r6 g14[$r5] $r3
  set $c0 # g u32 $r6 $r124
  (lg $c0) bra again
  exit nop
.end
)",
                                         1, 64, 64, options);
  ASSERT_EQ(run.result.reason, end_reason::max_cycles);
  const std::string beginning = first_ten_lines(run.result.explanation);
  EXPECT_THAT(beginning, ::testing::HasSubstr("gt200.tpc_0.sm_0 warp "));
  EXPECT_THAT(beginning, ::testing::HasSubstr("0x38: ld max u32 $r6 g14[$r5] $r3"));
}

}  // namespace
}  // namespace gt200::hangs
