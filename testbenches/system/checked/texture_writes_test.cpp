// Blocks read texels again and again, and a block in another TPC overwrites them: with
// partition.texture_writes_invalidate the readers see the last value in the same launch.
#include <fmt/format.h>

#include <algorithm>

#include "testbenches/support/own_process.h"
#include "testbenches/system/checked/checked_board.h"

namespace gt200 {
namespace {

constexpr unsigned texels = 32;
constexpr unsigned texel_distance = 256;  // bytes
constexpr unsigned reading_blocks = 9;

// Block 0 writes 1 .. `last` to each texel, after waits of different lengths. The others read theirs until it is
// `last`, and store what they got last; they give up after 200 reads, long after the last write.
std::string program(unsigned last) {
  return support::checked_program(fmt::format(R"(
  mov b32 $r15 {:#x}
  shl b32 $r7 $r1 0x6
  mov b32 $r14 0x1f
  set $c0 # g u32 $r0 $r14
  (lg $c0) bra reader
  mov b32 $r9 b32 s[in]
  shl b32 $r10 $r7 0x2
  add b32 $r9 $r9 $r10
  mov b32 $r5 $r124
write:
  add b32 $r5 $r5 0x1
  st b32 g14[$r9] $r5
  and b32 $r13 $r5 $r15
  add b32 $r13 $r13 0x1
wait:
  add b32 $r13 $r13 0xffffffff
  set $c0 # lg u32 $r13 $r124
  (lg $c0) bra wait
  set $c0 # lg u32 $r5 $r15
  (lg $c0) bra write
  exit st b32 g14[$r4] $r5
reader:
  mov b32 $r13 0xc8
poll:
  mov b32 $r8 $r7
  texfetch all $r8:#:#:# $t0 $s0 $r8 0x0 0x0 0x0
  set $c0 # e u32 $r8 $r15
  (lg $c0) bra seen
  add b32 $r13 $r13 0xffffffff
  set $c0 # lg u32 $r13 $r124
  (lg $c0) bra poll
seen:
  exit st b32 g14[$r4] $r8
)",
                                              last));
}

class texture_writes : public support::checked_board {
 protected:
  // How many readers did not see the last value.
  unsigned stale(unsigned last, std::vector<std::string> overrides, const device_options& options = {},
                 const std::string& preset = "gt200") {
    if (preset == "gt200") overrides.insert(overrides.begin(), "chip.tpcs=10");
    build(program(last), overrides, options, preset);
    const std::vector<std::uint8_t> zeros(texels * texel_distance);
    board->poke(in, zeros.data(), zeros.size());
    board->bind_texture(0, model::texture_binding::linear_memory(in, texels * texel_distance,
                                                                 {sampling::texel_format::u32, 1, false}));
    cycles = run(1 + reading_blocks, texels).cycles;
    EXPECT_EQ(difference(), "no difference");
    std::vector<std::uint32_t> got(texels * (1 + reading_blocks));
    board->peek(out, reinterpret_cast<std::uint8_t*>(got.data()), 4 * got.size());
    return static_cast<unsigned>(got.size() - static_cast<std::size_t>(std::count(got.begin(), got.end(), last)));
  }

  std::uint64_t cycles = 0;
};

const std::string invalidate = "partition.texture_writes_invalidate=true";

TEST_F(texture_writes, leave_the_old_texels_in_the_caches_of_others) { EXPECT_GT(stale(9, {}), 0u); }

TEST_F(texture_writes, reach_them_from_ideal_memory) {
  EXPECT_EQ(stale(9, {invalidate, "idealisations.ideal_memory=true"}), 0u);
}

TEST_F(texture_writes, reach_them_from_an_l2_of_all_accesses) {
  EXPECT_EQ(stale(9, {invalidate, "partition.l2.enabled=true"}), 0u);
}

TEST_F(texture_writes, reach_them_while_connections_stall) {
  EXPECT_EQ(stale(9, {invalidate, "simulation.stalls_per_1024=100"}), 0u);
}

TEST_F(texture_writes, reach_them_on_the_described_chip) { EXPECT_EQ(stale(9, {}, {}, "gt200_as_described"), 0u); }

class texture_writes_of : public texture_writes, public ::testing::WithParamInterface<unsigned> {};

TEST_P(texture_writes_of, several_values_reach_the_caches_of_others_whatever_the_order_of_modules) {
  const auto run_with = [&](const device_options& options) {
    return support::in_own_process([&] {
      const unsigned left = stale(GetParam(), {invalidate}, options);
      return fmt::format("{} stale after {} cycles{}", left, cycles, HasFailure() ? ", failed" : "");
    });
  };
  const std::string plain = run_with({});
  EXPECT_EQ(plain.rfind("0 stale after ", 0), 0u) << plain;
  for (const std::uint64_t seed : {1, 2, 3}) {
    device_options shuffled;
    shuffled.clocking.shuffle_seed = seed;
    EXPECT_EQ(run_with(shuffled), plain) << "shuffled with " << seed;
  }
  device_options threads;
  threads.clocking.threads = 2;
  EXPECT_EQ(run_with(threads), plain) << "in two threads";
}

INSTANTIATE_TEST_SUITE_P(last_value, texture_writes_of, ::testing::Values(1u, 4u, 9u, 21u));

}  // namespace
}  // namespace gt200
