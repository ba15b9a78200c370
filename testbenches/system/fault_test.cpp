// Faults of the simulated program end the launch and are reported with their place, also when the faulting
// instruction is the last one of the grid.

#include <gtest/gtest.h>

#include "testbenches/support/assembly_run.h"

namespace gt200 {
namespace {

const char* const store_to_nowhere =
    ".target sm_13\n.entry k\n.param u32 out\n"
    "  mov b32 $r1 0x10\n"
    "  exit st b32 g14[$r1] $r1\n.end\n";

TEST(fault, of_the_last_instruction_of_a_grid_is_reported) {
  const auto run = support::run_assembly(support::configuration("gt200_small"), store_to_nowhere, 1, 32, 1);
  ASSERT_EQ(run.result.reason, end_reason::fault);
  EXPECT_EQ(run.result.fault.kind, emulator::fault_kind::unmapped_address);
  EXPECT_EQ(run.result.fault.address, 0x10u);
  EXPECT_EQ(run.result.fault.lanes, 0xffffffffu);
  EXPECT_EQ(run.result.fault.line, 5u);
}

TEST(fault, of_a_trap_names_the_instruction) {
  const auto run =
      support::run_assembly(support::configuration("gt200_small"),
                            ".target sm_13\n.entry k\n.param u32 out\n  trap\n  exit nop\n.end\n", 2, 64, 1);
  ASSERT_EQ(run.result.reason, end_reason::fault);
  EXPECT_EQ(run.result.fault.kind, emulator::fault_kind::trap);
  EXPECT_EQ(run.result.fault.pc, 0u);
}

}  // namespace
}  // namespace gt200
