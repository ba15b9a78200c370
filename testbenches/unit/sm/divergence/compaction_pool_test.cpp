// The pool of thread block compaction: who goes on when all threads of a block have arrived, and in which warps.
#include "sc_models/sm/divergence/compaction_pool.h"

#include <gtest/gtest.h>

namespace gt200::model {
namespace {

constexpr std::uint64_t all_blocks = ~std::uint64_t{0};
const block_slot first(0), second(1);

waiting_warp threads(isa::code_address pc, isa::lane_mask lanes, unsigned warp, unsigned depth = 0,
                     bool meets = false, block_slot block = first) {
  waiting_warp w;
  w.block = block;
  w.pc = pc;
  w.depth = depth;
  w.meets = meets;
  w.lanes = lanes;
  w.threads.set(warp_slot(warp), warp, w.block);
  return w;
}

TEST(compaction_pool, keeps_threads_until_all_of_their_block_have_arrived) {
  compaction_pool pool;
  pool.add(threads(0x10, 0xff, 0));
  EXPECT_FALSE(pool.take(all_blocks));
  EXPECT_FALSE(pool.all_arrived(second)) << "another block";
  EXPECT_FALSE(pool.take(all_blocks));
  EXPECT_TRUE(pool.all_arrived(first));
  EXPECT_FALSE(pool.take(all_blocks & ~std::uint64_t{1})) << "no slot is free";
  ASSERT_TRUE(pool.take(all_blocks));
  EXPECT_TRUE(pool.empty());
}

TEST(compaction_pool, packs_a_path_into_as_few_warps_as_lanes_allow) {
  compaction_pool pool;
  EXPECT_EQ(pool.add(threads(0x10, 0x0000ffff, 0)), 0u);
  EXPECT_EQ(pool.add(threads(0x10, 0x0000ffff, 1)), 0u) << "the same lanes";
  EXPECT_EQ(pool.add(threads(0x10, 0xffff0000, 2)), 16u);
  EXPECT_EQ(pool.add(threads(0x10, 0xffff0000, 3)), 16u) << "an older entry has no room, but this one";
  EXPECT_TRUE(pool.all_arrived(first));
  for (const unsigned warp : {0u, 1u}) {
    const auto packed = pool.take(all_blocks);
    ASSERT_TRUE(packed);
    EXPECT_EQ(packed->lanes, 0xffffffffu);
    EXPECT_EQ(packed->threads.number[0], warp);
    EXPECT_EQ(packed->threads.number[31], warp + 2);
  }
}

TEST(compaction_pool, lets_one_path_go_the_deepest_and_of_these_first_what_does_not_meet_yet) {
  compaction_pool pool;
  pool.add(threads(0x80, 0x1, 0, 1, true));
  pool.add(threads(0x60, 0x2, 0, 1));
  pool.add(threads(0x50, 0x4, 0, 2, true));
  pool.add(threads(0x40, 0x8, 0, 2));
  pool.add(threads(0x30, 0x10, 0, 2));
  std::vector<isa::code_address> order;
  while (!pool.empty()) {
    ASSERT_TRUE(pool.all_arrived(first));
    EXPECT_FALSE(pool.all_arrived(first)) << "some go on already";
    const auto path = pool.take(all_blocks);
    ASSERT_TRUE(path);
    order.push_back(path->pc);
    EXPECT_FALSE(pool.take(all_blocks)) << "one path";
  }
  EXPECT_EQ(order, (std::vector<isa::code_address>{0x30, 0x40, 0x50, 0x60, 0x80}));
}

// In a loop threads come back to the address at which others of their path still wait for a slot.
TEST(compaction_pool, does_not_join_threads_to_those_that_go_on) {
  compaction_pool pool;
  pool.add(threads(0x10, 0x1, 0, 1));
  ASSERT_TRUE(pool.all_arrived(first));
  EXPECT_EQ(pool.add(threads(0x10, 0x2, 1, 1)), 0u);
  EXPECT_EQ(pool.take(all_blocks)->lanes, 0x1u);
  EXPECT_FALSE(pool.take(all_blocks));
  ASSERT_TRUE(pool.all_arrived(first));
  EXPECT_EQ(pool.take(all_blocks)->lanes, 0x2u);
}

TEST(compaction_pool, has_a_path_of_each_block) {
  compaction_pool pool;
  pool.add(threads(0x10, 0x1, 0, 0, false, first));
  pool.add(threads(0x10, 0x2, 0, 0, false, second));
  EXPECT_EQ(pool.threads_of(first), 1u);
  EXPECT_TRUE(pool.all_arrived(second));
  EXPECT_TRUE(pool.all_arrived(first));
  EXPECT_EQ(pool.take(all_blocks)->block, second);
  EXPECT_EQ(pool.take(all_blocks)->block, first);
}

}  // namespace
}  // namespace gt200::model
