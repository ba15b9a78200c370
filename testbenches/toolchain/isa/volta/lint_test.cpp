// The static check of control codes: distances that are just long enough and one cycle too short, barriers, paths.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "toolchain/isa/volta/codec.h"
#include "toolchain/isa/volta/lint.h"

namespace gt200::isa::volta {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// What one of the two checks says about a program with one instruction per line; an exit follows.
std::vector<std::string> findings(const std::string& text,
                                  std::vector<lint_finding> (*check)(const std::vector<std::uint32_t>&) = lint) {
  std::vector<std::uint32_t> code;
  std::istringstream lines(text + "\n[B------:R-:W-:-:S05] EXIT");
  for (std::string line; std::getline(lines, line);) {
    if (line.find_first_not_of(' ') == std::string::npos) continue;
    std::string label;
    decode_error error;
    const auto i = parse(line, static_cast<code_address>(4 * code.size()), label, error);
    EXPECT_TRUE(i) << line << ": " << error.reason;
    if (i) code.insert(code.end(), i->words.begin(), i->words.end());
  }
  std::vector<std::string> texts;
  for (const lint_finding& f : check(code)) {
    std::ostringstream s;
    s << std::hex << f.at << ": " << f.reason;
    texts.push_back(s.str());
  }
  return texts;
}

std::string stalled(unsigned cycles) {
  return std::string("[B------:R-:W-:") + (cycles > 11 ? "Y" : "-") + ":S" + (cycles < 10 ? "0" : "") +
         std::to_string(cycles) + "] ";
}

struct distance {
  const char* writer;
  const char* reader;
  unsigned cycles;
};

class lint_distance : public testing::TestWithParam<distance> {};

TEST_P(lint_distance, is_legal_at_its_length_and_wrong_a_cycle_below) {
  const distance d = GetParam();
  const auto program = [&](unsigned cycles) { return stalled(cycles) + d.writer + "\n" + d.reader; };
  EXPECT_THAT(findings(program(d.cycles)), IsEmpty()) << d.writer << ", " << d.reader;
  const std::vector<std::string> found = findings(program(d.cycles - 1));
  ASSERT_FALSE(found.empty()) << d.writer << ", " << d.reader;
  for (const std::string& f : found) EXPECT_NE(f.find("1 cycle too early"), std::string::npos) << f;
}

constexpr char alu_reader[] = "[B------:R-:W-:-:S05] IADD3 R9, R2, R8, RZ";
constexpr char fma_reader[] = "[B------:R-:W-:-:S05] FFMA R9, R2, R8, R8";
constexpr char factor_reader[] = "[B------:R-:W-:-:S05] IMAD.WIDE R10, R2, R8, R12";
constexpr char sum_reader[] = "[B------:R-:W-:-:S05] IMAD.WIDE R10, R8, R8, R2";
constexpr char double_reader[] = "[B------:R-:W-:-:S05] DADD R10, R2, R8";
constexpr char half_reader[] = "[B------:R-:W-:-:S05] HFMA2 R9, R2, R8, R8";
constexpr char memory_reader[] = "[B------:R0:W0:-:S05] LDG.E.SYS R10, [R2]";
constexpr char function_reader[] = "[B------:R0:W0:-:S05] MUFU.RCP R10, R2";

INSTANTIATE_TEST_SUITE_P(
    registers, lint_distance,
    testing::Values(distance{"IADD3 R2, R4, R5, RZ", alu_reader, 4}, distance{"MOV R2, R4", fma_reader, 5},
                    distance{"MOV R2, R4", factor_reader, 5}, distance{"MOV R2, R4", sum_reader, 5},
                    distance{"MOV R3, R4", sum_reader, 3}, distance{"MOV R2, R4", double_reader, 6},
                    distance{"MOV R2, R4", function_reader, 6}, distance{"MOV R2, R4", memory_reader, 8},
                    distance{"FADD R2, R4, R5", alu_reader, 5}, distance{"FADD R2, R4, R5", fma_reader, 4},
                    distance{"IMAD R2, R4, R5, R6", memory_reader, 8},
                    distance{"IMAD.WIDE R2, R4, R5, R6", alu_reader, 3},
                    distance{"DADD R2, R4, R6", double_reader, 8}, distance{"DADD R2, R4, R6", memory_reader, 11},
                    distance{"CS2R R2, SR_CLOCKLO", alu_reader, 6}, distance{"MOV R2, R4", half_reader, 6},
                    distance{"HADD2 R2, R4, R5", half_reader, 6}, distance{"HMUL2 R2, R4, R5", alu_reader, 8},
                    distance{"HFMA2 R2, R4, R5, R6", memory_reader, 10}));

INSTANTIATE_TEST_SUITE_P(
    predicates, lint_distance,
    testing::Values(distance{"ISETP.NE.AND P0, PT, R2, RZ, PT", "[B------:R-:W-:-:S05] SEL R2, R4, R5, P0", 4},
                    distance{"ISETP.NE.AND P0, PT, R2, RZ, PT", "[B------:R-:W-:-:S05] @P0 MOV R2, R4", 12},
                    distance{"ISETP.NE.AND P0, PT, R2, RZ, PT", "[B------:R-:W-:-:S05] VOTE.ALL R2, PT, P0", 12},
                    distance{"DSETP.LT.AND P0, PT, R2, R4, PT", "[B------:R-:W-:-:S05] SEL R2, R4, R5, P0", 9},
                    distance{"DSETP.LT.AND P0, PT, R2, R4, PT", "[B------:R-:W-:-:S05] @!P0 MOV R2, R4", 15},
                    distance{"HSETP2.LT.AND P0, PT, R2, R4, PT", "[B------:R-:W-:-:S05] SEL R2, R4, R5, P0", 8},
                    distance{"HSETP2.LT.AND P0, PT, R2, R4, PT", "[B------:R-:W-:-:S05] @!P0 MOV R2, R4", 14}));

TEST(volta_lint, results_of_varying_time_need_a_write_barrier_and_a_wait) {
  EXPECT_THAT(findings("[B------:R-:W0:-:S02] LDG.E.SYS R2, [R4]\n[B0-----:R-:W-:-:S05] MOV R3, R2"), IsEmpty());
  EXPECT_THAT(findings("[B------:R-:W0:-:S02] LDG.E.SYS R2, [R4]\n[B-1----:R-:W-:-:S05] MOV R3, R2"),
              ElementsAre("10: reads R2 without waiting for SB0"));
  EXPECT_THAT(findings("[B------:R-:W-:-:S02] LDG.E.SYS R2, [R4]\n[B0-----:R-:W-:-:S05] MOV R3, R2"),
              ElementsAre("10: reads R2, whose writer sets no write barrier"));
  EXPECT_THAT(findings("[B------:R-:W0:-:S02] LDG.E.64.SYS R2, [R4]\n[B------:R-:W-:-:S05] MOV R3, RZ"),
              ElementsAre("10: writes R3 without waiting for its last writer, SB0"));
}

TEST(volta_lint, sources_of_varying_time_may_be_overwritten_after_a_wait) {
  EXPECT_THAT(findings("[B------:R3:W-:-:S02] STG.E.SYS [R2], R4\n[B---3--:R-:W-:-:S05] MOV R4, RZ"), IsEmpty());
  EXPECT_THAT(findings("[B------:R3:W-:-:S02] STG.E.SYS [R2], R4\n[B------:R-:W-:-:S05] MOV R4, RZ"),
              ElementsAre("10: writes R4 without waiting for its reader, SB3"));
  EXPECT_THAT(findings("[B------:R-:W-:-:S02] STG.E.SYS [R2], R4\n[B------:R-:W-:-:S05] MOV R3, RZ"),
              ElementsAre("10: writes R3, which an instruction without a read barrier reads"));
  EXPECT_THAT(findings("[B------:R-:W1:-:S02] LDG.E.SYS R6, [R2]\n[B-1----:R-:W-:-:S05] MOV R2, RZ"), IsEmpty());
}

TEST(volta_lint, a_predicate_of_an_instruction_of_varying_time_is_a_source) {
  EXPECT_THAT(findings("[B------:R3:W-:-:S02] @P0 STG.E.SYS [R2], R4\n"
                       "[B------:R-:W-:-:S05] ISETP.NE.AND P0, PT, R8, RZ, PT"),
              ElementsAre("10: writes P0 without waiting for its reader, SB3"));
  EXPECT_THAT(findings("[B------:R3:W-:-:S02] @P0 STG.E.SYS [R2], R4\n"
                       "[B---3--:R-:W-:-:S05] ISETP.NE.AND P0, PT, R8, RZ, PT"),
              IsEmpty());
}

TEST(volta_lint, a_barrier_counts_a_cycle_after_it_is_set) {
  EXPECT_THAT(
      findings("[B------:R-:W0:-:S01] LDG.E.SYS R2, [R4]\n[B0-----:R-:W-:-:S05] MOV R3, R2"),
      ElementsAre("10: waits for SB0, which the instruction before it sets: that needs a stall of 2 or a yield"));
  EXPECT_THAT(findings("[B------:R-:W0:Y:S01] LDG.E.SYS R2, [R4]\n[B0-----:R-:W-:-:S05] MOV R3, R2"), IsEmpty());
}

TEST(volta_lint, depbar_waits_like_a_mask) {
  EXPECT_THAT(findings("[B------:R-:W0:-:S02] LDG.E.SYS R2, [R4]\n[B------:R-:W-:-:S04] DEPBAR.LE SB0, 0x0\n"
                       "[B------:R-:W-:-:S05] MOV R3, R2"),
              IsEmpty());
}

TEST(volta_lint, long_stalls_need_a_yield) {
  EXPECT_THAT(findings("[B------:R-:W-:-:S12] MOV R2, RZ"),
              ElementsAre("0: stalls 12 cycles without yield: above 11 the hardware does not"));
}

// The branch is taken from 0x20 to 0x50; what is read there was written at 0x10 on one path and at 0x40 on the
// other.
TEST(volta_lint, every_path_to_a_reader_counts) {
  const std::string head =
      "[B------:R-:W-:Y:S12] ISETP.NE.AND P0, PT, R8, RZ, PT\n"
      "[B------:R-:W-:-:S01] MOV R2, RZ\n"
      "[B------:R-:W-:-:S01] @P0 BRA 0x50\n"
      "[B------:R-:W-:-:S05] NOP\n";
  EXPECT_THAT(findings(head + "[B------:R-:W-:-:S04] MOV R2, R4\n[B------:R-:W-:-:S05] IADD3 R3, R2, R4, RZ"),
              ElementsAre("50: reads R2 2 cycles too early"));
}

TEST(volta_lint, a_loop_is_followed_until_nothing_changes) {
  EXPECT_THAT(
      findings("[B------:R-:W-:-:S04] IADD3 R2, R4, 0x1, RZ\n"
               "[B------:R-:W-:Y:S12] ISETP.NE.AND P0, PT, R2, RZ, PT\n"
               "[B------:R1:W0:-:S02] LDG.E.SYS R4, [R6]\n"
               "[B------:R-:W-:-:S05] @P0 BRA 0x0\n"),
      ElementsAre("0: reads R4 without waiting for SB0", "20: writes R4 without waiting for its last writer, SB0"));
}

TEST(volta_lint, instructions_without_codes_are_clean_whatever_they_depend_on) {
  EXPECT_THAT(
      findings(
          "LDG.E.64.SYS R2, [R4]\nDADD R2, R2, R6\nDSETP.LT.AND P0, PT, R2, R6, PT\n@P0 STG.E.64.SYS [R4], R2\n"
          "MOV R2, RZ\nMUFU.RCP R2, R2\nIMAD.WIDE R4, R2, R2, R4\nLDG.E.SYS R4, [R4]"),
      IsEmpty());
}

std::vector<std::string> longer(const std::string& text) { return findings(text, longer_than_needed); }

TEST(volta_lint_longer, the_least_stall_that_keeps_all_distances_is_named) {
  const std::string reader = "\n[B------:R-:W-:-:S01] IADD3 R9, R2, R8, RZ";
  EXPECT_THAT(longer("[B------:R-:W-:-:S09] MOV R2, R4" + reader), ElementsAre("0: stalls 9 cycles, 4 would do"));
  EXPECT_THAT(longer("[B------:R-:W-:-:S04] MOV R2, R4" + reader), IsEmpty());
  EXPECT_THAT(longer("[B------:R-:W-:-:S02] MOV R2, R4" + reader), IsEmpty())
      << "too short is no longer than needed";
}

// Either of the two stalls could be shorter, but not both.
TEST(volta_lint_longer, others_stay_as_they_are) {
  EXPECT_THAT(longer("[B------:R-:W-:-:S03] MOV R2, R4\n[B------:R-:W-:-:S03] MOV R3, R4\n"
                     "[B------:R-:W-:-:S01] IADD3 R9, R2, R8, RZ"),
              ElementsAre("0: stalls 3 cycles, 1 would do", "10: stalls 3 cycles, 1 would do"));
}

TEST(volta_lint_longer, a_stall_that_one_of_two_paths_needs_is_needed) {
  EXPECT_THAT(longer("[B------:R-:W-:Y:S12] ISETP.NE.AND P0, PT, R8, RZ, PT\n"
                     "[B------:R-:W-:-:S03] MOV R2, RZ\n"
                     "[B------:R-:W-:-:S01] @P0 BRA 0x40\n"
                     "[B------:R-:W-:-:S01] NOP\n"
                     "[B------:R-:W-:-:S01] IADD3 R3, R2, R4, RZ"),
              ElementsAre("0: stalls 12 cycles, 9 would do"));
}

TEST(volta_lint_longer, waits_and_barriers_that_nothing_needs_are_named) {
  EXPECT_THAT(longer("[B--2---:R-:W-:-:S01] MOV R2, R4"), ElementsAre("0: waits for SB2 without need"));
  EXPECT_THAT(longer("[B------:R-:W0:-:S02] LDG.E.SYS R2, [R4]\n[B0-----:R-:W-:-:S01] MOV R3, R2"), IsEmpty());
  // The write barrier stands for the read barrier, too.
  EXPECT_THAT(longer("[B------:R1:W0:-:S02] LDG.E.SYS R2, [R4]\n[B0-----:R-:W-:-:S01] MOV R3, R2"),
              ElementsAre("0: sets read barrier SB1 without need"));
  // Its stall of 2 comes from the barrier alone.
  EXPECT_THAT(longer("[B------:R3:W-:-:S02] STG.E.SYS [R2], R4\n[B------:R-:W-:-:S01] MOV R5, RZ"),
              ElementsAre("0: stalls 2 cycles, 1 would do", "0: sets read barrier SB3 without need"));
  EXPECT_THAT(longer("[B------:R3:W-:-:S02] STG.E.SYS [R2], R4\n[B---3--:R-:W-:-:S01] MOV R4, RZ"), IsEmpty());
}

// The exit of findings() stalls five cycles; behind it and behind an endless loop nothing is reached.
TEST(volta_lint_longer, branches_and_code_that_is_not_reached_are_not_judged) {
  EXPECT_THAT(longer("[B------:R-:W-:-:S09] BRA 0x0\n[B------:R-:W-:-:S09] MOV R2, R4"), IsEmpty());
}

}  // namespace
}  // namespace gt200::isa::volta
