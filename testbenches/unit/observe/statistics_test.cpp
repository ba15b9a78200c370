// Counters are found in the hierarchy, their paths name kinds of modules, and an incomplete accounting of issue
// slots is an error. The statistics of whole runs are tested in testbenches/system/cli/run_test.cpp.
#include "observe/statistics.h"

#include "observe/summary.h"
#include "testbenches/support/systemc_test.h"

namespace gt200::observe {
namespace {

struct leaf : sc_core::sc_module {
  tlm_bus::counter hits{"hits", "look-ups", "found"};
  tlm_bus::counter misses{"misses", "look-ups", "not found"};
  explicit leaf(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {}
};

struct tree : sc_core::sc_module {
  leaf cache_0{"cache_0"};
  leaf cache_1{"cache_1"};
  tlm_bus::counter events{"events", "events", "of the tree itself"};
  explicit tree(const sc_core::sc_module_name& name) : sc_core::sc_module(name) {}
};

using statistics_counters = support::systemc_test;

TEST_F(statistics_counters, of_an_object_and_all_below_it_in_the_order_of_construction) {
  tree root("root");
  leaf other("other");
  ++root.cache_1.hits;
  const std::vector<counter_entry> found = counters_below(root);
  std::vector<std::string> paths;
  for (const counter_entry& c : found) paths.push_back(c.path);
  EXPECT_EQ(paths, (std::vector<std::string>{"root.events", "root.cache_0.hits", "root.cache_0.misses",
                                             "root.cache_1.hits", "root.cache_1.misses"}));
  EXPECT_EQ(found[3].counter->value(), 1u);
}

TEST_F(statistics_counters, have_paths_that_begin_with_the_object) {
  tree root("board");
  const std::vector<counter_entry> found = counters_below(root.cache_1);
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[0].path, "cache_1.hits");
  EXPECT_EQ(path_below(root.cache_1, "board.cache_1.tags"), "cache_1.tags");
  EXPECT_EQ(path_below(root, "board.cache_1.tags"), "board.cache_1.tags");
}

TEST(kind_path, leaves_out_the_chip_and_the_numbers_of_instances) {
  EXPECT_EQ(kind_path("gt200.tpc_3.sm_1.icache.hits"), "tpc.sm.icache.hits");
  EXPECT_EQ(kind_path("gt200.partition_12.rop.stores"), "partition.rop.stores");
  EXPECT_EQ(kind_path("gt200.crossbar.requests"), "crossbar.requests");
}

TEST(kind_path, keeps_numbers_that_belong_to_names) {
  EXPECT_EQ(kind_path("gt200.l3.hits"), "l3.hits");
  EXPECT_EQ(kind_path("gt200.tpc_0.memory.coalescer.transactions_32"), "tpc.memory.coalescer.transactions_32");
}

sm_record with_slots(std::uint64_t issued, std::uint64_t idle) {
  sm_record sm;
  sm.path = "gt200.tpc_0.sm_2";
  sm.schedulers.resize(1);
  sm.schedulers[0][static_cast<std::size_t>(model::stall_cause::none)] = issued;
  sm.schedulers[0][static_cast<std::size_t>(model::stall_cause::no_warp)] = idle;
  return sm;
}

std::string complaint_about(const sm_record& sm, std::uint64_t cycles) {
  try {
    require_closed(sm, cycles);
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return {};
}

TEST(closed_accounting, accepts_as_many_slots_as_cycles) { EXPECT_EQ(complaint_about(with_slots(3, 7), 10), ""); }

TEST(closed_accounting, one_slot_too_few_or_too_many_is_an_error_that_names_the_sm) {
  EXPECT_EQ(complaint_about(with_slots(3, 6), 10),
            "gt200.tpc_0.sm_2, scheduler 0: 9 issue slots are charged in a launch of 10 cycles");
  EXPECT_NE(complaint_about(with_slots(3, 8), 10), "");
}

TEST(closed_accounting, every_scheduler_is_closed_on_its_own) {
  sm_record sm = with_slots(3, 7);
  sm.schedulers.push_back(with_slots(4, 7).schedulers[0]);
  EXPECT_EQ(complaint_about(sm, 10),
            "gt200.tpc_0.sm_2, scheduler 1: 11 issue slots are charged in a launch of 10 cycles");
  sm.schedulers[0] = with_slots(2, 7).schedulers[0];
  EXPECT_NE(complaint_about(sm, 10), "") << "what one has too few is not what the other has too many";
}

TEST(closed_accounting, a_negative_count_is_an_error_although_the_sum_is_right) {
  EXPECT_NE(complaint_about(with_slots(12, ~std::uint64_t{0} - 1), 10), "");
}

TEST(closed_accounting, instructions_have_every_slot_with_a_warp_and_no_other) {
  slot_counts total = with_slots(3, 7).slots();
  instruction_record only;
  only.pc = 0x10;
  only.use.slots[static_cast<std::size_t>(model::stall_cause::none)] = 3;
  EXPECT_NO_THROW(require_closed({only}, total));
  only.use.slots[static_cast<std::size_t>(model::stall_cause::none)] = 2;
  EXPECT_THROW(require_closed({only}, total), std::logic_error);
  only.use.slots[static_cast<std::size_t>(model::stall_cause::none)] = 3;
  only.use.slots[static_cast<std::size_t>(model::stall_cause::barrier)] = 1;
  EXPECT_THROW(require_closed({only}, total), std::logic_error);
}

TEST(grouped_numbers, have_a_comma_before_every_third_digit_from_the_right) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(12345678), "12,345,678");
}

}  // namespace
}  // namespace gt200::observe
