// The L1 and L2 data caches of the GTX 480 as programs see them: latency and bandwidth of each level, which
// accesses bypass the L1, stale lines, and local memory that the L1 holds. Every run is checked by the emulator.
//
// Figures: Andersch et al., ISPASS 2015, on a GF106: 45, 310 and 685 shader cycles for an L1 hit, an L2 hit and the
// DRAM; ekondis/gpumembench on a GTX 480: 98 % of 128 bytes per core cycle and SM from the L1, and a quarter of
// that from the L2.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include "observe/checker/checker.h"
#include "testbenches/support/assembly_run.h"
#include "testbenches/support/own_process.h"
#include "testbenches/system/fermi/fermi_board.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/launch/pack_parameters.h"

namespace gt200::support {
namespace {

std::string program(const std::string& body, const std::string& declarations = "") {
  return ".target sm_20\n.entry test\n.param u32 out\n.param u32 in\n" + declarations + body + "  exit\n.end\n";
}
std::string repeated(const std::string& text, unsigned times) {
  std::string all;
  for (unsigned n = 0; n < times; ++n) all += "  " + text + "\n";
  return all;
}

// Keeps a figure with the results of the test.
double recorded(const char* name, double value) {
  ::testing::Test::RecordProperty(name, fmt::format("{:.2f}", value));
  return value;
}

// -- latency --

const std::vector<std::string> one_sm = {"chip.tpcs=1"};

double cycles_of(const std::string& text) {
  const std::string run = run_apart(text, {{1}, {1, 1, 1}, 1}, {}, one_sm);
  EXPECT_EQ(run.front(), '\n') << run;
  return std::stod(run.substr(1));
}

// Shader cycles from one load to the next that has its address from it, which is always the same. What the first
// round fetches is not part of it.
double latency_of_load(const std::string& operation) {
  constexpr unsigned links = 40;
  const auto chain = [&](unsigned rounds) {
    return program("  mov b32 $r2 c0[in]\n  st b32 wb g[$r2] $r2\n  membar gl\n" +
                   fmt::format("  mov b32 $r1 {}\nagain:\n", rounds) +
                   repeated("ld b32 $r2 " + operation + " g[$r2]", links) +
                   "  add b32 $r1 $r1 -0x1\n  set $p0 $p7 ne u32 $r1 0x0\n  $p0 bra again\n");
  };
  return 2 * (cycles_of(chain(16)) - cycles_of(chain(8))) / (links * 8);
}

// The same for a load of a line that nothing has touched, with the additions that depend on it taken off.
double latency_of_first_load(const std::string& operation) {
  constexpr unsigned links = 20;
  const auto chain = [&](unsigned rounds) {
    std::string body = "  mov b32 $r2 c0[in]\n";
    // The pages are known, their lines are not: one load for each 64 KB.
    for (unsigned page = 0; page < 4; ++page)
      body += fmt::format("  add b32 $r4 $r2 {:#x}\n  ld b32 $r5 cg g[$r4]\n", page * 65536 + 64);
    body += fmt::format("  membar gl\n  mov b32 $r1 {}\nagain:\n", rounds);
    for (unsigned n = 0; n < links; ++n)
      body += "  ld b32 $r3 " + operation + " g[$r2+0x400]\n  and b32 $r3 $r3 0x0\n  add b32 $r2 $r2 $r3\n" +
              "  add b32 $r2 $r2 0x400\n";
    return program(body + "  add b32 $r1 $r1 -0x1\n  set $p0 $p7 ne u32 $r1 0x0\n  $p0 bra again\n");
  };
  return 2 * (cycles_of(chain(12)) - cycles_of(chain(4))) / (links * 8) - 3 * 18;
}

TEST(fermi_cache_latency, of_an_l1_hit_is_45_shader_cycles) {
  EXPECT_NEAR(recorded("ca", latency_of_load("ca")), 45, 4.5);
  EXPECT_NEAR(recorded("cs", latency_of_load("cs")), 45, 4.5);
}
TEST(fermi_cache_latency, of_an_l2_hit_is_310_shader_cycles) {
  EXPECT_NEAR(recorded("cg", latency_of_load("cg")), 310, 31);
  EXPECT_NEAR(recorded("cv", latency_of_load("cv")), 310, 31);
}
TEST(fermi_cache_latency, of_the_dram_is_685_shader_cycles) {
  EXPECT_NEAR(recorded("ca", latency_of_first_load("ca")), 685, 68.5);
  EXPECT_NEAR(recorded("cg", latency_of_first_load("cg")), 685, 68.5);
}

// -- bandwidth --

// Bytes per core cycle and SM that 1,536 threads load, over and over from 8 KB per SM.
double bytes_per_cycle(const std::string& operation, unsigned tpcs, unsigned partitions) {
  constexpr unsigned rounds = 24;
  constexpr unsigned loads = 16;
  const auto cycles = [&](unsigned times) {
    std::string body =
        "  mov b32 $r0 $tidx\n  mov b32 $r1 $ctaidx\n  and b32 $r3 $r1 0x1\n"
        "  add $r0 (mul u32 $r3 u32 c0[%ntid.x]) $r0\n  shl b32 $r0 $r0 clamp 0x2\n"
        "  shr u32 $r1 $r1 clamp 0x1\n  shl b32 $r1 $r1 clamp 0xd\n"
        "  add b32 $r0 $r0 $r1\n  add b32 $r0 $r0 c0[in]\n" +
        fmt::format("  mov b32 $r2 {}\nagain:\n", times);
    for (unsigned n = 0; n < loads; ++n)
      body += fmt::format("  ld b32 $r{} {} g[$r0+{:#x}]\n", 8 + n, operation, 128 * n);
    body += "  add b32 $r2 $r2 -0x1\n  set $p0 $p7 ne u32 $r2 0x0\n  $p0 bra again\n";
    const std::string run =
        run_apart(program(body), {{2 * tpcs}, {768, 1, 1}, 1}, {},
                  {fmt::format("chip.tpcs={}", tpcs), fmt::format("chip.partitions={}", partitions)});
    EXPECT_EQ(run.front(), '\n') << run;
    return std::stod(run.substr(1));
  };
  return 4.0 * 1536 * loads * rounds / (cycles(rounds + 8) - cycles(8));
}

TEST(fermi_cache_bandwidth, of_the_l1_is_a_line_per_core_cycle) {
  EXPECT_NEAR(recorded("bytes", bytes_per_cycle("ca", 1, 1)), 128, 1.3);
}
// 15 SMs share 6 partitions, here 5 share 2. A partition sends 64 bytes per core cycle.
TEST(fermi_cache_bandwidth, of_the_l2_is_what_the_partitions_send) {
  const double bytes = recorded("bytes", bytes_per_cycle("cg", 5, 2) * 5 / 2);
  EXPECT_GT(bytes, 0.95 * 64);
  EXPECT_LE(bytes, 64);
}

// -- coherence --

// Block 0 reads in[0], lets block 1 write it, and reads it again. out: the first value, by ca, by cg, by an atomic
// that changes nothing, by ca again.
const std::string reader_and_writer =
    "  mov b32 $r1 $ctaidx\n  mov b32 $r2 c0[in]\n  mov b32 $r3 c0[out]\n  mov b32 $r10 0x1\n"
    "  set $p0 $p7 ne u32 $r1 0x0\n  $p0 bra writer\n"
    "  ld b32 $r4 ca g[$r2]\n"
    "  st b32 wb g[$r3] $r4\n  membar gl\n"
    "  st b32 wb g[$r3+0x100] $r10\n"
    "wait_for_writer:\n  ld b32 $r5 cv g[$r3+0x200]\n  set $p1 $p7 eq u32 $r5 0x0\n  $p1 bra wait_for_writer\n"
    "  membar sys\n"
    "  ld b32 $r6 ca g[$r2]\n  ld b32 $r7 cg g[$r2]\n"
    "  st b32 wb g[$r3+0x4] $r6\n  st b32 wb g[$r3+0x8] $r7\n"
    "  atom add u32 $r8 g[$r2] $r63\n  st b32 wb g[$r3+0xc] $r8\n"
    "  ld b32 $r9 ca g[$r2]\n  st b32 wb g[$r3+0x10] $r9\n  exit\n"
    "writer:\n  ld b32 $r5 cv g[$r3+0x100]\n  set $p1 $p7 eq u32 $r5 0x0\n  $p1 bra writer\n"
    "  mov b32 $r4 0x7\n  st b32 wb g[$r2] $r4\n  membar gl\n  st b32 wb g[$r3+0x200] $r10\n";

TEST(fermi_coherence, an_l1_keeps_a_line_that_another_sm_has_written_until_an_atomic_drops_it) {
  const fermi_outcome o = run_on_fermi(program(reader_and_writer), {{2}, {1, 1, 1}, 256});
  ASSERT_EQ(o.error, "");
  EXPECT_EQ(o.out[0], fermi_input(0));
  EXPECT_EQ(o.out[1], fermi_input(0)) << "ca: stale, although a fence and the writer's fence lie between";
  EXPECT_EQ(o.out[2], 7u) << "cg: from the L2";
  EXPECT_EQ(o.out[3], 7u) << "an atomic operation, in the L2";
  EXPECT_EQ(o.out[4], 7u) << "ca: the atomic operation has dropped the line";
}
TEST(fermi_coherence, without_l1s_every_load_is_current) {
  const fermi_outcome o =
      run_on_fermi(program(reader_and_writer), {{2}, {1, 1, 1}, 256}, {}, {"tpc.memory.l1.enabled=false"});
  ASSERT_EQ(o.error, "");
  EXPECT_EQ(o.out[1], 7u);
}

TEST(fermi_coherence, an_sm_sees_its_own_stores) {
  const std::string body =
      "  mov b32 $r0 $tidx\n  shl b32 $r0 $r0 clamp 0x2\n  add b32 $r2 $r0 c0[in]\n  add b32 $r3 $r0 c0[out]\n"
      "  ld b32 $r4 ca g[$r2]\n  add b32 $r4 $r4 0x1\n  st b32 wb g[$r2] $r4\n  ld b32 $r5 ca g[$r2]\n"
      "  add b32 $r5 $r5 0x1\n  st b32 wb g[$r2] $r5\n  bar popc $p7 $r63 $r63 $r63 $p7\n"
      "  xor b32 $r0 $r0 0x4\n  add b32 $r2 $r0 c0[in]\n  ld b32 $r6 ca g[$r2]\n  st b32 wb g[$r3] $r6\n";
  const fermi_outcome o = run_on_fermi(program(body), {{1}, {256, 1, 1}, 256});
  ASSERT_EQ(o.error, "");
  for (std::uint32_t i = 0; i < 256; ++i) ASSERT_EQ(o.out[i], fermi_input(i ^ 1) + 2) << i;
}

// A launch begins with empty L1s: the host may have written in between.
TEST(fermi_coherence, a_launch_sees_what_the_host_wrote_before_it) {
  const cubin::module module = assembler::assemble(
      program("  mov b32 $r2 c0[in]\n  ld b32 $r4 ca g[$r2]\n  mov b32 $r3 c0[out]\n  st b32 wb g[$r3] $r4\n"),
      "test.s");
  device board(configuration("gtx480", {"chip.tpcs=1", "chip.partitions=1"}), explaining({}));
  board.load(module, {});
  const std::uint32_t out = board.allocate(4);
  const std::uint32_t in = board.allocate(4);
  observe::checker checker(board);
  launch::launch_parameters parameters;
  parameters.kernel = &module.kernels.front();
  parameters.parameter_bytes = launch::pack_parameters(out, in);
  for (std::uint32_t round = 1; round <= 3; ++round) {
    board.poke(in, reinterpret_cast<const std::uint8_t*>(&round), 4);
    const launch_result result = board.launch(parameters);
    checker.launch_ended(result);
    ASSERT_EQ(result.reason, end_reason::done);
    ASSERT_FALSE(checker.difference()) << observe::describe(*checker.difference());
    std::uint32_t read = 0;
    board.peek(out, reinterpret_cast<std::uint8_t*>(&read), 4);
    EXPECT_EQ(read, round);
  }
}

// -- local memory --

// Each thread fills 32 words of its own and adds them up in another order: 48 KB per block, in an L1 of 16 KB.
const std::string local_sums = program(
    "  mov b32 $r0 $tidx\n  mov b32 $r1 0x0\n  mov b32 $r2 $r0\n"
    "fill:\n  st b32 wb l[$r1] $r2\n  add b32 $r2 $r2 0x11\n  add b32 $r1 $r1 0x4\n"
    "  set $p0 $p7 lt u32 $r1 0x80\n  $p0 bra fill\n"
    "  mov b32 $r3 0x0\n"
    "sum:\n  add b32 $r1 $r1 -0x4\n  ld b32 $r4 ca l[$r1]\n  add b32 $r3 $r3 $r4\n"
    "  set $p0 $p7 ne u32 $r1 0x0\n  $p0 bra sum\n"
    "  mov b32 $r5 $ctaidx\n  add $r0 (mul u32 $r5 u32 c0[%ntid.x]) $r0\n  shl b32 $r0 $r0 clamp 0x2\n"
    "  add b32 $r0 $r0 c0[out]\n  st b32 wb g[$r0] $r3\n",
    ".local 128\n");
const fermi_grid local_grid = {{4}, {384, 1, 1}, 4 * 384};

TEST(fermi_local_memory, is_written_back_when_the_l1_is_too_small) {
  const fermi_outcome o = run_on_fermi(local_sums, local_grid);
  ASSERT_EQ(o.error, "");
  for (std::uint32_t i = 0; i < o.out.size(); ++i) ASSERT_EQ(o.out[i], 32 * (i % 384) + 0x11 * 496) << i;
}
TEST(fermi_local_memory, of_few_threads_never_leaves_the_l1) {
  const fermi_outcome small = run_on_fermi(local_sums, {{1}, {32, 1, 1}, 32});
  ASSERT_EQ(small.error, "");
}

// -- one program in every way --

TEST(fermi_caches, are_alike_in_every_way) {
  const std::string plain = run_apart(local_sums, local_grid);
  EXPECT_EQ(plain.front(), '\n') << plain;
  device_options options;
  options.clocking.shuffle_seed = 5;
  EXPECT_EQ(run_apart(local_sums, local_grid, options), plain) << "shuffled";
  options = {};
  options.clocking.mode = tlm_bus::clocking_options::way::reference;
  EXPECT_EQ(run_apart(local_sums, local_grid, options), plain) << "reference clocking";
  options = {};
  options.clocking.audit = true;
  EXPECT_EQ(run_apart(local_sums, local_grid, options), plain) << "audit";
}

// Without an observer clusters run by themselves in windows. The L1 lies within, the L2 beyond their border.
TEST(fermi_caches, are_alike_when_clusters_run_by_themselves) {
  const std::string text = in_own_process([] {
    const cubin::module module = assembler::assemble(local_sums, "test.s");
    device board(configuration("gtx480", {"chip.tpcs=2", "chip.partitions=2"}), explaining({}));
    board.load(module, {});
    fermi_outcome o;
    o.out.resize(local_grid.out_words);
    const auto bytes = static_cast<std::uint32_t>(4 * o.out.size());
    const std::uint32_t out = board.allocate(bytes);
    const std::uint32_t in = board.allocate(4 * std::uint64_t{fermi_input_words});
    launch::launch_parameters parameters;
    parameters.kernel = &module.kernels.front();
    parameters.grid = local_grid.blocks;
    parameters.block = local_grid.threads;
    parameters.parameter_bytes = launch::pack_parameters(out, in);
    o.cycles = board.launch(parameters).cycles;
    for (model::sm_if* sm : board.chip().sms()) o.issued += sm->probe().instructions_issued();
    board.peek(out, reinterpret_cast<std::uint8_t*>(o.out.data()), bytes);
    return o.text();
  });
  EXPECT_EQ(text, run_apart(local_sums, local_grid));
}

class every_chip : public ::testing::TestWithParam<std::vector<std::string>> {};

TEST_P(every_chip, runs_the_same_program_right) {
  const fermi_outcome o = run_on_fermi(local_sums, local_grid, {}, GetParam());
  ASSERT_EQ(o.error, "");
  for (std::uint32_t i = 0; i < o.out.size(); ++i) ASSERT_EQ(o.out[i], 32 * (i % 384) + 0x11 * 496) << i;
}
INSTANTIATE_TEST_SUITE_P(
    fermi_caches, every_chip,
    ::testing::Values(std::vector<std::string>{"tpc.memory.l1.enabled=false"},
                      std::vector<std::string>{"partition.l2.enabled=false"},
                      std::vector<std::string>{"tpc.memory.l1.enabled=false", "partition.l2.enabled=false"},
                      std::vector<std::string>{"tpc.memory.l1.bytes=49152", "tpc.memory.l1.ways=6",
                                               "tpc.sm.limits.shared_bytes=16384"},
                      std::vector<std::string>{"tpc.memory.l1.mshrs=1", "partition.l2.mshrs=1",
                                               "tpc.memory.l1.miss_queue_entries=2"},
                      std::vector<std::string>{"idealisations.ideal_memory=true"},
                      std::vector<std::string>{"idealisations.infinite_queues=true"}));

}  // namespace
}  // namespace gt200::support
