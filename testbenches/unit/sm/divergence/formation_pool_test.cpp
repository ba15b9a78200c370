// The warp pool: threads take their lanes in the youngest entry of their address, and each heuristic has its order.
#include "sc_models/sm/divergence/formation_pool.h"

#include <gtest/gtest.h>

namespace gt200::model {
namespace {

using config::formation_heuristic;

constexpr std::uint64_t all_blocks = ~std::uint64_t{0};

waiting_warp threads(isa::code_address pc, isa::lane_mask lanes, unsigned warp, unsigned block = 0) {
  waiting_warp w;
  w.block = block_slot(block);
  w.pc = pc;
  w.lanes = lanes;
  w.threads.set(warp_slot(warp), warp, w.block);
  return w;
}

std::vector<isa::code_address> order_of(formation_heuristic heuristic, const std::vector<waiting_warp>& arriving) {
  formation_pool pool(heuristic);
  for (const waiting_warp& w : arriving) pool.add(w);
  std::vector<isa::code_address> order;
  while (const auto next = pool.take(all_blocks)) order.push_back(next->pc);
  return order;
}

TEST(formation_pool, puts_threads_of_one_address_into_one_warp) {
  formation_pool pool(formation_heuristic::time_stamp);
  EXPECT_EQ(pool.add(threads(0x10, 0x0f, 0)), 0u);
  EXPECT_EQ(pool.add(threads(0x20, 0xff, 0)), 0u);
  EXPECT_EQ(pool.add(threads(0x10, 0xf0, 1)), 4u);
  const auto warp = pool.take(all_blocks);
  ASSERT_TRUE(warp);
  EXPECT_EQ(warp->pc, 0x10u);
  EXPECT_EQ(warp->lanes, 0xffu);
  EXPECT_EQ(warp->threads.number[0], 0u);
  EXPECT_EQ(warp->threads.number[7], 1u);
}

TEST(formation_pool, begins_a_new_entry_for_a_lane_that_is_taken) {
  formation_pool pool(formation_heuristic::time_stamp);
  pool.add(threads(0x10, 0x3, 0));
  EXPECT_EQ(pool.add(threads(0x10, 0x6, 1)), 1u) << "lane 2 joins, lane 1 does not";
  EXPECT_EQ(pool.add(threads(0x10, 0x8, 2)), 1u) << "in the younger entry";
  EXPECT_EQ(pool.entries(), 2u);
  EXPECT_EQ(pool.take(all_blocks)->lanes, 0x7u);
  const auto younger = pool.take(all_blocks);
  EXPECT_EQ(younger->lanes, 0xau);
  EXPECT_EQ(younger->threads.number[1], 1u);
  EXPECT_EQ(younger->threads.number[3], 2u);
}

TEST(formation_pool, keeps_blocks_apart) {
  formation_pool pool(formation_heuristic::time_stamp);
  pool.add(threads(0x10, 0x1, 0, 0));
  EXPECT_EQ(pool.add(threads(0x10, 0x2, 1, 1)), 0u);
  EXPECT_EQ(pool.threads_of(block_slot(1)), 1u);
  EXPECT_EQ(pool.take(2)->block, block_slot(1)) << "block 0 has no free slot";
  EXPECT_FALSE(pool.take(2));
}

const std::vector<waiting_warp> three_addresses = {threads(0x30, 0x3, 0), threads(0x10, 0x7, 0),
                                                   threads(0x20, 0x1, 0), threads(0x30, 0x3, 1)};

TEST(formation_pool, by_time_stamp_takes_who_began_first) {
  EXPECT_EQ(order_of(formation_heuristic::time_stamp, three_addresses),
            (std::vector<isa::code_address>{0x30, 0x10, 0x20, 0x30}));
}
TEST(formation_pool, by_pc_takes_the_lowest) {
  EXPECT_EQ(order_of(formation_heuristic::pc, three_addresses),
            (std::vector<isa::code_address>{0x10, 0x20, 0x30, 0x30}));
}
TEST(formation_pool, by_minority_takes_the_rarest) {
  EXPECT_EQ(order_of(formation_heuristic::minority, three_addresses),
            (std::vector<isa::code_address>{0x20, 0x10, 0x30, 0x30}));
}
// Four threads wait for 0x30; after two of them have gone, three for 0x10 are more.
TEST(formation_pool, by_majority_goes_on_with_its_choice) {
  EXPECT_EQ(order_of(formation_heuristic::majority, three_addresses),
            (std::vector<isa::code_address>{0x30, 0x30, 0x10, 0x20}));
}
TEST(formation_pool, by_dynamic_majority_chooses_anew) {
  EXPECT_EQ(order_of(formation_heuristic::dynamic_majority, three_addresses),
            (std::vector<isa::code_address>{0x30, 0x10, 0x30, 0x20}));
}

}  // namespace
}  // namespace gt200::model
