// words -> instruction -> words, and words -> text -> words, over random instructions of every row of the table.
#include <gtest/gtest.h>

#include <random>
#include <set>

#include "testbenches/toolchain/isa/random_encodings.h"
#include "toolchain/isa/tesla/codec.h"
#include "toolchain/isa/tesla/opcode_table.h"

namespace gt200::isa::tesla {
namespace {

class codec_roundtrip : public testing::Test {
 protected:
  static const std::vector<encoded>& instructions() {
    static const std::vector<encoded> all = random_instructions(12);
    return all;
  }
};

TEST_F(codec_roundtrip, every_row_decodes_its_plain_words) {
  for (const row& r : opcode_table()) {
    const auto i = decoded(plain_words(r));
    ASSERT_TRUE(i) << r.mnemonic << std::hex << " 0x" << r.value[0] << " 0x" << r.value[1];
    EXPECT_EQ(i->op, r.op);
    EXPECT_EQ(i->length, is_short(r.format) ? 4 : 8);
  }
}

TEST_F(codec_roundtrip, every_operation_has_a_row) {
  std::set<opcode> operations;
  for (const row& r : opcode_table()) operations.insert(r.op);
  EXPECT_EQ(operations.size(), static_cast<std::size_t>(opcode::count_));
}

TEST_F(codec_roundtrip, all_that_computes_has_a_semantics_function) {
  const std::set<unit_class> computing = {unit_class::sp,  unit_class::sp_mul,      unit_class::shared_move,
                                          unit_class::sfu, unit_class::sfu_reduced, unit_class::constant,
                                          unit_class::dp};
  for (const encoded& e : instructions()) {
    const auto i = decoded(e.words);
    ASSERT_TRUE(i);
    EXPECT_EQ(i->execute != nullptr, computing.count(i->unit) != 0) << disassemble(*i);
  }
}

TEST_F(codec_roundtrip, no_two_rows_of_a_format_match_the_same_words) {
  const auto overlap = [](const row& a, const row& b) {
    for (int k = 0; k < 2; ++k) {
      if (((a.value[k] ^ b.value[k]) & a.mask[k] & b.mask[k]) != 0) return false;
    }
    return true;
  };
  const std::vector<row>& rows = opcode_table();
  for (std::size_t a = 0; a < rows.size(); ++a) {
    for (std::size_t b = a + 1; b < rows.size(); ++b) {
      if (rows[a].format != rows[b].format) continue;
      EXPECT_FALSE(overlap(rows[a], rows[b]))
          << rows[a].mnemonic << " row " << a << ", " << rows[b].mnemonic << " row " << b;
    }
  }
}

TEST_F(codec_roundtrip, encoding_a_decoded_instruction_gives_the_same_operation) {
  ASSERT_GT(instructions().size(), 3000u);
  for (const encoded& e : instructions()) {
    const auto before = decoded(e.words);
    ASSERT_TRUE(before);
    instruction again = *before;
    decode_error error;
    ASSERT_TRUE(encode(again, error, before->length == 8)) << disassemble(*before) << ": " << error.reason;
    EXPECT_TRUE(same_operation(*before, again)) << disassemble(*before) << " became " << disassemble(again);
    EXPECT_EQ(again.length, before->length);
    EXPECT_EQ(again.execute, before->execute);
  }
}

TEST_F(codec_roundtrip, text_reassembles_to_the_words_the_encoder_chooses) {
  for (const encoded& e : instructions()) {
    const auto before = decoded(e.words);
    instruction canonical = *before;
    decode_error error;
    ASSERT_TRUE(encode(canonical, error, before->length == 8)) << error.reason;
    const std::string text = disassemble(*before);
    std::string label;
    const auto after = parse(text, label, error);
    ASSERT_TRUE(after) << text << ": " << error.reason;
    EXPECT_EQ(joined(after->words.data()), joined(canonical.words.data())) << text;
    EXPECT_EQ(disassemble(*after), text);
  }
}

TEST_F(codec_roundtrip, every_short_instruction_has_a_long_form) {
  int seen = 0;
  for (const encoded& e : instructions()) {
    if (!is_short(e.from->format)) continue;
    const auto before = decoded(e.words);
    instruction wide = *before;
    decode_error error;
    ASSERT_TRUE(encode(wide, error, true)) << disassemble(*before) << ": " << error.reason;
    EXPECT_EQ(wide.length, 8);
    EXPECT_TRUE(same_operation(*before, wide));
    ++seen;
  }
  EXPECT_GT(seen, 100);
}

TEST_F(codec_roundtrip, without_force_long_the_short_form_is_taken_where_it_exists) {
  std::string label;
  decode_error error;
  auto i = parse("add b32 $r1 $r2 $r3", label, error);
  ASSERT_TRUE(i) << error.reason;
  EXPECT_EQ(i->length, 8);
  ASSERT_TRUE(encode(*i, error)) << error.reason;
  EXPECT_EQ(i->length, 4);
  EXPECT_EQ(disassemble(*i), "short add b32 $r1 $r2 $r3");

  auto high = parse("add b32 $r70 $r2 $r3", label, error);
  ASSERT_TRUE(high) << error.reason;
  ASSERT_TRUE(encode(*high, error)) << error.reason;
  EXPECT_EQ(high->length, 8);
}

TEST_F(codec_roundtrip, a_branch_target_can_be_a_label_and_be_filled_in_later) {
  std::string label;
  decode_error error;
  auto i = parse("(e $c2) bra loop_end", label, error);
  ASSERT_TRUE(i) << error.reason;
  EXPECT_EQ(label, "loop_end");
  i->target = 0x4c8;
  ASSERT_TRUE(encode(*i, error, true)) << error.reason;
  EXPECT_EQ(disassemble(*i), "(e $c2) bra 0x4c8");
  EXPECT_EQ(disassemble(*i, label), "(e $c2) bra loop_end");
}

TEST_F(codec_roundtrip, any_million_words_decode_or_are_refused_with_a_reason) {
  std::mt19937_64 random(1);
  int accepted = 0;
  for (int k = 0; k < 1000000; ++k) {
    const std::uint64_t words = random();
    decode_error error;
    const auto i = decode(static_cast<std::uint32_t>(words), static_cast<std::uint32_t>(words >> 32), error);
    if (!i) {
      ASSERT_FALSE(error.reason.empty());
      continue;
    }
    ++accepted;
    instruction again = *i;
    ASSERT_TRUE(encode(again, error, i->length == 8)) << disassemble(*i) << ": " << error.reason;
    ASSERT_TRUE(same_operation(*i, again)) << disassemble(*i);
  }
  EXPECT_GT(accepted, 1000);
}

}  // namespace
}  // namespace gt200::isa::tesla
