// Live registers, counted along small programs.
#include "observe/register_liveness.h"

#include <gtest/gtest.h>

#include "toolchain/assembler/assembler.h"

namespace gt200::observe {
namespace {

// Of the instructions of a program, in order.
std::vector<unsigned> live_in(const std::string& body) {
  const cubin::module module =
      assembler::assemble(".target sm_10\n.entry k\n.param u32 p\n" + body + "    exit nop\n.end\n", "test.s");
  const cubin::kernel& kernel = module.kernels.at(0);
  const std::vector<unsigned> live = live_registers(kernel.code);
  EXPECT_EQ(live.size(), kernel.code.size());
  std::vector<unsigned> result;
  for (const cubin::source_line& l : kernel.lines) result.push_back(live.at(l.offset / 4));
  return result;
}

using counts = std::vector<unsigned>;

TEST(live_registers, are_those_that_are_read_before_they_are_written) {
  EXPECT_EQ(live_in("    mov b32 $r1 0x1\n"
                    "    mov b32 $r2 0x2\n"
                    "    add b32 $r3 $r1 $r2\n"
                    "    st b32 g14[$r3] $r3\n"),
            (counts{0, 1, 2, 1, 0}));
}

TEST(live_registers, a_value_that_nobody_reads_is_not_needed) {
  EXPECT_EQ(live_in("    mov b32 $r1 0x1\n"
                    "    mov b32 $r1 0x2\n"
                    "    st b32 g14[$r1] $r1\n"),
            (counts{0, 0, 1, 0}));
}

TEST(live_registers, go_round_loops) {
  EXPECT_EQ(live_in("    mov b32 $r1 0x0\n"
                    "    mov b32 $r2 0x7\n"
                    "loop:\n"
                    "    add b32 $r1 $r1 0x1\n"
                    "    set $c0 # g u32 b32 s[p] $r1\n"
                    "    (lg $c0) bra loop\n"
                    "    st b32 g14[$r2] $r2\n"),
            (counts{0, 1, 2, 2, 2, 1, 0}));
}

TEST(live_registers, what_a_predicate_may_leave_standing_stays_needed) {
  EXPECT_EQ(live_in("    mov b32 $r1 0x1\n"
                    "    (lg $c0) mov b32 $r1 $r2\n"
                    "    st b32 g14[$r1] $r1\n"),
            (counts{1, 2, 1, 0}));
}

TEST(live_registers, the_other_half_of_a_register_stays_needed) {
  EXPECT_EQ(live_in("    mov b32 $r1 0x1\n"
                    "    mov b16 $r1l $r2l\n"
                    "    st b32 g14[$r1] $r1\n"),
            (counts{1, 2, 1, 0}));
}

}  // namespace
}  // namespace gt200::observe
