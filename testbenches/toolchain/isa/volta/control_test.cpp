// Control codes as text, and the control words of Kepler, Maxwell and Pascal.
#include <gtest/gtest.h>

#include <random>

#include "toolchain/isa/volta/control_codes.h"
#include "toolchain/isa/volta/control_words.h"

namespace gt200::isa::volta {
namespace {

TEST(control_codes, every_defined_value_comes_back_from_its_text) {
  for (std::uint32_t bits = 0; bits < 1u << 17; ++bits) {
    const control_codes codes = decode_control(bits);
    EXPECT_EQ(encode_control(codes), bits);
    if (!is_defined(codes)) continue;
    std::string reason;
    const auto again = parse_control(control_text(codes), reason);
    ASSERT_TRUE(again) << control_text(codes) << reason;
    ASSERT_EQ(encode_control(*again), bits) << control_text(codes);
  }
}

TEST(control_codes, the_form_is_checked) {
  const auto reason_for = [](const char* text) {
    std::string reason;
    EXPECT_FALSE(parse_control(text, reason)) << text;
    return reason;
  };
  EXPECT_NE(reason_for("[B------:R-:W-:-:S4]").find("they have 21 characters"), std::string::npos);
  EXPECT_NE(reason_for("[B1-----:R-:W-:-:S04]").find("place 0 behind B is 0 or -"), std::string::npos);
  EXPECT_NE(reason_for("[B------:R6:W-:-:S04]").find("behind R"), std::string::npos);
  EXPECT_NE(reason_for("[B------:R-:W7:-:S04]").find("behind W"), std::string::npos);
  EXPECT_NE(reason_for("[B------:R-:W-:X:S04]").find("Y or -"), std::string::npos);
  EXPECT_NE(reason_for("[B------:R-:W-:-:S16]").find("00 to 15"), std::string::npos);
  EXPECT_NE(reason_for("[B------;R-:W-:-:S04]").find("':' expected instead of ';'"), std::string::npos);
}

// The example of the literature: a control word of Maxwell before three instructions.
TEST(control_words, the_example_of_maxwell_reads_as_documented) {
  const auto codes = decode_maxwell_word(0x000f8800fe2007f1);
  EXPECT_EQ(codes[0].stall_cycles, 1);
  EXPECT_EQ(codes[1].stall_cycles, 1);
  EXPECT_EQ(codes[2].stall_cycles, 2);
  for (const control_codes& c : codes) EXPECT_EQ(c.write_barrier, control_codes::no_barrier);
  EXPECT_EQ(codes[0].read_barrier, control_codes::no_barrier);
  EXPECT_EQ(codes[1].read_barrier, control_codes::no_barrier);
  EXPECT_EQ(codes[2].read_barrier, 3);
  EXPECT_EQ(control_text(codes[2]), "[B------:R3:W-:Y:S02]");
  EXPECT_EQ(mnemonic_of(0xeed4a00010055642, 52), "LDG");
  EXPECT_EQ(mnemonic_of(0x5c9807800ffd0042, 52), "MOV");
  EXPECT_EQ(mnemonic_of(0xeed4a00018065643, 52), "LDG");
}

TEST(control_words, words_come_back) {
  std::mt19937_64 random(52);
  for (int k = 0; k < 10000; ++k) {
    const std::uint64_t maxwell = random() >> 1;
    EXPECT_EQ(encode_maxwell_word(decode_maxwell_word(maxwell)), maxwell);
    const std::uint64_t sm_35 = (random() & 0x03fffffffffffffc) | 0x0800000000000000;
    const auto codes = decode_kepler_word(sm_35, 35);
    ASSERT_TRUE(codes);
    EXPECT_EQ(encode_kepler_word(*codes, 35), sm_35);
    const std::uint64_t sm_30 = (random() & 0x0ffffffffffffff0) | 0x2000000000000007;
    const auto first = decode_kepler_word(sm_30, 30);
    ASSERT_TRUE(first);
    EXPECT_EQ(encode_kepler_word(*first, 30), sm_30);
  }
  EXPECT_FALSE(decode_kepler_word(0x1800000000000000, 35));
  EXPECT_FALSE(decode_kepler_word(0x2000000000000004, 30));
}

TEST(control_words, a_byte_of_kepler_is_a_stall_or_one_of_few_others) {
  EXPECT_EQ(kepler_text(decode_kepler_code(0x28)), "[S09]");
  EXPECT_EQ(kepler_text(decode_kepler_code(0x3f)), "[S32]");
  EXPECT_EQ(kepler_text(decode_kepler_code(0x44)), "[attribute S05]");
  EXPECT_EQ(kepler_text(decode_kepler_code(0x04)), "[dual]");
  EXPECT_EQ(kepler_text(decode_kepler_code(0x00)), "[-]");
  EXPECT_EQ(kepler_text(decode_kepler_code(0xc2)), "[texture barrier]");
  EXPECT_EQ(kepler_text(decode_kepler_code(0x02)), "[0x02]");
}

TEST(control_words, groups_have_seven_or_three_instructions) {
  EXPECT_EQ(instructions_per_control_word(21), 0u);
  EXPECT_EQ(instructions_per_control_word(30), 7u);
  EXPECT_EQ(instructions_per_control_word(37), 7u);
  EXPECT_EQ(instructions_per_control_word(50), 3u);
  EXPECT_EQ(instructions_per_control_word(62), 3u);
  EXPECT_EQ(instructions_per_control_word(70), 0u);
}

TEST(control_words, names_of_kepler_come_from_their_bits) {
  EXPECT_EQ(mnemonic_of(0x1800000000000000, 35), "EXIT");
  EXPECT_EQ(mnemonic_of(0x22c0000000000002, 35), "FADD");
  EXPECT_EQ(mnemonic_of(0xc000000000000000, 35), "LD");
  EXPECT_EQ(mnemonic_of(0x7a40000000000002, 35), "LDS");
  EXPECT_EQ(mnemonic_of(0x8000000000001de7, 30), "EXIT");
  EXPECT_EQ(mnemonic_of(0x0000000000000003, 35), "?");
}

}  // namespace
}  // namespace gt200::isa::volta
