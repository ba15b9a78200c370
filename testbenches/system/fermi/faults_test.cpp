// Faults of programs of sm_20: the chip and the emulator find the same one, and the report says where and why.
#include <gmock/gmock.h>

#include <string>

#include "testbenches/support/own_process.h"
#include "testbenches/system/fermi/fermi_board.h"

namespace gt200::support {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const char* const head = ".target sm_20\n.entry k\n.param u32 out\n.param u32 in\n";

// The faults that a run of one warp reports. A difference between chip and emulator would be part of the text.
fermi_outcome faults_of(const std::string& code, const std::string& directives = "") {
  return run_on_fermi(head + directives + code + "  exit\n.end\n", {{1}, {32, 1, 1}, 32});
}

std::string report_of(const std::string& code, const std::string& directives = "") {
  return in_own_process([&] { return faults_of(code, directives).error; });
}

MATCHER(is_no_difference, "") { return arg.find("differ in core cycle") == std::string::npos; }

// -- constants --

TEST(fermi_faults, a_constant_before_its_space_lies_outside) {
  const std::string table = ".literal t b32 1 2\n";
  for (const char* offset : {"-0x4", "-0x8", "0x7fffffc"})
    EXPECT_THAT(report_of(std::string("  long mov b32 $r0 ") + offset + "\n  ld b32 $r1 c16[$r0]\n", table),
                AllOf(HasSubstr("fault: unmapped address"), is_no_difference()))
        << offset;
  EXPECT_THAT(report_of("  long mov b32 $r0 -0x4\n  bra pcrel c16[$r0]\n", table),
              AllOf(HasSubstr("fault: unmapped address"), HasSubstr("address 0xfffffffc"), is_no_difference()));
}

TEST(fermi_faults, misaligned_lanes_of_a_constant_come_before_those_beyond_its_space) {
  EXPECT_THAT(report_of("  mov b32 $r0 $tidx\n  mul $r9 u32 $r0 u32 0x21\n  long add b32 $r9 $r9 0x9000\n"
                        "  ld b32 $r1 c16[$r9]\n",
                        ".literal t b32 1 2\n"),
              AllOf(HasSubstr("fault: misaligned address"), is_no_difference()));
}

// -- control flow --

// The assembler refuses such a target. These are the words of `bra 0x1`, `bra 0x4` and so on.
TEST(fermi_faults, an_instruction_within_another_is_illegal) {
  const std::pair<const char*, const char*> branches[] = {{"0x1", "0xe4001de7 0x4003ffff"},
                                                          {"0x3", "0xec001de7 0x4003ffff"},
                                                          {"0x4", "0xf0001de7 0x4003ffff"},
                                                          {"0x9", "0x04001de7 0x40000000"},
                                                          {"0xc", "0x10001de7 0x40000000"}};
  for (const auto& [target, words] : branches)
    EXPECT_THAT(report_of(std::string("  .word ") + words + "\n"),
                AllOf(HasSubstr(std::string("fault: illegal instruction in kernel 'k' at ") + target + " (line "),
                      HasSubstr("not a multiple of 8"), is_no_difference()));
}

TEST(fermi_faults, so_is_one_that_a_table_of_targets_names) {
  EXPECT_THAT(report_of("  mov b32 $r0 0x0\n  bra pcrel c16[$r0]\n", ".literal t b32 0x1\n"),
              AllOf(HasSubstr("fault: illegal instruction in kernel 'k' at 0x11"), HasSubstr("not a multiple of 8"),
                    is_no_difference()));
}

TEST(fermi_faults, an_instruction_of_which_the_code_holds_a_part_lies_outside) {
  const std::string program = std::string(head) + "  bra rest\n  exit\nrest:\n  .word 0x00001de7\n.end\n";
  EXPECT_THAT(
      in_own_process([&] {
        return run_on_fermi(program, {{1}, {32, 1, 1}, 32}).error;
      }),
      AllOf(HasSubstr("fault: program counter outside the code in kernel 'k' at 0x10"), is_no_difference()));
}

// -- memory --

// Local memory of all threads lies below 0xfe000000. A line of it is in flight, with a store that waits.
TEST(fermi_faults, a_wild_address_does_not_reach_local_memory) {
  for (const char* address : {"0xfd800000", "0xfda00000", "0xfdf00000"})
    EXPECT_THAT(report_of(std::string("  mov b32 $r0 0x0\n  mov b32 $r6 0x5\n  long mov b32 $r3 ") + address +
                              "\n  ld b32 $r1 ca l[$r0]\n  st b32 wb l[$r0] $r6\n  st b32 wb g[$r3] $r6\n"
                              "  ld b32 $r2 ca l[$r0]\n",
                          ".local 4096\n"),
                AllOf(HasSubstr("fault: unmapped address"), HasSubstr(std::string("address ") + address),
                      is_no_difference()))
        << address;
}

TEST(fermi_faults, an_address_beyond_32_bits_is_reported_whole) {
  EXPECT_THAT(report_of("  long mov b32 $r0 0x100000\n  mov b32 $r1 0x1\n  ld b32 $r2 ca g[$r0d]\n"),
              AllOf(HasSubstr("unmapped address"), HasSubstr("address 0x100100000"), is_no_difference()));
}

TEST(fermi_faults, an_offset_before_address_zero_wraps_in_32_bits_and_not_in_64) {
  EXPECT_THAT(report_of("  mov b32 $r0 0x0\n  ld b32 $r1 ca g[$r0-0x1]\n"),
              AllOf(HasSubstr("fault: misaligned address"), HasSubstr("address 0xffffffff,"), is_no_difference()));
  EXPECT_THAT(
      report_of("  mov b32 $r0 0x0\n  mov b32 $r1 0x0\n  ld b32 $r2 ca g[$r0d-0x1]\n"),
      AllOf(HasSubstr("fault: unmapped address"), HasSubstr("address 0xffffffffffffffff,"), is_no_difference()));
}

// The windows of shared and local memory begin at 0xfe000000 and 0xff000000.
TEST(fermi_faults, an_address_in_a_window_is_reported_as_the_lane_names_it) {
  const std::pair<const char*, const char*> wrong[] = {{"0xfe000040", "unmapped"},
                                                       {"0xfe000021", "misaligned"},
                                                       {"0xff000040", "unmapped"},
                                                       {"0xff000001", "misaligned"},
                                                       {"0xfffffffc", "unmapped"}};
  for (const auto& [address, kind] : wrong)
    EXPECT_THAT(report_of(std::string("  long mov b32 $r0 ") + address + "\n  ld b32 $r1 ca g[$r0]\n",
                          ".shared x 64\n.local 64\n"),
                AllOf(HasSubstr(std::string("fault: ") + kind + " address"),
                      HasSubstr(std::string("address ") + address + ","), is_no_difference()));
}

// -- what the chip refuses --

TEST(fermi_faults, an_atomic_operation_on_shared_memory_says_that_there_is_none) {
  EXPECT_THAT(report_of("  mov b32 $r2 c0[0x0]\n  red add u32 g[$r2] $r2\n", ".shared x 64\n"),
              AllOf(HasSubstr("unsupported instruction"), HasSubstr("red add u32 g[$r2] $r2"),
                    HasSubstr("no atomic operations"), is_no_difference()));
}

TEST(fermi_faults, a_barrier_that_counts_threads_or_comes_from_a_register_says_so) {
  EXPECT_THAT(report_of("  mov b32 $r1 0x2\n  bar popc $p7 $r63 $r1 $r63 $p7\n"),
              AllOf(HasSubstr("unsupported instruction"), HasSubstr(": bar popc"),
                    HasSubstr("the number of a barrier must be in the instruction"), is_no_difference()));
  EXPECT_THAT(report_of("  bar popc $p7 $r63 0x0 0x20 $p7\n"),
              AllOf(HasSubstr("unsupported instruction"), HasSubstr(": bar popc"),
                    HasSubstr("must wait for all threads"), is_no_difference()));
}

}  // namespace
}  // namespace gt200::support
