// How many blocks an SM takes at once, as seen by the blocks themselves: each stores its begin and end. Compared
// with the rules of the CUDA occupancy calculator for compute capability 1.x, for random demands.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <random>

#include "testbenches/support/assembly_run.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/error.h"
#include "toolchain/launch/pack_parameters.h"

namespace gt200 {
namespace {

struct demand {
  unsigned threads;
  unsigned registers;     // per thread
  unsigned shared_bytes;  // per block, header and parameters included
};

// Limits of an SM; CUDA C Programming Guide, appendix on compute capabilities, and the occupancy calculator.
struct rules {
  const char* capability;
  unsigned warps, registers, register_granule;
};

unsigned round_to(unsigned value, unsigned granule) { return (value + granule - 1) / granule * granule; }

// Registers are allocated per block, for an even number of warps; shared memory in units of 512 bytes.
unsigned published_blocks(const rules& r, const demand& d) {
  const unsigned warps = (d.threads + 31) / 32;
  const unsigned registers = round_to(round_to(warps, 2) * 32 * d.registers, r.register_granule);
  const unsigned shared = round_to(d.shared_bytes, 512);
  return std::min({8u, r.warps / warps, r.registers / registers, 16384 / shared});
}

// Thread 0 of each block stores the clock at its start and after some thousand cycles.
std::string kernel(const demand& d) {
  constexpr unsigned known_bytes = 16 + 4;  // header and parameter
  const std::string room =
      d.shared_bytes > known_bytes ? fmt::format(".shared room {}\n", d.shared_bytes - known_bytes) : "";
  return fmt::format(R"(
.target sm_10
.entry k
.param u32 out
.registers {}
{}.literal one u32 1
.literal rounds u32 30
    mov $r1 $clock
    mov b32 $r2 $r124
again:
    add b32 $r2 $r2 c1[one]
    set $c0 # l u32 $r2 c1[rounds]
    (lg $c0) bra again
    mov $r3 $clock
    mov b16 $r2l u16 s[%ctaid.x]
    cvt u32 $r2 u16 $r2l
    shl b32 $r2 $r2 0x3
    add b32 $r2 b32 s[out] $r2
    cvt u32 $r0 u16 $r0l
    set $c0 # e u32 $r0 $r124
    (lg $c0) st b32 g14[$r2] $r1
    add b32 $r2 $r2 0x4
    (lg $c0) st b32 g14[$r2] $r3
    exit nop
.end
)",
                     d.registers, room);
}

// Random legal demands of a block, more than half of them small enough for several blocks.
std::vector<demand> demands(unsigned count) {
  std::mt19937 random(20081);
  const auto upto = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::vector<demand> result;
  while (result.size() < count) {
    const bool small = upto(3) != 0;
    result.push_back({1 + upto(small ? 160 : 512), 5 + upto(small ? 24 : 120), 20 + 4 * upto(small ? 800 : 4091)});
  }
  return result;
}

class occupancy : public testing::TestWithParam<rules> {
 protected:
  // Blocks that began before any had ended.
  static unsigned begun_together(const std::vector<std::uint32_t>& times) {
    std::uint32_t first_end = UINT32_MAX;
    for (std::size_t i = 1; i < times.size(); i += 2) first_end = std::min(first_end, times[i]);
    unsigned count = 0;
    for (std::size_t i = 0; i < times.size(); i += 2) count += times[i] < first_end;
    return count;
  }
};

TEST_P(occupancy, follows_the_published_rules) {
  constexpr unsigned blocks = 10;
  const rules& r = GetParam();
  const bool early = r.warps == 24;
  std::vector<std::string> settings = {std::string("chip.compute_capability=") + r.capability, "chip.sms_per_tpc=1",
                                       "tpc.texture.l1.instances=1", "idealisations.ideal_memory=true"};
  if (early)
    for (const char* limit : {"tpc.sm.limits.warps=24", "tpc.sm.limits.threads=768", "tpc.sm.limits.registers=8192",
                              "tpc.sm.limits.register_granule=256"})
      settings.emplace_back(limit);
  device board(support::configuration("gt200_small", settings));
  const std::uint32_t out = board.allocate(8 * blocks);
  std::deque<cubin::module> modules;
  unsigned ran = 0, several = 0;
  for (const demand& d : demands(300)) {
    const std::string what =
        fmt::format("{} threads, {} registers, {} bytes", d.threads, d.registers, d.shared_bytes);
    modules.push_back(assembler::assemble(kernel(d), "occupancy.s"));
    board.load(modules.back(), {});
    launch::launch_parameters grid;
    grid.kernel = &modules.back().kernels.front();
    grid.grid = {blocks, 1};
    grid.block = {d.threads, 1, 1};
    grid.parameter_bytes = launch::pack_parameters(out);
    const unsigned expected = published_blocks(r, d);
    if (expected == 0) {
      EXPECT_THROW(board.launch(grid), input_error) << what;
      continue;
    }
    ASSERT_EQ(board.launch(grid).reason, end_reason::done) << what;
    std::vector<std::uint32_t> times(2 * blocks);
    board.peek(out, reinterpret_cast<std::uint8_t*>(times.data()), 4 * times.size());
    EXPECT_EQ(begun_together(times), expected) << what;
    ++ran;
    several += expected > 1;
  }
  EXPECT_GE(ran, 200u);
  EXPECT_GE(several, 100u);
}

INSTANTIATE_TEST_SUITE_P(of, occupancy,
                         testing::Values(rules{"1.0", 24, 8192, 256}, rules{"1.1", 24, 8192, 256},
                                         rules{"1.2", 32, 16384, 512}, rules{"1.3", 32, 16384, 512}),
                         [](const auto& r) { return std::string("capability_1_") + r.param.capability[2]; });

}  // namespace
}  // namespace gt200
