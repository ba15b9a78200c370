// Words and lines that are refused, with the reasons.
#include <gtest/gtest.h>

#include <ostream>

#include "toolchain/isa/tesla/codec.h"

namespace gt200::isa::tesla {
namespace {

struct bad_line {
  const char* line;
  const char* reason;  // part of it
};
std::ostream& operator<<(std::ostream& out, const bad_line& b) { return out << b.line; }

const bad_line bad_lines[] = {
    {"", "an instruction is expected"},
    {"frob $r1", "unknown instruction 'frob'"},
    {"mov b32 $r1", "operand expected"},
    {"mov b32 $r200 $r1", "not '$r200'"},
    {"mov b32 $r1l $r2", "'$r1l' has the wrong width"},
    {"mov b16 $r70l $r2l", "register half does not fit"},
    {"add b32 $r70 $r1 0x5", "register number does not fit: 70 is above 63"},
    {"add b32 $r7 $r1 s[0x10]", "not 's[0x10]'"},
    {"add b32 $r7 $r1 b32 s[0x10]", "not 'b32': s[] can only be the first source"},
    {"add b32 $r7 s[0x10] $r1", "not 's[0x10]': write how it is read in front of s[], one of u8 u16 s16 b32"},
    {"add b32 $r7 c0[0x0] $r1", "c[] can only be the second or third source"},
    {"add b32 $r7 g14[$r1] $r1", "load it with ld first"},
    {"add b32 $r7 b32 s[0x100] $r1", "s[] offset 256 is not in 0..124"},
    {"add b32 $r7 b32 s[0x6] $r1", "s[] offset 6 is not a non-negative multiple of 4"},
    {"add b32 $r7 b32 s[0x10] c0[$a1+0x10]", "$a can apply to one memory operand only"},
    {"add b32 $r1 $r2 $r3 $r4", "'$r4' is too much"},
    {"add b16 $r1l b32 s[0x10] $r2l", "16-bit source cannot be a 32-bit s[] access"},
    {"add b32 $r1 $r2 0x100000000", "operand expected"},
    {"ld b64 $r1d g14[$r2]", "must start at an even number"},
    {"ld b64 $r2 g14[$r4]", "64 bits"},
    {"ld b32 $r2 g16[$r4]", "memory operand expected"},
    {"ld $r2 b32 s[$a5]", "memory operand expected"},
    {"bra 0x3", "no code address"},
    {"bra 0x2000000", "no code address"},
    {"exit bra 0x10", "no encoding"},
    {"(ne $c0) bra 0x10", "unknown condition 'ne'; integers: l e le g lg ge"},
    {"(lg $c9) bra 0x10", "$c0..$c3"},
    {"(lg $c0 bra 0x10", "')' expected"},
    {"(lg $c1) addc b32 $r1 $r2 $r3 $c0", "same $c register"},
    {"short bra 0x10", "no instruction 'bra' has a short form"},
    {"short add b32 $r1 $r70 $r3", "register number does not fit"},
    {"short add f32 $r1 (mul $r2 $r3) $r4", "differs from it"},
    {"texauto live $r0:#:#:# $t0 $s0 $r4:$r5 0x0 0x0 0x0", "coordinates start at the first destination"},
    {"texauto live $r0:$r2:#:# $t0 $s0 $r0 0x0 0x0 0x0", "consecutive registers"},
    {"bar inc wait 0x10 0xfff", "number from 0 to 15"},
    {"bar inc wait 0x0 0x1f", "the meaning of a mask other than 0xfff is not known"},
    {"vote any", "$c<number>"},
    {"add f32 $r1 $r1 $r1", "add: the rounding is missing in front of 'f32', such as rn or rz"},
    {"(lg $c0) mul sat f32 $r1 $r1 $r2", "mul: the rounding is missing in front of 'f32'"},
    {"add f32 $r1 $r1 $r200", "not '$r200'"},
};

class codec_refuses_line : public testing::TestWithParam<bad_line> {};

TEST_P(codec_refuses_line, with_the_reason) {
  std::string label;
  decode_error error;
  EXPECT_FALSE(parse(GetParam().line, label, error));
  EXPECT_NE(error.reason.find(GetParam().reason), std::string::npos) << error.reason;
}

INSTANTIATE_TEST_SUITE_P(codec, codec_refuses_line, testing::ValuesIn(bad_lines));

struct bad_words {
  std::uint32_t first;
  std::uint32_t second;
  const char* reason;
};
std::ostream& operator<<(std::ostream& out, const bad_words& b) {
  return out << std::hex << b.first << ' ' << b.second;
}

const bad_words bad_word_list[] = {
    {0xe0000003, 0x00000000, "no instruction"},
    {0x10000003, 0x00000a00, "predicate condition 20 is undefined"},
    {0x20000001, 0x04000788, "output registers"},  // destination o[0]
    {0x21800001, 0x04200780, "no known meaning"},  // source 2 and 3 as c[]: graphics only
    {0xe1800001, 0x00000780, "only one source can be c[]"},
    {0x1200c801, 0x0423c780, "post-increment needs an address register"},
    {0x1800c801, 0x0423c784, "$a6 does not exist"},
    {0xd00e0005, 0x80800780, "must start at an even number"},
    {0xb0010001, 0x00000780, "undefined value 1"},  // f32 add has two rounding modes only
};

class codec_refuses_words : public testing::TestWithParam<bad_words> {};

TEST_P(codec_refuses_words, with_the_reason) {
  decode_error error;
  EXPECT_FALSE(decode(GetParam().first, GetParam().second, error));
  EXPECT_NE(error.reason.find(GetParam().reason), std::string::npos) << error.reason;
}

INSTANTIATE_TEST_SUITE_P(codec, codec_refuses_words, testing::ValuesIn(bad_word_list));

TEST(codec_errors, random_lines_are_refused_without_crash) {
  const char* const pieces[] = {"add",  "ld",       "b32",      "$r1", "$r2l", "(",       "mul",
                                ")",    "s[0x10]",  "c0[$a1++", "]",   "0x5",  "$r0:$r1", "g14[",
                                "exit", "(lg $c0)", "bra",      "foo", "#",    "-"};
  std::uint32_t state = 1;
  const auto next = [&state] { return (state = state * 1664525u + 1013904223u) >> 16; };
  int refused = 0;
  for (int k = 0; k < 2000; ++k) {
    std::string line;
    for (std::uint32_t n = 1 + next() % 8; n != 0; --n) line += std::string(pieces[next() % 20]) + " ";
    std::string label;
    decode_error error;
    if (!parse(line, label, error)) {
      EXPECT_FALSE(error.reason.empty()) << line;
      ++refused;
    }
  }
  EXPECT_GT(refused, 1900);
}

}  // namespace
}  // namespace gt200::isa::tesla
