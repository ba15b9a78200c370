// The section pool in a chip: warps wait for each other, every slot is accounted for, and checked execution finds a
// section that two warps have.
#include <numeric>

#include "testbenches/system/register_sharing/sharing_board.h"

namespace gt200 {
namespace {

class sections : public support::checked_board {
 protected:
  void make(const std::string& sharing, const std::vector<std::string>& more = {}) {
    std::vector<std::string> overrides = support::one_section(sharing);
    overrides.insert(overrides.end(), more.begin(), more.end());
    build(support::checked_program(support::program_with_section("")), overrides);
  }
  std::uint64_t slots(model::stall_cause cause, tlm_bus::cycle_t until) {
    return sm().issue.slots_until(0, model::core_cycle(until))[static_cast<std::size_t>(cause)];
  }
};

TEST_F(sections, are_given_to_one_warp_after_the_other) {
  make("regmutex");
  run_alike(3, 64);
  EXPECT_EQ(sm().section_pool->given.value(), 6u);
  EXPECT_GT(slots(model::stall_cause::register_section, 2000), 0u);
  const model::slot_counts all = sm().issue.slots_until(0, model::core_cycle(2000));
  EXPECT_EQ(std::accumulate(all.begin(), all.end(), std::uint64_t{0}), 2000u) << "each slot has one cause";
}

TEST_F(sections, of_pairs_lie_with_their_block) {
  make("paired_warps", {"tpc.sm.limits.registers=2048"});
  run_alike(5, 96);
  EXPECT_EQ(sm().section_pool->given.value(), 15u);
}

TEST_F(sections, are_given_alike_with_two_schedulers_that_want_the_last_one) {
  make("regmutex", {"tpc.sm.scheduler.schedulers=2"});
  run_alike(3, 64);
  EXPECT_EQ(sm().section_pool->given.value(), 6u);
}

TEST_F(sections, enough_for_all_warps_are_never_waited_for) {
  make("regmutex", {"tpc.sm.limits.registers=16384"});
  run_alike(8, 64);
  EXPECT_EQ(sm().section_pool->given.value(), 16u);
  EXPECT_EQ(slots(model::stall_cause::register_section, 2000), 0u);
}

// A release of a warp without a section does nothing, and takes nothing away from an acquire behind it.
class redundant_releases : public support::checked_board, public ::testing::WithParamInterface<std::uint64_t> {
 protected:
  void expect_alike(const std::string& body) {
    std::vector<std::string> overrides = support::one_section();
    overrides.push_back("tpc.sm.branch.interval_cycles=40");                        // releases arrive far apart
    if (GetParam() % 2 == 0) overrides.push_back("tpc.sm.limits.registers=16384");  // a section for each warp
    if (GetParam() > 1) overrides.push_back("simulation.stalls_per_1024=100");
    device_options options;
    options.clocking.shuffle_seed = GetParam();
    options.clocking.audit = GetParam() == 0;
    build(support::checked_program(body), overrides, options);
    run_alike(3, 64);
    EXPECT_EQ(difference(), "no difference");
  }
  const std::string release = "  regrelease $r8 0x8\n";
  const std::string acquire = "  regacquire $r8 0x8\n";
  const std::string use = "  mov b32 $r8 $r1\n  add b32 $r15 $r8 0x3\n  add b32 $r5 $r8 $r15\n";
  const std::string end = "  st b32 g14[$r4] $r5\n  exit nop\n";
};

TEST_P(redundant_releases, of_a_warp_without_a_section_do_nothing) {
  expect_alike(release + acquire + use + release + end);
  EXPECT_EQ(sm().section_pool->given.value(), 6u);
}
TEST_P(redundant_releases, behind_a_release_do_nothing) {
  expect_alike(acquire + use + release + release + acquire + use + release + end);
  EXPECT_EQ(sm().section_pool->given.value(), 12u);
}
TEST_P(redundant_releases, of_any_number_do_nothing) {
  expect_alike(release + release + release + acquire + acquire + use + release + release + release + acquire + use +
               release + release + end);
  EXPECT_EQ(sm().section_pool->given.value(), 12u);
}
// The seed of the order of modules; with 0 the audit looks for wake-ups that are missing, from 2 on tokens stall.
INSTANTIATE_TEST_SUITE_P(in_order, redundant_releases, ::testing::Values(0u, 1u, 2u, 3u),
                         ::testing::PrintToStringParamName());

// Nothing else happens in the SM when the release arrives.
TEST_F(sections, wake_an_acquire_that_waits_for_a_redundant_release) {
  build(support::checked_program("  regrelease $r8 0x8\n  regacquire $r8 0x8\n  mov b32 $r15 $r1\n"
                                 "  regrelease $r8 0x8\n  st b32 g14[$r4] $r1\n  exit nop\n"),
        support::one_section());
  run_alike(1, 32);
  EXPECT_EQ(sm().section_pool->given.value(), 1u);
}

class damage : public model::section_observer {
 public:
  damage(model::section_pool& pool, std::uint64_t bit) : pool_(pool), bit_(bit) { pool.observers().attach(*this); }
  ~damage() override { pool_.observers().detach(*this); }
  void section_given(model::warp_slot, unsigned) override {
    if (!done_) pool_.flip(bit_);
    done_ = true;
  }
  void section_returned(model::warp_slot, unsigned) override {}

 private:
  model::section_pool& pool_;
  std::uint64_t bit_;
  bool done_ = false;
};

TEST_F(sections, given_twice_are_found) {
  make("regmutex");
  const damage free_bit(*sm().section_pool, 0);
  run(1, 64);
  EXPECT_NE(difference().find("register section 0 given to warp 1"), std::string::npos) << difference();
}

TEST_F(sections, mixed_up_in_the_table_are_found) {
  make("regmutex", {"tpc.sm.limits.registers=1024"});
  const damage number(*sm().section_pool, model::section_pool::max_sections);
  run(1, 64);
  EXPECT_NE(difference(), "no difference");
}

}  // namespace
}  // namespace gt200
