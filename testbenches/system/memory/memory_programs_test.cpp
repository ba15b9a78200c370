// Short versions of the programs that stress the whole memory system; scripts/validate memory_stress runs long
// ones.
#include "testbenches/system/memory/memory_programs.h"

#include <gtest/gtest.h>

#include "testbenches/support/assembly_run.h"

namespace gt200::support {
namespace {

const std::vector<std::string> stalls = {"simulation.stalls_per_1024=100"};

void expect_right(const random_accesses_result& result) {
  EXPECT_EQ(result.trouble, "");
  EXPECT_GT(result.loads, 0u);
  EXPECT_GT(result.stores, 0u);
  EXPECT_GT(result.atomics, 0u);
  EXPECT_GT(result.page_table_reads, 0u);
}

TEST(random_accesses, under_stalls_are_each_performed_once_and_in_order) {
  expect_right(random_accesses(configuration("gt200", stalls), 30, 10));
}
TEST(random_accesses, with_one_entry_in_every_queue_of_the_memory_system) {
  expect_right(random_accesses(
      configuration("gt200",
                    {"tpc.memory.load_store_queue.load_entries=1", "tpc.memory.load_store_queue.store_entries=1",
                     "partition.arbiter.queue_entries=1", "partition.arbiter.held_loads=1",
                     "partition.rop.queue_entries=1", "partition.dram.queue_entries=1",
                     "interconnect.crossbar.request_queue_flits=1", "interconnect.crossbar.reply_queue_flits=1",
                     "tpc.memory.sm_controller.queue_entries=1", "tpc.sm.memory_port.queue_entries=1"}),
      10, 4));
}
TEST(random_accesses, with_seven_partitions_islip_and_large_pages) {
  expect_right(random_accesses(
      configuration("gt200",
                    {"chip.partitions=7", "interconnect.crossbar.arbitration=islip", "memory_map.page_bytes=65536",
                     "partition.hash=fold", "partition.dram.scheduler=fifo"}),
      20, 4));
}
TEST(random_accesses, without_room_to_set_loads_aside) {
  expect_right(random_accesses(configuration("gt200", {"partition.arbiter.held_loads=0"}), 20, 4));
}
TEST(random_accesses, in_six_partitions_with_small_tlbs) {
  expect_right(random_accesses(
      configuration("gt200",
                    {"chip.partitions=6", "tpc.memory.tlb.l1_entries=1", "tpc.memory.tlb.l1_page_bytes=4096",
                     "tpc.memory.tlb.l2_entries=8", "tpc.memory.tlb.directory_entries=1"}),
      20, 4));
}

// An L2 is coherent, so programs cannot tell it from memory; of 4 KB per partition it writes back all the time.
const std::vector<std::string> small_l2 = {"partition.l2.enabled=true", "partition.l2.bytes=4096"};
TEST(random_accesses, through_a_small_l2) {
  expect_right(random_accesses(configuration("gt200", small_l2), 20, 4));
}
TEST(random_accesses, through_a_small_l2_with_few_mshrs_under_stalls) {
  std::vector<std::string> all = small_l2;
  all.insert(all.end(), stalls.begin(), stalls.end());
  all.insert(all.end(), {"partition.l2.mshrs=2", "partition.l2.miss_queue_entries=2", "partition.l2.ways=2"});
  expect_right(random_accesses(configuration("gt200", all), 20, 4));
}

// -- atomics: 50 688 operations each --

class atomics : public ::testing::TestWithParam<atomic_kind> {
 protected:
  static constexpr unsigned blocks = 66;
  static constexpr unsigned rounds = 3;
};

TEST_P(atomics, add_up_on_one_cell) {
  EXPECT_EQ(atomic_totals(configuration("gt200"), GetParam(), true, blocks, rounds), "");
}
TEST_P(atomics, add_up_in_l2s_behind_l1s) {
  std::vector<std::string> caches = small_l2;
  caches.emplace_back("tpc.memory.l1.enabled=true");
  EXPECT_EQ(atomic_totals(configuration("gt200", caches), GetParam(), false, blocks, rounds), "");
}
TEST_P(atomics, add_up_on_many_cells) {
  EXPECT_EQ(atomic_totals(configuration("gt200"), GetParam(), false, blocks, rounds), "");
}

INSTANTIATE_TEST_SUITE_P(every, atomics, ::testing::ValuesIn(atomic_kinds), [](const auto& of) {
  std::string name = of.param.name;
  name[name.find(' ')] = '_';
  return name;
});

// -- order of memory --

constexpr unsigned same_partition = 64;
constexpr unsigned next_partition = 256;

// Uses deep queues, so that stores may wait long.
litmus_result run(litmus_test test, unsigned distance) {
  const litmus_result result = litmus(configuration("gt200", litmus_overrides()), test, distance, 100);
  EXPECT_EQ(result.trouble, "");
  return result;
}

// Accesses of an SM to one partition keep their order.
TEST(order_of_memory, within_a_partition_messages_come_after_what_they_announce) {
  EXPECT_EQ(run(litmus_test::message_passing, same_partition).relaxed, 0u);
}
TEST(order_of_memory, within_a_partition_a_load_does_not_pass_a_store) {
  EXPECT_EQ(run(litmus_test::store_buffering, same_partition).relaxed, 0u);
}
// Accesses to different partitions do not: a program must see its store performed before it announces it.
TEST(order_of_memory, across_partitions_messages_may_come_first) {
  EXPECT_GT(run(litmus_test::message_passing, next_partition).relaxed, 0u);
}
TEST(order_of_memory, across_partitions_a_load_may_pass_a_store) {
  EXPECT_GT(run(litmus_test::store_buffering, next_partition).relaxed, 0u);
}
TEST(order_of_memory, across_partitions_a_store_that_was_read_back_is_before_what_follows) {
  EXPECT_EQ(run(litmus_test::message_passing_after_reading_back, next_partition).relaxed, 0u);
}

}  // namespace
}  // namespace gt200::support
