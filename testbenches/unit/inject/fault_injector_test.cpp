// Bits flip at the given edge, are read back, and nothing else changes.
#include "inject/fault_injector.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "inject/random_numbers.h"
#include "testbenches/unit/inject/faulty_board.h"
#include "toolchain/error.h"

namespace gt200::inject {
namespace {

// `cycles`: from the first busy one on.
std::vector<site> sites_of(const fault_space& space, std::size_t of_each, bool twice, std::uint64_t cycles) {
  random_numbers random(1, "test");
  std::vector<site> sites;
  for (const structure& s : space.structures())
    for (std::size_t i = 0; i < of_each; ++i) {
      const storage_part& part = s.parts[random.below(s.parts.size())];
      const site at{part.module, random.below(part.bits), first_busy_cycle + random.below(cycles)};
      sites.push_back(at);
      if (twice) sites.push_back(at);
    }
  return sites;
}

TEST(fault_injector, a_chip_has_bits_in_seven_structures) {
  faulty_board board;
  const fault_space space(board.target.chip());
  std::map<std::string, std::uint64_t> bits;
  for (const structure& s : space.structures()) bits[s.name] = s.bits();
  const config::gpu_config& c = board.target.chip().config;
  const std::uint64_t sms = c.chip.sms();
  EXPECT_EQ(bits.size(), 7u);
  EXPECT_EQ(bits["shared_memory"], sms * 8 * c.tpc.sm.limits.shared_bytes);
  EXPECT_EQ(bits["dram"], 8 * c.memory_bytes());
  EXPECT_EQ(bits["register_file"],
            sms * (32 * c.tpc.sm.limits.registers + c.tpc.sm.limits.warps * 32 * (4 * 4 + 4 * 16)))
      << "general registers; four predicates of four bits; $a1 to $a4";
  EXPECT_EQ(bits["scoreboard"], sms * c.tpc.sm.limits.warps * c.tpc.sm.scoreboard.entries_per_warp * (1 + 8 + 2))
      << "in use, number, size";
  EXPECT_EQ(bits["simt_stack"], sms * c.tpc.sm.limits.warps * (32 + 16 * (32 + 27))) << "mask; mask, PC, type";
  EXPECT_EQ(bits["instruction_buffer"], sms * c.tpc.sm.limits.warps * c.tpc.sm.instruction_buffer.entries_per_warp *
                                            (64 + 22 + 2 * c.tpc.sm.scoreboard.entries_per_warp));
  EXPECT_NE(bits["pipeline"], 0u);
}

TEST(fault_injector, every_flip_is_read_back) {
  faulty_board board;
  fault_injector injector(board.target, sites_of(fault_space(board.target.chip()), 200, false, 30));
  board.run();
  std::map<std::string, unsigned> done;
  for (const injection& i : injector.injections()) {
    if (!i.done) continue;  // a fault has ended the run, as so many will
    EXPECT_NE(i.before, i.after) << describe(i);
    EXPECT_FALSE(i.place.empty());
    ++done[i.structure];
  }
  EXPECT_EQ(done.size(), 7u);
}

// Two flips at one edge are none: reading, flipping and stopping at an edge leave no trace.
TEST(fault_injector, a_bit_that_flips_twice_at_one_edge_changes_nothing) {
  faulty_board board;
  std::vector<site> sites;
  for (const site& s : sites_of(fault_space(board.target.chip()), 100, true, last_busy_cycle - first_busy_cycle))
    // An instruction that has become a short one has lost its second word.
    if (s.module.find("instruction_buffer") == std::string::npos) sites.push_back(s);
  fault_injector injector(board.target, sites);
  const launch_result damaged = board.run();
  EXPECT_EQ(damaged.reason, end_reason::done) << arch_state::describe(damaged.fault);
  for (const injection& i : injector.injections()) EXPECT_TRUE(i.done);
  const std::vector<std::uint32_t> got = board.result();
  for (std::uint32_t t = 0; t < got.size(); ++t) EXPECT_EQ(got[t] % (t == 0 ? 1 : t), 0u) << "a multiple of " << t;
  RecordProperty("cycles", static_cast<int>(damaged.cycles));
  EXPECT_EQ(damaged.cycles, busy_cycles) << "as without an injector: see the next test";
}

TEST(fault_injector, the_run_without_faults_takes_as_long) {
  faulty_board board;
  EXPECT_EQ(board.run().cycles, busy_cycles);
}

TEST(fault_injector, sites_of_a_later_end_are_not_done) {
  faulty_board board;
  fault_injector injector(board.target, {{"gt200.tpc_0.sm_0.register_file", 1, 1'000'000'000}});
  board.run();
  EXPECT_FALSE(injector.injections()[0].done);
  EXPECT_NE(describe(injector.injections()[0]).find("not done"), std::string::npos);
}

TEST(fault_injector, a_module_may_be_named_without_its_chip) {
  faulty_board board;
  fault_injector injector(board.target, {{"tpc_0.sm_0.register_file", 1, 5}});
  EXPECT_EQ(injector.injections()[0].at.module, "gt200.tpc_0.sm_0.register_file");
}

TEST(fault_injector, unknown_modules_and_bits_are_refused) {
  faulty_board board;
  EXPECT_THROW(fault_injector(board.target, {{"gt200.tpc_0.sm_0.fetch", 0, 1}}), input_error);
  EXPECT_THROW(fault_injector(board.target, {{"tpc_9.sm_0.register_file", 0, 1}}), input_error);
  EXPECT_THROW(fault_injector(board.target, {{"tpc_0.sm_0.register_file", ~std::uint64_t{0}, 1}}), input_error);
}

TEST(fault_injector, the_reference_clocking_is_refused) {
  device_options options;
  options.clocking.mode = tlm_bus::clocking_options::way::reference;
  faulty_board board(options);
  EXPECT_THROW(fault_injector(board.target, {{"tpc_0.sm_0.register_file", 0, 1}}), input_error);
}

}  // namespace
}  // namespace gt200::inject
