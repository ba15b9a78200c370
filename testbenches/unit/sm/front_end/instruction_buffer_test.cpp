// What issue, fetch and the scoreboard see of the instruction buffer, cycle by cycle: a change made in cycle t is
// visible in t + 1.
#include "sc_models/sm/front_end/instruction_buffer.h"

#include <gtest/gtest.h>

#include "testbenches/support/script.h"
#include "testbenches/support/systemc_test.h"
#include "testbenches/unit/sm/front_end/buffer_sockets.h"
#include "testbenches/unit/sm/front_end/front_end_fakes.h"

namespace gt200::model {
namespace {

using tlm_bus::cycle_t;

// Two entries per warp.
class instruction_buffer_test : public support::systemc_test {
 protected:
  instruction_buffer_test()
      : config_(testing::sm_config_with({"tpc.sm.instruction_buffer.entries_per_warp=2"})),
        units_(config_),
        buffer_("buffer", core(), config_, units_),
        sockets_("around", buffer_, {}),
        script_("script", core()) {
    instruction_.unit = isa::unit_class::sp;
  }

  buffered_instruction waiting_for(std::uint64_t dependencies, std::uint64_t id = 1) const {
    buffered_instruction b;
    b.instruction = &instruction_;
    b.id = id;
    b.dependencies = dependencies;
    return b;
  }
  void enter_in(cycle_t cycle, const buffered_instruction& instruction) {
    script_.at(cycle, [this, instruction] {
      sockets_.reserve(warp_, 1);
      sockets_.enter(warp_, instruction);
    });
  }
  // Whether the signals of this cycle have the warp's bit.
  void expect_in(cycle_t cycle, bool occupied, bool ready) {
    script_.at(cycle, [this, cycle, occupied, ready] {
      EXPECT_EQ(buffer_.occupied(), occupied ? warp_bit(warp_) : 0) << "occupied in cycle " << cycle;
      EXPECT_EQ(buffer_.ready(), ready ? warp_bit(warp_) : 0) << "ready in cycle " << cycle;
      ++looks_;
    });
  }
  bool has_room(unsigned entries) const {
    return (buffer_.room(entries).read(core_cycle()) & warp_bit(warp_)) != 0;
  }
  cycle_t core_cycle() const { return domain_->cycle(); }

  const warp_slot warp_{5};
  config::sm_config config_;
  unit_list units_;
  instruction_buffer buffer_;
  testing::buffer_sockets sockets_;
  support::script script_;
  isa::instruction instruction_;
  tlm_bus::clock_domain* domain_ = &core();
  unsigned looks_ = 0;
};

TEST_F(instruction_buffer_test, an_instruction_without_dependencies_is_ready_in_the_next_cycle) {
  expect_in(9, false, false);
  enter_in(10, waiting_for(0));
  expect_in(11, true, true);
  script_.at(12, [this] { sockets_.remove(warp_); });
  expect_in(13, false, false);
  run_until_idle();
  EXPECT_EQ(looks_, 3u);
}
TEST_F(instruction_buffer_test, an_instruction_is_ready_when_its_last_dependency_is_cleared) {
  enter_in(10, waiting_for(0b101));
  expect_in(11, true, false);
  script_.at(12, [this] { sockets_.clear(warp_, 0b001); });
  expect_in(13, true, false);
  script_.at(14, [this] { sockets_.clear(warp_, 0b110); });
  expect_in(15, true, true);
  run_until_idle();
  EXPECT_EQ(looks_, 3u);
}
TEST_F(instruction_buffer_test, a_release_reaches_an_instruction_that_enters_later_in_the_same_cycle) {
  script_.at(10, [this] {
    sockets_.reserve(warp_, 1);
    sockets_.clear(warp_, 0b1);
    sockets_.enter(warp_, waiting_for(0b1));
  });
  expect_in(11, true, true);
  run_until_idle();
  EXPECT_EQ(looks_, 1u);
}
TEST_F(instruction_buffer_test, a_release_does_not_reach_an_instruction_of_the_next_cycle) {
  script_.at(10, [this] { sockets_.clear(warp_, 0b1); });
  enter_in(11, waiting_for(0b1));
  expect_in(12, true, false);
  run_until_idle();
  EXPECT_EQ(looks_, 1u);
}
TEST_F(instruction_buffer_test, a_release_does_not_reach_another_warp) {
  enter_in(10, waiting_for(0b1));
  script_.at(11, [this] { sockets_.clear(warp_slot(6), 0b1); });
  expect_in(12, true, false);
  run_until_idle();
  EXPECT_EQ(looks_, 1u);
}
TEST_F(instruction_buffer_test, only_the_oldest_instruction_makes_a_warp_ready) {
  enter_in(10, waiting_for(0b1, 1));
  enter_in(11, waiting_for(0, 2));
  expect_in(12, true, false);
  script_.at(13, [this] {
    EXPECT_EQ(buffer_.buffered(warp_), 2u);
    EXPECT_EQ(buffer_.oldest(warp_).id, 1u);
    EXPECT_EQ(buffer_.at(warp_, 1).id, 2u);
    sockets_.remove(warp_);
    EXPECT_EQ(buffer_.oldest(warp_).id, 2u);
  });
  expect_in(14, true, true);
  run_until_idle();
  EXPECT_EQ(looks_, 2u);
}
TEST_F(instruction_buffer_test, dependencies_that_were_looked_up_again_replace_the_old_ones) {
  enter_in(10, waiting_for(0b1));
  script_.at(11, [this] { sockets_.set(warp_, 0, 0b10); });
  expect_in(12, true, false);
  script_.at(13, [this] { sockets_.set(warp_, 0, 0); });
  expect_in(14, true, true);
  run_until_idle();
  EXPECT_EQ(looks_, 2u);
}

// In the cycle of a release the dependencies of the last edge still block the oldest instruction.
TEST_F(instruction_buffer_test, shows_what_the_oldest_instruction_waited_for_at_the_last_edge) {
  enter_in(10, waiting_for(0b11));
  script_.at(11, [this] {
    sockets_.clear(warp_, 0b01);
    EXPECT_EQ(buffer_.blocking_dependencies(warp_), 0b11u);
    ++looks_;
  });
  script_.at(12, [this] {
    EXPECT_EQ(buffer_.blocking_dependencies(warp_), 0b10u);
    ++looks_;
  });
  run_until_idle();
  EXPECT_EQ(looks_, 2u);
}

TEST_F(instruction_buffer_test, room_counts_reserved_and_filled_slots) {
  script_.at(10, [this] {
    EXPECT_TRUE(has_room(1));
    EXPECT_TRUE(has_room(2));
    sockets_.reserve(warp_, 1);
  });
  script_.at(11, [this] {
    EXPECT_TRUE(has_room(1));
    EXPECT_FALSE(has_room(2));
    sockets_.reserve(warp_, 1);
  });
  script_.at(12, [this] {
    EXPECT_FALSE(has_room(1));
    sockets_.enter(warp_, waiting_for(0));
    sockets_.cancel(warp_, 1);
  });
  script_.at(13, [this] {
    EXPECT_TRUE(has_room(1));
    EXPECT_FALSE(has_room(2));
    EXPECT_EQ(buffer_.reserved(warp_), 1u);
    sockets_.remove(warp_);
  });
  script_.at(14, [this] {
    EXPECT_TRUE(has_room(2));
    EXPECT_EQ(buffer_.reserved(warp_), 0u);
    ++looks_;
  });
  run_until_idle();
  EXPECT_EQ(looks_, 1u);
}
TEST_F(instruction_buffer_test, the_class_of_the_oldest_instruction_is_that_of_its_unit) {
  enter_in(10, waiting_for(0));
  script_.at(11, [this] {
    const auto& of_class = buffer_.warps().of_class;
    unsigned classes = 0;
    for (const warp_mask warps : of_class) classes += warps == warp_bit(warp_) ? 1 : 0;
    EXPECT_EQ(classes, 1u);
    EXPECT_EQ(of_class[as_index(units_.collector_of(instruction_))], warp_bit(warp_));
    ++looks_;
  });
  run_until_idle();
  EXPECT_EQ(looks_, 1u);
}

// -- what a monitor sees at each socket --

TEST_F(instruction_buffer_test, a_monitor_sees_every_reservation) {
  script_.at(10, [this] {
    sockets_.reserve(warp_, 1);
    sockets_.reserve(warp_slot(6), 2);
  });
  run_until_idle();
  const auto& seen = sockets_.reservations->seen();
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].warp, warp_);
  EXPECT_EQ(seen[0].entries, 1u);
  EXPECT_EQ(seen[1].warp, warp_slot(6));
  EXPECT_EQ(seen[1].entries, 2u);
}
TEST_F(instruction_buffer_test, a_monitor_sees_every_write_and_every_cancellation) {
  script_.at(10, [this] {
    sockets_.reserve(warp_, 2);
    sockets_.enter(warp_, waiting_for(0b101, 7));
    sockets_.cancel(warp_, 1);
  });
  run_until_idle();
  const auto& seen = sockets_.writes->seen();
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].what, buffer_write::command::enter);
  EXPECT_EQ(seen[0].warp, warp_);
  EXPECT_EQ(seen[0].instruction.id, 7u);
  EXPECT_EQ(seen[0].instruction.instruction, &instruction_);
  EXPECT_EQ(seen[0].instruction.dependencies, 0b101u);
  EXPECT_EQ(seen[1].what, buffer_write::command::cancel);
  EXPECT_EQ(seen[1].entries, 1u);
}
TEST_F(instruction_buffer_test, a_monitor_sees_every_removal) {
  enter_in(10, waiting_for(0, 7));
  script_.at(12, [this] { sockets_.remove(warp_); });
  run_until_idle();
  const auto& seen = sockets_.removals->seen();
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_EQ(seen[0].warp, warp_);
  EXPECT_EQ(seen[0].id, 7u);
}
TEST_F(instruction_buffer_test, a_monitor_sees_every_update_of_dependencies) {
  enter_in(10, waiting_for(0b11));
  script_.at(11, [this] { sockets_.clear(warp_, 0b01); });
  script_.at(12, [this] { sockets_.set(warp_, 0, 0b1000); });
  run_until_idle();
  const auto& seen = sockets_.updates->seen();
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].what, dependency_update::command::clear);
  EXPECT_EQ(seen[0].warp, warp_);
  EXPECT_EQ(seen[0].dependencies, 0b01u);
  EXPECT_EQ(seen[1].what, dependency_update::command::set);
  EXPECT_EQ(seen[1].position, 0u);
  EXPECT_EQ(seen[1].dependencies, 0b1000u);
}

}  // namespace
}  // namespace gt200::model
