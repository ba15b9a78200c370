// Wrong use of sections: model and emulator find the same fault at the same place. What the chip cannot run is
// refused before it starts.
#include "testbenches/system/register_sharing/sharing_board.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/error.h"

namespace gt200 {
namespace {

using arch_state::fault_kind;

class section_fault : public support::checked_board {
 protected:
  void expect(const std::string& body, fault_kind fault, isa::code_address pc) {
    build(support::checked_program(body), support::one_section());
    const launch_result result = run(2, 64);
    EXPECT_EQ(difference(), "no difference");
    EXPECT_EQ(result.reason, end_reason::fault);
    EXPECT_STREQ(arch_state::name_of(result.fault.kind), arch_state::name_of(fault));
    EXPECT_EQ(result.fault.pc, pc) << arch_state::describe(result.fault);
    EXPECT_NE(result.fault.line, 0u);
  }
};

// The head of a program has 0x30 bytes.
TEST_F(section_fault, an_exit_without_a_release_is_one) {
  expect("  regacquire $r8 0x8\n  mov b32 $r15 $r1\n  exit nop\n", fault_kind::section_kept, 0x40);
}
TEST_F(section_fault, a_shared_register_without_a_section_is_one) {
  expect("  add b32 $r15 $r1 0x1\n  regacquire $r8 0x8\n  regrelease $r8 0x8\n  exit nop\n",
         fault_kind::section_not_held, 0x30);
}
TEST_F(section_fault, a_read_behind_the_release_is_one) {
  expect("  regacquire $r8 0x8\n  mov b32 $r15 $r1\n  regrelease $r8 0x8\n  add b32 $r5 $r15 $r1\n  exit nop\n",
         fault_kind::section_not_held, 0x48);
}
TEST_F(section_fault, a_load_without_a_section_is_one) {
  expect("  ld b32 $r15 g14[$r3]\n  regacquire $r8 0x8\n  regrelease $r8 0x8\n  exit nop\n",
         fault_kind::section_not_held, 0x30);
}

class without_sharing : public support::checked_board {};

TEST_F(without_sharing, a_kernel_with_sections_is_refused_by_name) {
  build(support::checked_program(support::program_with_section("")));
  try {
    run(1, 64);
    FAIL();
  } catch (const input_error& error) {
    EXPECT_STREQ(error.what(),
                 "kernel 'test' acquires registers that warps share over time; this chip has none "
                 "(tpc.sm.register_file.sharing)");
  }
}

TEST_F(without_sharing, kernels_without_sections_run_as_ever_where_others_could_share) {
  build(support::checked_program("  mov b32 $r15 $r1\n  st b32 g14[$r4] $r15\n  exit nop\n"),
        {"tpc.sm.register_file.sharing=regmutex"});
  run_alike(4, 64);
  EXPECT_EQ(sm().section_pool->given.value(), 0u);
}

}  // namespace
}  // namespace gt200
