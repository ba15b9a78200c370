// Programs of sm_70 on the chip: right, equal to the emulator in every instruction, and equal however they are
// simulated.
#include <gtest/gtest.h>

#include <string>

#include "testbenches/system/volta/volta_board.h"

namespace gt200::support {
namespace {

// A SystemC simulation of its own.
volta_figures run_of(const std::string& program, const volta_grid& grid) {
  return figures_of(run_volta_apart(program, grid));
}

TEST(volta_chip, runs_a_program_without_divergence) {
  const std::string program =
      volta_program(std::string("  [B------:R-:W-:-:S08] MOV R1, 0x4\n"
                                "  [B------:R-:W-:-:S08] IMAD.WIDE R10, R0, R1, c[0x0][in]\n"
                                "  [B------:R-:W0:-:S02] LDG.E.SYS R4, [R10]\n"
                                "  [B0-----:R-:W-:-:S04] IADD3 R4, R4, R4, RZ\n") +
                    store_r4);
  const volta_grid grid = {{12}, {160, 1, 1}, 12 * 160};
  const volta_figures o = run_of(program, grid);
  ASSERT_EQ(o.error, "");
  EXPECT_EQ(o.issued, 12u * 5 * 13);
  EXPECT_EQ(o.hazards, 0u);
  for (std::uint32_t i = 0; i < o.out.size(); ++i) ASSERT_EQ(o.out[i], 2 * volta_input(i)) << i;
}

TEST(volta_chip, adds_up_blocks_in_shared_memory_and_by_atomics) {
  const volta_figures o = run_of(block_sums, {{24}, {256, 1, 1}, 4});
  ASSERT_EQ(o.error, "");
  EXPECT_EQ(o.hazards, 0u);
  std::vector<std::uint32_t> sums(4);
  for (std::uint32_t i = 0; i < 24 * 256; ++i) sums[i / 256 % 4] += volta_input(i);
  EXPECT_EQ(o.out, sums);
}

TEST(volta_chip, is_alike_however_it_is_simulated) {
  expect_alike_in_every_way(block_sums, {{12}, {256, 1, 1}, 4});
}

TEST(volta_chip, calculates_on_every_unit) {
  const std::string program = volta_program(std::string("  [B------:R-:W0:-:S02] I2F R10, R0\n"
                                                        "  [B0-----:R-:W-:-:S08] FADD R10, R10, 0.5\n"
                                                        "  [B------:R-:W0:-:S02] MUFU.RCP R11, R10\n"
                                                        "  [B0-----:R-:W-:-:S08] FFMA R11, R11, R10, R10\n"
                                                        "  [B------:R-:W1:-:S02] F2F.F64.F32 R12, R11\n"
                                                        "  [B-1----:R-:W-:-:S09] DFMA R12, R12, R12, R12\n"
                                                        "  [B------:R-:W0:-:S02] F2F.F32.F64 R4, R12\n"
                                                        "  [B0-----:R-:W2:-:S02] SHFL.BFLY PT, R5, R4, 0x1, 0x1f\n"
                                                        "  [B--2---:R-:W-:-:S08] IADD3 R4, R4, R5, RZ\n"
                                                        "  [B------:R-:W2:-:S02] POPC R5, R4\n"
                                                        "  [B--2---:R-:W-:-:S08] IADD3 R4, R4, R5, RZ\n") +
                                            store_r4);
  expect_alike_in_every_way(program, {{2}, {96, 1, 1}, 192});
}

// Lines without codes wait for everything: slow, and right.
TEST(volta_chip, runs_lines_without_control_codes) {
  const std::string program = volta_program(
      "  MOV R1, 0x4\n  IMAD.WIDE R10, R0, R1, c[0x0][in]\n  LDG.E.SYS R4, [R10]\n  POPC R5, R4\n"
      "  IADD3 R4, R4, R5, RZ\n  STG.E.SYS [R2], R4\n");
  const volta_figures o = run_of(program, {{4}, {64, 1, 1}, 256});
  ASSERT_EQ(o.error, "");
  EXPECT_EQ(o.hazards, 0u);
  for (std::uint32_t i = 0; i < o.out.size(); ++i)
    ASSERT_EQ(o.out[i], volta_input(i) + static_cast<std::uint32_t>(__builtin_popcount(volta_input(i)))) << i;
}

// The assembler refuses such a target: these are the words of branches to 0x64 and 0x68 and of a call to 0x61.
TEST(volta_chip, an_instruction_within_another_is_illegal) {
  const std::pair<const char*, const char*> branches[] = {
      {"0x64", "  .word 0x00007947 0xfffffff4 0x0383ffff 0x003fde00\n"},
      {"0x68", "  .word 0x00007947 0xfffffff8 0x0383ffff 0x003fde00\n"},
      {"0x61", "  .word 0x00007943 0x00000061 0x03c00000 0x003fde00\n"},
      {"0x11", "  MOV R4, 0x11\n  BRX R4, -0x80\n"}};
  for (const auto& [target, code] : branches) {
    const volta_figures o = run_of(volta_program(code), {{1}, {32, 1, 1}, 32});
    EXPECT_EQ(o.error.find(std::string("fault: illegal instruction in kernel 'test' at ") + target), 0u) << o.error;
    EXPECT_NE(o.error.find("not a multiple of 16"), std::string::npos) << o.error;
    EXPECT_EQ(o.error.find("differ"), std::string::npos) << o.error;
  }
}

TEST(volta_chip, faults_of_the_program_end_the_launch) {
  // 0x7: not a multiple of four.
  const volta_figures o = run_of(
      volta_program("  [B------:R-:W-:-:S08] IADD3 R2, R2, 0x7, RZ\n  [B------:R-:W0:-:S02] LDG.E.SYS R4, [R2]\n"),
      {{1}, {32, 1, 1}, 32});
  EXPECT_NE(o.error.find("misaligned"), std::string::npos) << o.error;
}

// The words after a kernel are not its code, whatever they are.
TEST(volta_chip, an_instruction_of_which_the_code_holds_a_part_lies_outside) {
  const volta_figures o = run_of(
      ".target sm_70\n.entry test\n.param b64 out\n.param b64 in\n  BRA rest\n  EXIT\nrest:\n  .word 0x0000794d 0\n"
      ".end\n",
      {{1}, {32, 1, 1}, 32});
  EXPECT_EQ(o.error.find("fault: program counter outside the code in kernel 'test' at 0x20"), 0u) << o.error;
  EXPECT_EQ(o.error.find("differ"), std::string::npos) << o.error;
}

// Word 0 of `in` lies at this address below 4 GB; above, nothing does.
TEST(volta_chip, an_address_beyond_32_bits_is_unmapped_and_reported_whole) {
  const std::string pair = "  MOV R10, c[0x0][in]\n  IADD3 R11, RZ, 0x1, RZ\n";
  const std::string before_zero = "  MOV R10, RZ\n  MOV R11, RZ\n";
  const std::pair<std::string, const char*> accesses[] = {
      {pair + "  LDG.E.SYS R4, [R10]\n", "address 0x1"},
      {pair + "  LDG.E.SYS R4, [R10+0x1]\n", "address 0x1"},
      {pair + "  STG.E.SYS [R10], R4\n", "address 0x1"},
      {pair + "  RED.E.ADD.STRONG.GPU [R10], R4\n", "address 0x1"},
      {before_zero + "  LDG.E.SYS R4, [R10+-0x1]\n", "address 0xffffffffffffffff"},
      {before_zero + "  LD.E.SYS R4, [R10+-0x4]\n", "address 0xfffffffffffffffc"}};
  for (const auto& [code, address] : accesses) {
    const volta_figures o = run_of(volta_program(code), {{1}, {32, 1, 1}, 32});
    EXPECT_EQ(o.error.find("fault: unmapped address"), 0u) << code << o.error;
    EXPECT_NE(o.error.find(address), std::string::npos) << o.error;
    EXPECT_EQ(o.error.find("differ"), std::string::npos) << o.error;
  }
}

TEST(volta_chip, an_address_of_32_bits_wraps_and_is_reported_as_the_lane_names_it) {
  const std::pair<const char*, const char*> accesses[] = {{"  LDG.SYS R4, [R6+-0x1]\n", "misaligned address"},
                                                          {"  LD.SYS R4, [R6+-0x1]\n", "misaligned address"}};
  for (const auto& [code, kind] : accesses) {
    const volta_figures o =
        run_of(volta_program(std::string("  MOV R6, RZ\n") + code, ".local 64\n"), {{1}, {32, 1, 1}, 32});
    EXPECT_EQ(o.error.find(std::string("fault: ") + kind), 0u) << code << o.error;
    EXPECT_NE(o.error.find("address 0xffffffff,"), std::string::npos) << o.error;
    EXPECT_EQ(o.error.find("differ"), std::string::npos) << o.error;
  }
}

}  // namespace
}  // namespace gt200::support
