// sm_20: words -> instruction -> words, and words -> text -> words, over random instructions of every row of the
// table; some instructions whose words and text are known from public listings; what is refused.
#include <gtest/gtest.h>

#include <set>

#include "testbenches/toolchain/isa/fermi/random_encodings.h"
#include "toolchain/isa/fermi/semantics/semantics.h"

namespace gt200::isa::fermi {
namespace {

constexpr code_address somewhere = 0x4000000;

class fermi_codec : public testing::Test {
 protected:
  static const std::vector<encoded>& instructions() {
    static const std::vector<encoded> all = random_instructions(8);
    return all;
  }
};

TEST_F(fermi_codec, every_row_has_words_that_decode_to_its_operation) {
  std::set<const row*> seen;
  for (const encoded& e : instructions()) {
    const auto i = decoded(e.words);
    ASSERT_TRUE(i) << e.from->name;
    EXPECT_EQ(i->op, e.from->op) << e.from->name;
    EXPECT_EQ(i->length, 8);
    seen.insert(e.from);
  }
  EXPECT_EQ(seen.size(), opcode_table().size());
}

TEST_F(fermi_codec, every_operation_has_a_row) {
  std::set<opcode> operations;
  for (const row& r : opcode_table()) operations.insert(r.op);
  EXPECT_EQ(operations.size(), static_cast<std::size_t>(opcode::count_));
}

TEST_F(fermi_codec, no_two_rows_match_the_same_words) {
  const std::vector<row>& rows = opcode_table();
  for (std::size_t a = 0; a < rows.size(); ++a)
    for (std::size_t b = a + 1; b < rows.size(); ++b)
      EXPECT_NE((rows[a].value ^ rows[b].value) & rows[a].mask & rows[b].mask, 0u)
          << rows[a].name << " row " << a << ", " << rows[b].name << " row " << b;
}

TEST_F(fermi_codec, all_that_computes_has_a_semantics_function) {
  const std::set<unit_class> computing = {unit_class::sp, unit_class::sp_half, unit_class::constant,
                                          unit_class::sfu, unit_class::dp};
  for (const encoded& e : instructions()) {
    const auto i = decoded(e.words);
    ASSERT_TRUE(i);
    if (!is_executable(*i)) continue;
    EXPECT_EQ(i->execute != nullptr, computing.count(i->unit) != 0) << disassemble(*i);
  }
}

// The guard of a control instruction that ignores it is written as zero.
std::uint64_t without_ignored_guard(const encoded& e) {
  return e.from->format == encoding_format::control_plain ? e.words & ~std::uint64_t{0x3c00} : e.words;
}

TEST_F(fermi_codec, a_decoded_instruction_encodes_bit_for_bit) {
  for (const encoded& e : instructions()) {
    const auto before = decoded(e.words);
    ASSERT_TRUE(before);
    instruction again = *before;
    again.words = {};
    decode_error error;
    ASSERT_TRUE(encode(again, error)) << disassemble(*before) << ": " << error.reason;
    EXPECT_EQ(words_of(again.words), without_ignored_guard(e)) << disassemble(*before);
    EXPECT_TRUE(same_operation(*before, again)) << disassemble(*before);
  }
}

TEST_F(fermi_codec, text_assembles_to_the_same_words) {
  for (const encoded& e : instructions()) {
    const auto before = decoded(e.words);
    ASSERT_TRUE(before);
    for (const std::string& text : {disassemble(*before, somewhere), disassemble(*before)}) {
      std::string label;
      decode_error error;
      const auto again = parse(text, somewhere, label, error);
      ASSERT_TRUE(again) << text << ": " << error.reason;
      EXPECT_TRUE(label.empty()) << text;
      EXPECT_EQ(words_of(again->words), without_ignored_guard(e)) << text;
    }
  }
}

TEST_F(fermi_codec, registers_of_the_lists_lie_in_their_files) {
  for (const encoded& e : instructions()) {
    const auto i = decoded(e.words);
    ASSERT_TRUE(i);
    for (unsigned k = 0; k < i->operand_count; ++k)
      EXPECT_LE(i->operands[k].first + 1u, i->operands[k].file == register_file_kind::gpr ? max_gpr : 8u)
          << disassemble(*i);
    for (unsigned k = 0; k < i->result_count; ++k)
      EXPECT_LE(i->results[k].first + 1u, i->results[k].file == register_file_kind::gpr ? max_gpr : 8u)
          << disassemble(*i);
  }
}

struct known {
  std::uint64_t words;
  const char* text;
};
// Words as public listings of sm_20 code show them, with the text that the table gives.
constexpr known known_instructions[] = {
    {0x2800440400005de4, "mov b32 $r1 c1[0x100]"},
    {0x2c00000084009c04, "mov b32 $r2 $tidx"},
    {0x6000c00008311e03, "shl b32 $r4 $r3 wrap 0x2"},
    {0x188ec0000431dc23, "set $p0 $p7 lt s32 $r3 0x1"},
    {0x4800400080401c03, "add b32 $r0 $r4 c0[0x20]"},
    {0x8000000000009c85, "ld b32 $r2 ca g[$r0]"},
    {0xc103fffff0416085, "(not $p0) ld b32 $r5 s[$r4-0x4]"},
    {0x4800000008009d03, "sub b32 $r2 $r0 $r2"},
    {0x9000000000301c85, "st b32 wb g[$r3] $r0"},
    {0x8000000000001de7, "exit"},
    {0x400040008030dc43, "add b32 $r3 (shl $r3 0x2) c0[0x20]"},
    {0xc20ae0061c615c04, "vadd add u32 $r5 u32 $r6 u32 $r7 $r5"},
    {0x50ee0000ffffdc04, "bar popc $p7 $r63 $r63 $r63 $p7"},
    {0x40000000000021f4, "join (not $p0) nop"},
    {0x180000040000dde2, "long mov b32 $r3 0x100"},
};

TEST_F(fermi_codec, known_words_have_their_text) {
  for (const known& k : known_instructions) {
    const auto i = decoded(k.words);
    ASSERT_TRUE(i) << std::hex << k.words;
    EXPECT_EQ(disassemble(*i), k.text);
  }
}

TEST_F(fermi_codec, targets_are_relative_to_the_next_instruction) {
  std::string label;
  decode_error error;
  const auto back = parse("$p0 bra 0x80", 0xd0, label, error);
  ASSERT_TRUE(back) << error.reason;
  EXPECT_EQ(words_of(back->words), 0x4003fffea00001e7u);
  EXPECT_EQ(target_of(*back, 0xd0), 0x80u);
  EXPECT_EQ(disassemble(*back, 0xd0), "$p0 bra 0x80");
  EXPECT_EQ(disassemble(*back, 0xd0, "loop"), "$p0 bra loop");
  EXPECT_EQ(disassemble(*back), "$p0 bra -0x58");
  const auto named = parse("joinat end", 0, label, error);
  ASSERT_TRUE(named) << error.reason;
  EXPECT_EQ(label, "end");
}

TEST_F(fermi_codec, the_short_form_is_taken_unless_long_is_asked_for) {
  std::string label;
  decode_error error;
  const auto small = parse("mov b32 $r3 0x1", 0, label, error);
  ASSERT_TRUE(small);
  EXPECT_EQ(words_of(small->words) & 7, 4u);
  const auto asked = parse("long mov b32 $r3 0x1", 0, label, error);
  ASSERT_TRUE(asked);
  EXPECT_EQ(words_of(asked->words) & 7, 2u);
  const auto large = parse("mov b32 $r3 0x12345678", 0, label, error);
  ASSERT_TRUE(large);
  EXPECT_EQ(disassemble(*large), "long mov b32 $r3 0x12345678");
}

std::string refusal_of(const std::string& text) {
  std::string label;
  decode_error error;
  return parse(text, 0, label, error) ? "accepted" : error.reason;
}

TEST_F(fermi_codec, errors_name_the_operation_and_what_is_wrong) {
  EXPECT_EQ(refusal_of("frobnicate $r0"), "unknown instruction 'frobnicate'");
  EXPECT_NE(refusal_of("add b32 $r64 $r1 $r2").find("$r63 expected instead of '$r64'"), std::string::npos)
      << refusal_of("add b32 $r64 $r1 $r2");
  EXPECT_NE(refusal_of("add b32 $r0 $r1 c0[0x21]").find("multiple of 4"), std::string::npos)
      << refusal_of("add b32 $r0 $r1 c0[0x21]");
  EXPECT_NE(refusal_of("exit now").find("'now' is too much"), std::string::npos) << refusal_of("exit now");
  decode_error error;
  EXPECT_FALSE(decode(0x8, error));
  EXPECT_NE(error.reason.find("4-byte form"), std::string::npos) << error.reason;
  EXPECT_FALSE(decode(0x4000000000101de4, error));
  EXPECT_NE(error.reason.find("no known meaning"), std::string::npos) << error.reason;
}

TEST_F(fermi_codec, surfaces_are_refused_by_name) {
  EXPECT_EQ(refusal_of("suldb b32 $r0 ca trap g0 1d $r2"), "suldb: surfaces are not supported");
  EXPECT_EQ(refusal_of("sustb wb trap g0 1d $r2 b32 $r0"), "sustb: surfaces are not supported");
  decode_error error;
  EXPECT_FALSE(decode(0xd400000000201c85, error));
  EXPECT_EQ(error.reason, "suldb: surfaces are not supported");
  EXPECT_FALSE(decode(0xdc00000000201c85, error));
  EXPECT_EQ(error.reason, "sust: surfaces are not supported");
  EXPECT_FALSE(decode(0xec00000000201c85, error));
  EXPECT_EQ(error.reason, "no instruction has the words 0xec00000000201c85");
}

}  // namespace
}  // namespace gt200::isa::fermi
