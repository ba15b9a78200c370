// What the decoder fills in besides the operation: operands, derived fields, register ranges.
#include <gtest/gtest.h>

#include "toolchain/isa/tesla/codec.h"
#include "toolchain/isa/tesla/semantics/semantics.h"

namespace gt200::isa::tesla {
namespace {

instruction assembled(const std::string& text) {
  std::string label;
  decode_error error;
  const auto i = parse(text, label, error);
  if (!i) throw std::runtime_error(text + ": " + error.reason);
  return *i;
}

bool reads(const instruction& i, register_file_kind file, unsigned first, unsigned count) {
  for (int k = 0; k < i.read_count; ++k) {
    const register_range& r = i.reads[static_cast<std::size_t>(k)];
    if (r.file == file && r.first == first && r.count == count) return true;
  }
  return false;
}

bool writes(const instruction& i, register_file_kind file, unsigned first, unsigned count) {
  for (int k = 0; k < i.write_count; ++k) {
    const register_range& r = i.writes[static_cast<std::size_t>(k)];
    if (r.file == file && r.first == first && r.count == count) return true;
  }
  return false;
}

constexpr auto gpr = register_file_kind::gpr;
constexpr auto condition = register_file_kind::condition;
constexpr auto address = register_file_kind::address;

TEST(codec_fields, store_has_memory_operand_first_and_value_second) {
  const instruction i = assembled("exit st b32 g14[$r1] $r0");
  EXPECT_TRUE(i.exit);
  EXPECT_FALSE(i.predicated);
  EXPECT_EQ(i.op, opcode::st_global);
  EXPECT_EQ(i.unit, unit_class::memory);
  EXPECT_EQ(i.source[0].kind, operand_kind::global);
  EXPECT_EQ(i.source[0].index, 14);
  EXPECT_EQ(i.source[0].base, 1);
  EXPECT_EQ(i.source[1].kind, operand_kind::gpr);
  EXPECT_EQ(i.destination.kind, operand_kind::none);
  EXPECT_EQ(i.read_count, 2);
  EXPECT_TRUE(reads(i, gpr, 1, 1));
  EXPECT_TRUE(reads(i, gpr, 0, 1));
  EXPECT_EQ(i.write_count, 0);
  EXPECT_TRUE(i.ends_or_redirects());
}

TEST(codec_fields, wide_accesses_cover_register_pairs_and_quads) {
  EXPECT_TRUE(writes(assembled("ld b64 $r2d g14[$r1]"), gpr, 2, 2));
  EXPECT_TRUE(writes(assembled("ld b128 $r4q g14[$r1]"), gpr, 4, 4));
  EXPECT_TRUE(reads(assembled("st b128 l[0x10] $r8q"), gpr, 8, 4));
  EXPECT_TRUE(reads(assembled("fma rn f64 $r0d $r2d $r4d $r6d"), gpr, 6, 2));
}

TEST(codec_fields, a_register_half_counts_as_the_whole_register) {
  const instruction i = assembled("mul $r4 u16 $r3l s16 $r2h");
  EXPECT_TRUE(reads(i, gpr, 3, 1));
  EXPECT_TRUE(reads(i, gpr, 2, 1));
  EXPECT_EQ(i.source[0].part, half::low);
  EXPECT_EQ(i.source[0].type, data_type::u16);
  EXPECT_EQ(i.source[1].part, half::high);
  EXPECT_EQ(i.source[1].type, data_type::s16);
  EXPECT_FALSE(i.source_signed[0]);
  EXPECT_TRUE(i.source_signed[1]);
}

TEST(codec_fields, predicate_carry_and_flag_output_use_condition_registers) {
  const instruction branch = assembled("(lg $c1) bra 0x40");
  EXPECT_TRUE(branch.predicated);
  EXPECT_EQ(branch.condition, 5);
  EXPECT_EQ(branch.target, 0x40u);
  EXPECT_EQ(branch.control, control_kind::bra);
  EXPECT_TRUE(reads(branch, condition, 1, 1));

  const instruction carry = assembled("addc b32 $c2 $r1 $r2 $r3 $c3");
  EXPECT_FALSE(carry.predicated);
  EXPECT_TRUE(reads(carry, condition, 3, 1));
  EXPECT_TRUE(writes(carry, condition, 2, 1));

  const instruction test = assembled("set $c0 # lg s32 $r1 $r124");
  EXPECT_EQ(test.destination.kind, operand_kind::discard);
  EXPECT_EQ(test.write_count, 1);
  EXPECT_TRUE(reads(test, gpr, 124, 1));
}

TEST(codec_fields, the_predicate_of_a_vote_is_its_input) {
  const instruction i = assembled("(lg $c1) vote any $c0");
  EXPECT_FALSE(i.predicated);
  EXPECT_TRUE(i.reads_condition);
  EXPECT_TRUE(reads(i, condition, 1, 1));
  EXPECT_EQ(i.capability, 12);
}

TEST(codec_fields, memory_operands_use_their_address_register) {
  const instruction i = assembled("add b32 $r1 u8 s[$a2++0x3] c1[0x10]");
  EXPECT_TRUE(i.reads_shared);
  EXPECT_TRUE(i.reads_constant);
  EXPECT_EQ(i.source[0].type, data_type::u8);
  EXPECT_EQ(i.source[0].value, 3);
  EXPECT_EQ(i.source[1].index, 1);
  EXPECT_EQ(i.source[1].value, 0x10);
  EXPECT_TRUE(reads(i, address, 2, 1));
  EXPECT_TRUE(writes(i, address, 2, 1));
  EXPECT_FALSE(assembled("add b32 $r1 $r2 $r3").reads_shared);
}

TEST(codec_fields, constant_offsets_scale_with_the_operand_width) {
  decode_error error;
  const auto narrow = decode(0x40850001, 0x00000780, error);  // mul u16 u16 c0, field 5
  ASSERT_TRUE(narrow) << error.reason;
  EXPECT_EQ(narrow->source[1].value, 10);
  const auto wide = decode(0x40850001, 0x00010780, error);  // mul u24 c0, field 5
  ASSERT_TRUE(wide) << error.reason;
  EXPECT_EQ(wide->source[1].value, 20);
}

TEST(codec_fields, texture_reads_coordinates_and_writes_the_masked_components) {
  const instruction i = assembled("texauto live $r4:#:$r5:# $t1 $s2 $r4:$r5:$r6 0x0 0x0 0x0");
  EXPECT_EQ(i.unit, unit_class::texture);
  EXPECT_EQ(i.texture_arguments, 3);
  EXPECT_EQ(i.texture_write_mask, 0x5);
  EXPECT_TRUE(reads(i, gpr, 4, 3));
  EXPECT_TRUE(writes(i, gpr, 4, 2));
}

TEST(codec_fields, units_follow_the_operation) {
  EXPECT_EQ(assembled("mul rn f32 $r1 $r2 $r3").unit, unit_class::sp_mul);
  EXPECT_EQ(assembled("add f32 $r1 (mul $r2 $r3) $r4").unit, unit_class::sp);
  for (const char* move :
       {"mov b32 $r1 b32 s[0x10]", "short mov b32 $r1 u16 s[0x2]", "mov b32 $r1 b32 s[$a1+0x10]"})
    EXPECT_EQ(assembled(move).unit, unit_class::shared_move) << move;
  for (const char* other : {"mov b32 $r1 $r2", "mov b32 $r1 0x7", "add b32 $r1 b32 s[0x10] $r2"})
    EXPECT_EQ(assembled(other).unit, unit_class::sp) << other;
  EXPECT_EQ(assembled("rsqrt f32 $r1 $r2").unit, unit_class::sfu);
  for (const char* reduced : {"sin f32 $r1 $r2", "cos f32 $r1 $r2", "ex2 f32 $r1 $r2"})
    EXPECT_EQ(assembled(reduced).unit, unit_class::sfu_reduced) << reduced;
  EXPECT_EQ(assembled("presin f32 $r1 $r2").unit, unit_class::sp);
  EXPECT_EQ(assembled("cvt rn f32 $r1 f64 $r2d").unit, unit_class::dp);
  EXPECT_EQ(assembled("ld $r1 b32 s[0x10]").unit, unit_class::shared);
  EXPECT_EQ(assembled("ld $r1 b32 c0[0x10]").unit, unit_class::constant);
  EXPECT_EQ(assembled("bar inc wait 0x3 0xfff").unit, unit_class::barrier);
}

TEST(codec_fields, capability_counts_the_operation_and_its_modifiers) {
  EXPECT_EQ(assembled("add b32 $r1 $r2 $r3").capability, 10);
  EXPECT_EQ(assembled("red add u32 g14[$r1] $r2").capability, 11);
  EXPECT_EQ(assembled("ld add u64 $r2d g14[$r1] $r4d").capability, 12);
  EXPECT_EQ(assembled("mul sat rn f32 $r1 $r2 $r3").capability, 12);
  EXPECT_EQ(assembled("add rn f64 $r0d $r2d $r4d").capability, 13);
}

TEST(codec_fields, arithmetic_carries_its_semantics_and_memory_does_not) {
  const instruction sum = assembled("add b32 $r1 $r2 $r3");
  EXPECT_NE(sum.execute, nullptr);
  EXPECT_EQ(sum.execute, semantics_for(sum));
  EXPECT_EQ(assembled("ld b32 $r1 g14[$r2]").execute, nullptr);
}

}  // namespace
}  // namespace gt200::isa::tesla
