// Warps that wait for a section for ever: the explanation names who holds what, and what the holders wait for.
#include <gmock/gmock.h>

#include "testbenches/system/hangs/seeds.h"
#include "testbenches/system/register_sharing/sharing_board.h"

namespace gt200 {
namespace {

using ::testing::HasSubstr;

class section_hang : public support::checked_board {
 protected:
  std::string explanation(const std::string& body, const std::function<hangs::planted()>& plant = {}) {
    build(support::checked_program(body), support::one_section());
    const hangs::planted damage = plant ? plant() : nullptr;
    const launch_result result = run(1, 64);
    EXPECT_EQ(result.reason, end_reason::hang);
    EXPECT_TRUE(damage == nullptr || damage->done());
    return result.explanation;
  }
};

// Code that the pass writes holds no section there.
TEST_F(section_hang, of_a_warp_that_waits_at_a_barrier_with_the_only_section_is_explained) {
  const std::string text = explanation(support::program_with_section("  bar inc wait 0x0 0xfff\n"));
  EXPECT_THAT(text, HasSubstr("(waits for a register section)"));
  EXPECT_THAT(text, HasSubstr("regacquire $r8 0x8, 1 of 1 section is held; warp 0 holds one"));
  EXPECT_THAT(text, HasSubstr("waits at barrier 0 with 1 of 2 warps of block 0"));
}

TEST_F(section_hang, of_a_lost_release_is_explained) {
  const std::string text = explanation(support::program_with_section(""), [&] {
    return hangs::lost_token<model::control_token>(
        *board, "gt200.tpc_0.sm_0.branch.in", [](const model::control_token& token) {
          return token.instruction->section.action == isa::section_action::release;
        });
  });
  EXPECT_THAT(text, HasSubstr("(waits for a register section)"));
  EXPECT_THAT(text, HasSubstr("1 of 1 section is held; warp 0 holds one"));
  EXPECT_THAT(text, HasSubstr("regrelease $r8 0x8 (in gt200.tpc_0.sm_0.operand_collector or behind it, branch"));
}

// The warp that waits for a section is the one that is giving it back.
TEST_F(section_hang, of_a_lost_release_in_front_of_an_acquire_is_explained) {
  const std::string text =
      explanation(support::program_with_section("  regrelease $r8 0x8\n  regacquire $r8 0x8\n"), [&] {
        return hangs::lost_token<model::control_token>(
            *board, "gt200.tpc_0.sm_0.branch.in", [](const model::control_token& token) {
              return token.instruction->section.action == isa::section_action::release;
            });
      });
  EXPECT_THAT(text,
              HasSubstr("regacquire $r8 0x8, 1 of 1 section is held; warp 0 holds one and is giving it back"));
  EXPECT_THAT(text, HasSubstr("regrelease $r8 0x8 (in gt200.tpc_0.sm_0.operand_collector or behind it, branch"));
}

// Lost within the pool: nobody has it.
TEST_F(section_hang, of_a_lost_section_is_explained) {
  build(support::checked_program(support::program_with_section("")), support::one_section());
  class thief : public model::section_observer {
   public:
    explicit thief(model::section_pool& pool) : pool_(pool) { pool.observers().attach(*this); }
    ~thief() override { pool_.observers().detach(*this); }
    void section_given(model::warp_slot, unsigned) override {}
    void section_returned(model::warp_slot, unsigned section) override { pool_.flip(section); }

   private:
    model::section_pool& pool_;
  } damage(*sm().section_pool);
  const launch_result result = run(1, 64);
  EXPECT_EQ(result.reason, end_reason::hang);
  EXPECT_THAT(result.explanation, HasSubstr("0 of 1 section is held, and 1 neither held nor free"));
}

}  // namespace
}  // namespace gt200
