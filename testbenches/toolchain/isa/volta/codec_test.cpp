// Machine words of sm_70, instructions and text.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "testbenches/toolchain/isa/volta/random_encodings.h"
#include "toolchain/isa/volta/control_codes.h"

namespace gt200::isa::volta {
namespace {

constexpr code_address somewhere = 0x4000;

std::string hex(uint128 words) {
  std::string text;
  for (int shift = 124; shift >= 0; shift -= 4)
    text += "0123456789abcdef"[static_cast<unsigned>(words >> shift) & 15];
  return text;
}

std::optional<instruction> parsed(const std::string& line, std::string* reason = nullptr) {
  std::string label;
  decode_error error;
  auto i = parse(line, somewhere, label, error);
  if (reason != nullptr) *reason = error.reason;
  return i;
}

std::string reason_for(const std::string& line) {
  std::string reason;
  EXPECT_FALSE(parsed(line, &reason)) << line;
  return reason;
}

TEST(volta_codec, no_two_rows_match_the_same_words) {
  const std::vector<row>& rows = opcode_table();
  for (std::size_t a = 0; a < rows.size(); ++a)
    for (std::size_t b = a + 1; b < rows.size(); ++b)
      EXPECT_NE((rows[a].value ^ rows[b].value) & rows[a].mask & rows[b].mask, 0)
          << rows[a].name << " " << hex(rows[a].value) << ", " << rows[b].name << " " << hex(rows[b].value);
}

TEST(volta_codec, every_row_has_instructions_that_come_back_from_words_and_from_text) {
  std::set<const row*> seen;
  std::set<std::string> mnemonics;
  for (const auto& [words, from] : random_instructions(200)) {
    const auto i = decoded(words);
    ASSERT_TRUE(i);
    instruction again = *i;
    decode_error error;
    ASSERT_TRUE(encode(again, error)) << hex(words) << " " << disassemble(*i, somewhere) << ": " << error.reason;
    EXPECT_TRUE(same_operation(again, *i)) << hex(words) << " " << disassemble(*i, somewhere);
    const std::string line = control_text(i->codes) + " " + disassemble(*i, somewhere);
    std::string reason;
    const auto from_text = parsed(line, &reason);
    ASSERT_TRUE(from_text) << hex(words) << " " << line << ": " << reason;
    // The text of reuse belongs to registers; the bits of other sources have none.
    instruction expected = again;
    instruction found = *from_text;
    expected.codes.reuse = found.codes.reuse;
    EXPECT_TRUE(same_operation(found, expected)) << hex(words) << " " << hex(words_of(found.words)) << " " << line;
    EXPECT_EQ(control_text(found.codes) + " " + disassemble(found, somewhere), line) << hex(words);
    seen.insert(from);
    mnemonics.insert(from->name);
  }
  for (const row& r : opcode_table()) EXPECT_EQ(seen.count(&r), 1u) << r.name << " " << hex(r.value);
  EXPECT_EQ(mnemonics.size(), 84u);
}

TEST(volta_codec, fields_stand_where_the_sources_say) {
  struct example {
    const char* text;
    std::uint64_t high;  // without control codes
    std::uint64_t low;
  };
  constexpr example examples[] = {
      {"MOV R1, c[0x0][0x28]", 0x0000000000000f00, 0x00000a0000017a02},
      {"IADD3 R3, -R2, RZ, RZ", 0x0000000007ffe1ff, 0x000000ff02037210},
      {"IADD3.X R3, R5, c[0x0][0x164], RZ, P0, !PT", 0x00000000007fe4ff, 0x0000590005037a10},
      {"FFMA R0, -R2, R7, 1", 0x0000000000000107, 0x3f80000002007423},
      {"@!P0 ISETP.GE.AND P0, PT, R9, RZ, PT", 0x0000000003f06270, 0x000000ff0900820c},
      {"LDG.E.128.CONSTANT.SYS R16, [R24+-0x8000]", 0x00000000001e6d00, 0xff80000018107381},
      {"STS.64 [R15+-0x1000], R2", 0x0000000000000a00, 0xfff000020f007388},
      {"BAR.SYNC 0x0", 0x0000000000000000, 0x0000000000007b1d},
      {"SHFL.BFLY PT, R4, R7, 0x1, 0x1f", 0x00000000000e0000, 0x0c201f0007047f89},
      {"DFMA R16, -R16, 0.5, R2", 0x0000000000000102, 0x3fe000001010782b},
      {"F2I.FTZ.U32.TRUNC.NTZ R13, R16", 0x000000000021f000, 0x00000010000d7305},
      {"EXIT", 0x0000000003800000, 0x000000000000794d},
  };
  for (const example& e : examples) {
    const auto i = parsed("[B------:R-:W-:-:S00] " + std::string(e.text));
    ASSERT_TRUE(i) << e.text;
    const uint128 codes = uint128{encode_control(i->codes)} << 105;
    EXPECT_EQ(hex(words_of(i->words)), hex((uint128{e.high} << 64 | e.low) | codes)) << e.text;
    EXPECT_EQ(disassemble(*i, somewhere), e.text);
  }
}

TEST(volta_codec, control_codes_stand_in_bits105_to125) {
  const auto i = parsed("[B0----5:R1:W0:Y:S04] IADD3 R2, R3.reuse, R4, R5");
  ASSERT_TRUE(i);
  EXPECT_EQ(static_cast<std::uint32_t>(words_of(i->words) >> 105),
            4u | 0u << 4 | 0u << 5 | 1u << 8 | 0x21u << 11 | 1u << 17);
  EXPECT_EQ(i->codes.wait_mask, 0x21);
  EXPECT_TRUE(i->codes.yield);
  EXPECT_EQ(i->codes.read_barrier, 1);
  EXPECT_EQ(i->codes.write_barrier, 0);
  EXPECT_EQ(i->codes.stall_cycles, 4);
}

TEST(volta_codec, reuse_belongs_to_the_source_not_to_the_field) {
  EXPECT_EQ(parsed("[B------:R-:W-:-:S04] FFMA R0, R1, R2.reuse, c[0x0][0x160]")->codes.reuse, 2);
  EXPECT_EQ(parsed("[B------:R-:W-:-:S04] FFMA R0, R1.reuse, R2, R3.reuse")->codes.reuse, 5);
  EXPECT_EQ(parsed("[B------:R-:W-:-:S04] FADD R0, R1, R2.reuse")->codes.reuse, 4);
}

TEST(volta_codec, an_instruction_without_codes_waits_for_all_that_was_started_without_codes) {
  const auto load = parsed("LDG.E.SYS R2, [R4]");
  ASSERT_TRUE(load);
  EXPECT_EQ(control_text(load->codes), "[B01----:R1:W0:-:S02]");
  EXPECT_EQ(control_text(parsed("IADD3 R2, R2, R3, RZ")->codes), "[B01----:R-:W-:Y:S15]");
}

TEST(volta_codec, targets_count_from_the_next_instruction) {
  const auto back = parsed("BRA 0x4000");
  ASSERT_TRUE(back);
  EXPECT_EQ(back->target, -16);
  EXPECT_EQ(target_of(*back, somewhere), somewhere);
  EXPECT_EQ(disassemble(*back, somewhere), "BRA 0x4000");
  EXPECT_EQ(disassemble(*back), "BRA -0x10");
  const auto ahead = parsed("BSSY B3, 0x4100");
  ASSERT_TRUE(ahead);
  EXPECT_EQ(ahead->target, 0xf0);
  EXPECT_EQ(ahead->convergence_register, 3);
}

TEST(volta_codec, a_clock_of_64_bits_has_two_words) {
  EXPECT_EQ(parsed("CS2R R2, SR_CLOCKLO")->destination.words, 2);
  EXPECT_EQ(parsed("CS2R.32 R2, SR_CLOCKLO")->destination.words, 1);
}

TEST(volta_codec, shorter_and_aliased_text_means_the_same) {
  EXPECT_EQ(parsed("IMAD.MOV.U32 R3, RZ, RZ, R5")->words, parsed("IMAD.U32 R3, RZ, RZ, R5")->words);
  EXPECT_EQ(parsed("LDG.E.SYS R2,[R4 + 8] ;")->words, parsed("LDG.E.SYS R2, [R4+0x8]")->words);
  EXPECT_EQ(parsed("FADD R1, R2, 1.50")->words, parsed("FADD R1, R2, 0x3fc00000")->words);
}

TEST(volta_codec, what_is_not_supported_is_refused_by_name) {
  EXPECT_EQ(reason_for("HMMA.884.F32.F32.STEP0 R4, R36, R40, R4"), "HMMA is not supported");
  decode_error error;
  EXPECT_FALSE(decode(uint128{0x7236}, error));
  EXPECT_EQ(error.reason, "HMMA is not supported");
  EXPECT_EQ(reason_for("FROB R1, R2"), "unknown instruction 'FROB'");
  EXPECT_NE(reason_for("FADD R1, R2, UR4").find("'UR4' is no register"), std::string::npos);
  EXPECT_NE(reason_for("FADD R255, R2, R3").find("R0 .. R254"), std::string::npos);
  EXPECT_NE(reason_for("IADD3 R1, ~R2, R3, R4").find("only a minus"), std::string::npos);
  EXPECT_NE(reason_for("FFMA R1, R2, c[0x0][0x4], 1").find("a register is needed"), std::string::npos);
  EXPECT_NE(reason_for("LDG.E.SYS R2, [R4+0x800000]").find("does not fit"), std::string::npos);
  EXPECT_NE(reason_for("@P7 EXIT").find("guard"), std::string::npos);
  EXPECT_NE(reason_for("POPC R1, R2, R3").find("too much"), std::string::npos);
}

TEST(volta_codec, words_with_undefined_bits_are_refused) {
  decode_error error;
  const uint128 exit_words = words_of(parsed("EXIT")->words);
  EXPECT_TRUE(decode(exit_words, error));
  EXPECT_FALSE(decode(exit_words | uint128{1} << 127, error));
  EXPECT_NE(error.reason.find("no known meaning"), std::string::npos);
  EXPECT_FALSE(decode(uint128{0xfff}, error));
  EXPECT_NE(error.reason.find("no instruction has the words"), std::string::npos);
}

}  // namespace
}  // namespace gt200::isa::volta
