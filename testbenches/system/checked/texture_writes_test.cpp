// A block reads a texel again and again, and a block in another TPC overwrites it: with
// partition.texture_writes_invalidate the reader sees the new value in the same launch.
#include "testbenches/system/checked/checked_board.h"

namespace gt200 {
namespace {

constexpr std::uint32_t written = 7;

class texture_writes : public support::checked_board {
 protected:
  // What the reader got last. It gives up after 200 reads, long after the write.
  std::uint32_t last_texel(std::vector<std::string> overrides, unsigned host_threads = 1,
                           const std::string& preset = "gt200") {
    overrides.insert(overrides.begin(), {"chip.tpcs=2"});
    device_options options;
    options.clocking.threads = host_threads;
    build(support::checked_program(R"(
  mov b32 $r15 0x7
  set $c0 # lg u32 $r0 $r124
  (lg $c0) bra writer
  mov b32 $r13 0xc8
poll:
  mov b32 $r8 $r124
  texfetch all $r8:#:#:# $t0 $s0 $r8 0x0 0x0 0x0
  set $c0 # e u32 $r8 $r15
  (lg $c0) bra seen
  add b32 $r13 $r13 0xffffffff
  set $c0 # lg u32 $r13 $r124
  (lg $c0) bra poll
seen:
  exit st b32 g14[$r4] $r8
writer:
  mov b32 $r13 0x40
wait:
  add b32 $r13 $r13 0xffffffff
  set $c0 # lg u32 $r13 $r124
  (lg $c0) bra wait
  mov b32 $r8 b32 s[in]
  exit st b32 g14[$r8] $r15
)"),
          overrides, options, preset);
    board->bind_texture(0, model::texture_binding::linear_memory(in, 1024, {sampling::texel_format::u32, 1, false}));
    board->peek(in, reinterpret_cast<std::uint8_t*>(&before), 4);
    EXPECT_EQ(run(2, 1).reason, end_reason::done);
    EXPECT_EQ(difference(), "no difference");
    std::uint32_t texel = 0;
    board->peek(out, reinterpret_cast<std::uint8_t*>(&texel), 4);
    return texel;
  }

  std::uint32_t before = 0;
};

TEST_F(texture_writes, leave_the_old_texel_in_the_caches_of_others) { EXPECT_EQ(last_texel({}), before); }

TEST_F(texture_writes, reach_the_caches_of_others_if_they_invalidate) {
  EXPECT_EQ(last_texel({"partition.texture_writes_invalidate=true"}), written);
  EXPECT_EQ(board->chip().texture_invalidation->invalidations.value(), 1u);
}

TEST_F(texture_writes, reach_a_cluster_that_runs_in_a_thread_of_its_own) {
  EXPECT_EQ(last_texel({"partition.texture_writes_invalidate=true"}, 2), written);
}

TEST_F(texture_writes, reach_them_from_ideal_memory) {
  EXPECT_EQ(last_texel({"partition.texture_writes_invalidate=true", "idealisations.ideal_memory=true"}), written);
}

TEST_F(texture_writes, reach_them_from_an_l2_of_all_accesses) {
  EXPECT_EQ(last_texel({"partition.texture_writes_invalidate=true", "partition.l2.enabled=true"}), written);
}

TEST_F(texture_writes, reach_them_on_the_described_chip) {
  EXPECT_EQ(last_texel({}, 1, "gt200_as_described"), written);
}

}  // namespace
}  // namespace gt200
