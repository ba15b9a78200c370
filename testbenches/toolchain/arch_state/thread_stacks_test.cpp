// The stack of a thread that forms warps anew: the thread goes the way of a warp that has this lane alone.
#include "toolchain/arch_state/tesla/thread_stacks.h"

#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "toolchain/arch_state/tesla/simt_stack.h"

namespace gt200::arch_state::tesla {
namespace {

using isa::tesla::control_kind;
using isa::tesla::instruction;

divergence_options few_entries() {
  divergence_options options;
  options.maximum_entries = 8;
  options.call_limit = 3;
  return options;
}

instruction control(control_kind kind, isa::code_address target = 0) {
  instruction i;
  i.control = kind;
  i.flow = isa::tesla::flow_of(kind);
  i.target = target;
  i.length = 8;
  return i;
}

instruction joining() {
  instruction i = control(control_kind::none);
  i.join = true;
  return i;
}

// Executes at the thread's address.
fault_kind execute(thread_stacks& threads, unsigned lane, const instruction& i, bool selected = true) {
  return threads.execute(lane, i, selected);
}

TEST(thread_stacks, send_each_thread_to_its_own_target) {
  thread_stacks threads(few_entries());
  threads.start(0, 0x3);
  const instruction open = control(control_kind::joinat, 0x40);
  for (const unsigned lane : {0u, 1u}) EXPECT_EQ(execute(threads, lane, open), fault_kind::none);
  EXPECT_EQ(execute(threads, 0, control(control_kind::bra, 0x40), true), fault_kind::none);
  EXPECT_EQ(execute(threads, 1, control(control_kind::bra, 0x40), false), fault_kind::none);
  EXPECT_EQ(threads.pc(0), 0x40u);
  EXPECT_EQ(threads.pc(1), 0x10u);
  EXPECT_EQ(execute(threads, 0, joining()), fault_kind::none);
  EXPECT_EQ(threads.depth(0), 0u);
  EXPECT_EQ(threads.depth(1), 1u) << "has not met";
}

TEST(thread_stacks, end_threads_by_exit_and_by_ret_outside_a_call) {
  thread_stacks threads(few_entries());
  threads.start(0, 0x7);
  instruction last = control(control_kind::none);
  last.exit = true;
  EXPECT_EQ(execute(threads, 0, last), fault_kind::none);
  EXPECT_EQ(execute(threads, 1, control(control_kind::ret)), fault_kind::none);
  EXPECT_EQ(threads.live(), 0x4u);
}

// Random instructions, wrong ones included, until both fault or end.
TEST(thread_stacks, go_the_way_of_a_warp_with_one_lane) {
  std::mt19937_64 random(5);
  unsigned faults = 0, ends = 0;
  for (unsigned n = 0; n < 20000; ++n) {
    const divergence_options options = few_entries();
    thread_stacks threads(options);
    simt_stack warp(options);
    const auto lane = static_cast<unsigned>(random() % 32);
    const isa::lane_mask bit = isa::lane_mask{1} << lane;
    threads.start(0, bit);
    warp.start(0, bit);
    for (unsigned step = 0; step < 30; ++step) {
      static constexpr control_kind kinds[] = {control_kind::none,  control_kind::bra,    control_kind::call,
                                               control_kind::ret,   control_kind::prebrk, control_kind::brk,
                                               control_kind::joinat};
      // Often the address where a join would be next.
      const isa::code_address target = random() % 2 == 0 ? warp.pc() + 8 : 8 * (random() % 6);
      instruction i = control(kinds[random() % 7], target);
      if (i.control == control_kind::none) i.join = random() % 4 != 0;
      if (i.control == control_kind::none && !i.join) i.exit = random() % 8 == 0;
      if (i.control == control_kind::call) i.call_limit = random() % 2 == 0;
      const bool selected = random() % 2 == 0;
      threads.set_pc(lane, warp.pc());
      const fault_kind got = threads.execute(lane, i, selected);
      const control_result expected = warp.execute(i, selected ? bit : 0);
      ASSERT_EQ(got, expected.fault) << "program " << n << ", step " << step;
      if (got != fault_kind::none) {
        ++faults;
        break;
      }
      ASSERT_EQ((threads.live() & bit) == 0, warp.finished()) << "program " << n << ", step " << step;
      if (warp.finished()) {
        ++ends;
        break;
      }
      ASSERT_EQ(threads.pc(lane), warp.pc()) << "program " << n << ", step " << step;
      ASSERT_EQ(threads.depth(lane), warp.depth()) << "program " << n << ", step " << step;
    }
  }
  EXPECT_GT(faults, 1000u);
  EXPECT_GT(ends, 1000u);
}

}  // namespace
}  // namespace gt200::arch_state::tesla
