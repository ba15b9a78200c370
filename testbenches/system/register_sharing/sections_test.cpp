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
