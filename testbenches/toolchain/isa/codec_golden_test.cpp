// Known words and their text. The words are output of NVIDIA's assembler for compute capability 1.0 and 1.1, except
// double precision, lock, vote and 64-bit atomics, which follow the encoding tables of docs/isa.md.
#include <gtest/gtest.h>

#include <ostream>
#include <vector>

#include "toolchain/isa/tesla/codec.h"

namespace gt200::isa::tesla {
namespace {

struct golden {
  std::uint32_t first;
  std::uint32_t second;
  const char* text;
};

const golden goldens[] = {
    // moves
    {0x1100e804, 0, "short mov b32 $r1 b32 s[0x10]"},
    {0x11002000, 0, "short mov b16 $r0l u16 s[0x0]"},
    {0x15004000, 0, "short mov b16 $r0l s16 s[$a1]"},
    {0x10018005, 0x00000003, "mov b32 $r1 0x1"},
    {0x10340001, 0x00000123, "mov b16 $r0l 0x1234"},
    {0x10002001, 0x0003c780, "mov b16 $r0l $r8l"},
    {0x1000060d, 0x0403c780, "mov b32 $r3 $r3"},
    {0x00000001, 0x60004780, "mov $r0 $clock"},
    {0x00000009, 0x20000780, "mov $r2 $c0"},
    {0x00000401, 0xa00007c0, "mov $c0 $r2"},
    {0x00040405, 0xc0000780, "shl $a1 $r2 0x4"},
    {0xd0011c05, 0x20000780, "add $a1 0x0 0x8e"},
    // integer
    {0x20000001, 0x04008780, "add b32 $r0 $r0 $r2"},
    {0x2104e809, 0x00000003, "add b32 $r2 b32 s[0x10] 0x4"},
    {0x20428810, 0, "short sub b32 $r4 $r4 $r2"},
    {0x21000001, 0x044007c0, "add b32 $c0 $r0 $r0 c1[0x0]"},
    {0x30000425, 0x04010780, "subr b32 $r9 $r2 $r4"},
    {0x3001cffd, 0x6c2107c8, "set $c0 # g s32 b32 s[0x1c] $r1"},
    {0x307c01fd, 0x6c0147c8, "set $c0 # lg s32 $r0 $r124"},
    {0x308015fd, 0x604147c8, "set $c0 # lg u16 $r5l c1[0x0]"},
    {0x30800001, 0xac400780, "min s32 $r0 $r0 c1[0x0]"},
    {0x300a0201, 0xe0100780, "shr u16 $r0l $r0h 0xa"},
    {0x30100409, 0xc4100780, "shl b32 $r2 $r2 0x10"},
    {0x40451214, 0, "short mul $r5 u24 $r9 $r5"},
    {0x40050c11, 0x00000780, "mul $r4 u16 $r3l u16 $r2h"},
    {0x40800001, 0x0041c780, "mul $r0 high s24 $r0 c1[0x0]"},
    {0x60840001, 0x60408780, "add $r0 (mul u24 $r0 c1[0x10]) $r2"},
    {0xd0030bfd, 0x040007e8, "and b32 $c2 # $r5 $r3"},
    {0xd0000001, 0x0402c780, "mov2 b32 $r0 $r0 not $r0"},
    // float
    {0xb000cc05, 0x08204780, "add rn f32 $r1 b32 s[0x18] neg $r1"},
    {0xc0001411, 0x04380003, "mul f32 $r4 $r10 0x43800000"},
    {0xe0820409, 0x04404780, "add f32 $r2 neg (mul $r2 c1[0x8]) $r1"},
    {0x90000008, 0, "short rcp f32 $r2 $r0"},
    {0x90000205, 0x80000780, "sin f32 $r1 $r1"},
    {0xb0000c09, 0xc0004780, "preex2 f32 $r2 $r6"},
    {0xe0000001, 0x40400780, "fma rm f64 $r0d $r0d $r0d $r0d"},
    {0xe00405fd, 0xe81247d8, "set $c1 # lu f64 abs $r2d neg $r4d"},
    {0xa0000809, 0x8c464780, "cvt rzi s64 $r2d f64 $r4d"},
    // conversion
    {0xa0000c25, 0x04000780, "cvt u32 $r9 u16 $r3l"},
    {0xa0000001, 0x44014780, "cvt rn f32 $r0 s32 $r0"},
    {0xa0000001, 0x8c064780, "cvt rzi s32 $r0 f32 $r0"},
    {0xa0000001, 0xc4084780, "cvt sat f32 $r0 f32 $r0"},
    {0xa0000409, 0x2c014780, "cvt neg s32 $r2 s32 $r2"},
    {0xa6000209, 0x08218780, "cvt s16 $r1l s8 u8 s[$a1++0x1]"},
    // memory
    {0xd00e0201, 0xa0c00781, "exit st b32 g14[$r1] $r0"},
    {0xd00e0201, 0x80c00780, "ld b32 $r0 g14[$r1]"},
    {0xd4000075, 0x60c00780, "st b32 l[$a1] $r29"},
    {0x1400540d, 0x24004780, "ld $r3 u16 c0[$a1+0x54]"},
    {0x16000201, 0x2400c780, "ld $r0 b32 c0[$a1++0x4]"},
    {0x04001001, 0xe4204780, "st b32 s[$a1+0x20] $r1"},
    {0x06000201, 0xe0400780, "st b8 s[$a1++0x1] $r0l"},
    {0x10000805, 0x4480c7c0, "ld lock $c0 $r1 b32 s[0x10]"},
    {0xd00e0001, 0xc0e00798, "red max s32 g14[$r0] $r0"},
    {0xd7030405, 0xe0c00780, "ld add u32 $r1 g14[$r2] $r3"},
    {0xd7040209, 0xe0800780, "ld add u64 $r2d g14[$r1] $r4d"},
    {0xd7030405, 0xe0c10788, "cas b32 $r1 g14[$r2] $r3 $r4"},
    {0xd00e0211, 0x80a00780, "ld b128 $r4q g14[$r1]"},
    {0x00000801, 0xe4a04780, "st unlock b32 s[0x10] $r1"},
    // texture and vote
    {0xf6440201, 0x01e04784, "texauto live $r0:$r1:$r2:# $t1 $s2 $r0:$r1 0x1 -0x2 0x0"},
    {0xf3000611, 0x00000780, "texfetch all $r4:#:#:# $t3 $s0 $r4 0x0 0x0 0x0"},
    {0x10000201, 0x600012c0, "(lg $c1) vote any $c0"},
    // control
    {0x10099003, 0x00000280, "(lg $c0) bra 0x4c8"},
    {0xa0194003, 0x00000000, "joinat 0xca0"},
    {0x30000003, 0x00000280, "(lg $c0) ret"},
    {0x861ffe03, 0x00000000, "bar inc wait 0x0 0xfff"},
    {0xf0000001, 0xe0000002, "join (never) nop"},
};

class codec_golden : public testing::TestWithParam<golden> {};

std::ostream& operator<<(std::ostream& out, const golden& g) { return out << g.text; }

TEST_P(codec_golden, words_disassemble_to_the_text) {
  decode_error error;
  const auto i = decode(GetParam().first, GetParam().second, error);
  ASSERT_TRUE(i) << error.reason;
  EXPECT_EQ(disassemble(*i), GetParam().text);
}

TEST_P(codec_golden, text_assembles_to_the_words) {
  std::string label;
  decode_error error;
  const auto i = parse(GetParam().text, label, error);
  ASSERT_TRUE(i) << error.reason;
  EXPECT_EQ(i->words[0], GetParam().first);
  EXPECT_EQ(i->words[1], GetParam().second);
  EXPECT_TRUE(label.empty());
}

INSTANTIATE_TEST_SUITE_P(codec, codec_golden, testing::ValuesIn(goldens));

// Programs of NVIDIA's assembler set rounding bits where nothing is rounded, and c[] space bits without a c[]
// operand.
TEST(codec_ignored_bits, mean_nothing_where_the_hardware_tests_show_no_effect) {
  const golden ignored[] = {
      {0xa0000001, 0xc4024780, "cvt f32 $r0 f32 $r0"},
      {0xa0000409, 0x2c074780, "cvt neg s32 $r2 s32 $r2"},
      {0xe0000001, 0x00400780, "add f32 $r0 (mul $r0 $r0) $r0"},
  };
  for (const golden& g : ignored) {
    decode_error error;
    const auto i = decode(g.first, g.second, error);
    ASSERT_TRUE(i) << g << ": " << error.reason;
    EXPECT_EQ(disassemble(*i), g.text);
    instruction again = *i;
    ASSERT_TRUE(encode(again, error, true)) << error.reason;
    EXPECT_TRUE(same_operation(*i, again));
    EXPECT_NE(again.words[1], g.second) << "written as zero";
  }
}

}  // namespace
}  // namespace gt200::isa::tesla
