// The depths of queues that must never fill: the maximum of what can be outstanding.
#include "sc_models/config/infinite_queues.h"

#include <gtest/gtest.h>

#include "sc_models/config/print.h"
#include "testbenches/unit/config/config_files.h"

namespace gt200::config::test {
namespace {

class infinite_queues : public config_files {
 protected:
  gpu_config with(std::vector<std::string> overrides) const {
    overrides.emplace_back("idealisations.infinite_queues=true");
    return load(preset("gt200"), overrides).values;
  }
};

TEST_F(infinite_queues, leave_a_configuration_without_them_alone) {
  const gpu_config config = load(preset("gt200")).values;
  EXPECT_EQ(to_toml(with_queue_depths(config)), to_toml(config));
}

TEST_F(infinite_queues, hold_what_tpcs_and_l3_can_have_outstanding) {
  const std::vector<std::string> two_tpcs = {"chip.tpcs=2", "tpc.memory.load_store_queue.load_entries=20",
                                             "tpc.memory.load_store_queue.store_entries=30",
                                             "tpc.texture.l1.mshrs=5", "l3.mshrs=3"};
  // A line of L3 is one transaction, a TPC walks one page at a time.
  EXPECT_EQ(max_outstanding_transactions(with(two_tpcs)), 2 * (20 + 30 + 3 * 5 + 1) + 3u);
}

TEST_F(infinite_queues, take_as_many_transactions_behind_the_load_store_queue) {
  const gpu_config c = with_queue_depths(with({"chip.tpcs=2"}));
  const std::uint32_t all = 2 * (4096 + 4096 + 3 * 64 + 1) + 16;
  EXPECT_EQ(c.tpc.memory.load_store_queue.load_entries, 4096u);
  EXPECT_EQ(c.tpc.memory.load_store_queue.store_entries, 4096u);
  EXPECT_EQ(c.partition.arbiter.queue_entries, all);
  EXPECT_EQ(c.partition.arbiter.held_loads, all);
  EXPECT_EQ(c.partition.rop.queue_entries, all);
  EXPECT_EQ(c.partition.rop.request_port_entries, all);
  EXPECT_EQ(c.partition.texture_l2.request_port_entries, all);
  // The largest packet is a header and 256 bytes in flits of 32.
  EXPECT_EQ(c.interconnect.crossbar.request_queue_flits, 9 * all);
  EXPECT_EQ(c.interconnect.crossbar.reply_queue_flits, 9 * all);
}

TEST_F(infinite_queues, take_two_memory_instructions_for_every_register_of_a_warp) {
  const gpu_config c = with_queue_depths(with({"tpc.sm.limits.registers=8192"}));
  EXPECT_EQ(c.tpc.sm.memory_port.queue_entries, 2 * 8192 / 32u);
  EXPECT_EQ(c.tpc.memory.sm_controller.queue_entries, 2 * 8192 / 32u);
  EXPECT_EQ(c.tpc.texture.address.queue_entries, 3 * 2 * 8192 / 32u);
}

TEST_F(infinite_queues, do_not_touch_what_is_no_queue) {
  const gpu_config before = with({});
  const gpu_config after = with_queue_depths(before);
  EXPECT_EQ(after.partition.dram.queue_entries, before.partition.dram.queue_entries);
  EXPECT_EQ(after.tpc.texture.l1.mshrs, before.tpc.texture.l1.mshrs);
  EXPECT_EQ(after.tpc.sm.instruction_buffer.entries_per_warp, before.tpc.sm.instruction_buffer.entries_per_warp);
}

}  // namespace
}  // namespace gt200::config::test
