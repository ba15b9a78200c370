// Every mistake in a source file gives one error, with file, line and reason.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "toolchain/assembler/assembler.h"
#include "toolchain/error.h"

namespace gt200::assembler {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string refusal_of(const std::string& text) {
  try {
    assemble(text, "f.s");
  } catch (const input_error& error) {
    return error.what();
  }
  return "accepted";
}
// The body starts on line 2.
std::string refusal_in_kernel(const std::string& body) {
  return refusal_of(".entry f\n" + body + "\nexit nop\n.end\n");
}

TEST(assembler_errors, structure_of_the_file) {
  EXPECT_EQ(refusal_of(""), "f.s: no kernel (no .entry)");
  EXPECT_EQ(refusal_of(".entry f\nexit nop\n"), "f.s:1: kernel 'f' has no .end");
  EXPECT_EQ(refusal_of(".entry f\n.entry g\n"), "f.s:2: kernel 'f' has no .end before this .entry");
  EXPECT_EQ(refusal_of(".entry\n"), "f.s:1: .entry: missing name");
  EXPECT_EQ(refusal_of(".entry f g\n"), "f.s:1: .entry: unexpected 'g'");
  EXPECT_EQ(refusal_of(".entry f\n.end"), "f.s:1: kernel 'f' has no instructions");
  EXPECT_EQ(refusal_of(".entry f\nexit nop\n.end\n.entry f\n"), "f.s:4: .entry: kernel 'f' is defined twice");
  EXPECT_EQ(refusal_of(".sampler a 1\n.sampler a 2\n"), "f.s:2: .sampler: the sampler 'a' is defined twice");
  EXPECT_EQ(refusal_of("exit nop\n"), "f.s:1: an instruction or label outside of a kernel (.entry NAME ... .end)");
  EXPECT_EQ(refusal_of("loop:\n"), "f.s:1: an instruction or label outside of a kernel (.entry NAME ... .end)");
  EXPECT_THAT(refusal_of(".end\n"), StartsWith("f.s:1: .end: unknown directive outside of a kernel"));
  EXPECT_THAT(refusal_in_kernel(".sharde a 4"), StartsWith("f.s:2: .sharde: unknown directive in a kernel"));
}

TEST(assembler_errors, quotations_are_short_and_printable) {
  EXPECT_EQ(refusal_in_kernel("frob\x1b\x07\xff $r1"), "f.s:2: unknown instruction 'frob\\x1b\\x07\\xff'");
  EXPECT_EQ(refusal_in_kernel(std::string(5000, 'y') + " $r1"),
            "f.s:2: unknown instruction '" + std::string(80, 'y') + "...'");
}

TEST(assembler_errors, target) {
  EXPECT_EQ(refusal_of(".target sm_21"),
            "f.s:1: .target: 'sm_21' is not supported, only sm_10 to sm_13, sm_20 and sm_70");
  EXPECT_EQ(refusal_of(".target sm_10\n.target sm_11"), "f.s:2: .target: must stand once, before the first kernel");
  EXPECT_EQ(refusal_of(".target sm_10\n.entry f\nadd rn f64 $r2d $r2d $r4d\nexit nop\n.end"),
            "f.s:3: this instruction needs sm_13, the target is sm_10");
}

TEST(assembler_errors, labels) {
  EXPECT_EQ(refusal_in_kernel("bra nowhere"), "f.s:2: label 'nowhere' is not defined in this kernel");
  EXPECT_EQ(refusal_in_kernel("a:\nnop\na:\n"), "f.s:4: label 'a' is already defined in line 2");
}

TEST(assembler_errors, sync_where_an_instruction_has_no_room_for_it) {
  EXPECT_THAT(refusal_in_kernel("L: bra.S L"), StartsWith("f.s:2: "));
  EXPECT_THAT(refusal_in_kernel("short mov.S b32 $r1 $r2"), StartsWith("f.s:2: "));
  EXPECT_THAT(refusal_in_kernel("exit nop.S"), StartsWith("f.s:2: "));
  EXPECT_THAT(refusal_in_kernel(".S"), StartsWith("f.s:2: "));
}

TEST(assembler_errors, instructions) {
  EXPECT_THAT(refusal_in_kernel("frobnicate $r0"), StartsWith("f.s:2: unknown instruction 'frobnicate'"));
  EXPECT_THAT(refusal_in_kernel("mov b32 $r128 $r0"), StartsWith("f.s:2: "));
  EXPECT_THAT(refusal_in_kernel("mov b32 $r0"), StartsWith("f.s:2: mov"));
  EXPECT_THAT(refusal_in_kernel("mov b32 $r0 $r1 $r2"), StartsWith("f.s:2: mov"));
  EXPECT_THAT(refusal_in_kernel("short mov b32 $r100 $r0"), StartsWith("f.s:2: "));
  EXPECT_THAT(refusal_in_kernel("mov b32 $r0 b32 s[missing]"), StartsWith("f.s:2: 'missing' is not defined"));
}

TEST(assembler_errors, registers) {
  EXPECT_EQ(refusal_in_kernel(".registers 4\nmov b32 $r4 $r0"), "f.s:3: writes $r4, but .registers is 4");
  EXPECT_EQ(refusal_in_kernel(".registers 129"), "f.s:2: .registers: value is 129, allowed are 1 to 128");
  EXPECT_EQ(refusal_in_kernel(".registers 4\n.registers 4"), "f.s:3: .registers: given twice");
}

TEST(assembler_errors, shared_memory_and_parameters) {
  EXPECT_EQ(refusal_in_kernel(".shared a 16384"),
            "f.s:2: 'a' ends at byte 16400 of shared memory, a block has at most 16384");
  EXPECT_EQ(refusal_in_kernel(".shared a 16385"), "f.s:2: .shared: size is 16385, allowed are 1 to 16384");
  EXPECT_EQ(refusal_in_kernel(".shared a 0x8000000000000000"),
            "f.s:2: .shared: size is 0x8000000000000000, allowed are 1 to 16384");
  EXPECT_EQ(refusal_in_kernel(".shared a -0xffffffffffffffff"),
            "f.s:2: .shared: size is -0xffffffffffffffff, allowed are 1 to 16384");
  EXPECT_EQ(refusal_in_kernel(".shared a 4 3"), "f.s:2: .shared: the alignment must be a power of two");
  EXPECT_EQ(refusal_in_kernel(".shared a 4\n.param u32 a"), "f.s:2: 'a' is defined twice");
  EXPECT_EQ(refusal_in_kernel(".param u32 a\n.param u32 a"), "f.s:3: 'a' is defined twice");
  EXPECT_EQ(refusal_in_kernel(".param 256 a\n.param u8 b"),
            "f.s:3: .param: 'b' ends beyond the 256 bytes of parameters");
  EXPECT_EQ(refusal_in_kernel(".param u32 a\n.param u32 b at 2"),
            "f.s:3: .param: 'b' overlaps the parameter before it");
  EXPECT_EQ(refusal_in_kernel(".param u32 a at 3"), "f.s:2: .param: the offset of 'a' is 3, not a multiple of 4");
  EXPECT_EQ(refusal_in_kernel(".param u64 a at 4"), "f.s:2: .param: the offset of 'a' is 4, not a multiple of 8");
  EXPECT_EQ(refusal_in_kernel(".param 8 a at 3"), "accepted") << "a structure of bytes";
  EXPECT_EQ(refusal_in_kernel(".param float a"),
            "f.s:2: .param: 'float' is neither a type nor a size of 1 to 256 bytes");
  EXPECT_EQ(refusal_in_kernel(".smem 18\n.param u32 n"),
            "f.s:1: .smem of 'f' is 18, but header, parameters and shared symbols take 20");
}

TEST(assembler_errors, data) {
  EXPECT_EQ(refusal_in_kernel(".literal a u8 256"), "f.s:2: .literal: '256' is no value of type u8");
  EXPECT_EQ(refusal_in_kernel(".literal a s8 128"), "f.s:2: .literal: '128' is no value of type s8");
  EXPECT_EQ(refusal_in_kernel(".literal a u32 1.5"), "f.s:2: .literal: '1.5' is no value of type u32");
  EXPECT_EQ(refusal_in_kernel(".literal a f32 one"), "f.s:2: .literal: 'one' is no value of type f32");
  EXPECT_EQ(refusal_in_kernel(".literal a u32"), "f.s:2: .literal: missing value");
  EXPECT_EQ(refusal_in_kernel(".literal a"), "f.s:2: .literal: missing size or initial values");
  EXPECT_EQ(refusal_in_kernel(".literal 1a u32 1"), "f.s:2: .literal: '1a' is not a name");
  EXPECT_EQ(refusal_in_kernel(".literal a at 65532 u32 1 2"),
            "f.s:2: .literal: 'a' ends beyond the 65536 bytes of c1");
  EXPECT_EQ(refusal_of(".global a at 2 4"), "f.s:1: .global: the offset in c14 must be a multiple of 4");
  EXPECT_EQ(refusal_of(".global a 4\n.global b at 0 4"), "f.s:2: .global: c14[0] already belongs to 'a'");
  EXPECT_EQ(refusal_of(".const a rows"), "f.s:1: .const: 'rows' is neither a number nor a constant");
}

TEST(assembler_errors, code_that_does_not_end) {
  const std::string tail = " can run past its last instruction here; end it with exit";
  EXPECT_EQ(refusal_of(".entry f\nnop\n.end"), "f.s:2: kernel 'f'" + tail);
  EXPECT_EQ(refusal_of(".entry f\nnop\nexit (lg $c0) mov b32 $r0 $r1\n.end"), "f.s:3: kernel 'f'" + tail);
  EXPECT_EQ(refusal_of(".entry f\n(lg $c0) bra end\nexit nop\nend:\n.end"), "f.s:2: kernel 'f'" + tail);
  EXPECT_EQ(refusal_of(".entry f\nl: bra l\n.end"), "accepted");
  EXPECT_EQ(refusal_of(".entry f\ncall sub\nexit nop\nsub: ret\n.end"), "accepted");
  EXPECT_EQ(refusal_of(".entry f\nexit nop\nnop\n.end"), "accepted") << "what cannot be reached does not matter";
}

TEST(assembler_errors, raw_words_cannot_unalign_instructions) {
  EXPECT_EQ(refusal_in_kernel(".word 1"), "f.s:3: an 8-byte instruction cannot follow an odd number of .word");
  EXPECT_EQ(refusal_in_kernel(".word 0x100000000"),
            "f.s:2: .word: word is 4294967296, allowed are 0 to 4294967295");
}

TEST(assembler_errors, every_prefix_of_a_program_is_assembled_or_refused) {
  const std::string text =
      ".target sm_12\n.const t f32 1.5 // c\n.global g 4\n.entry f\n.param u32 n\n.shared s 8 8\nl: short mov b32 "
      "$r1 "
      "b32 s[n]\nadd b32 $r2 $r1 @s+4\n(lg $c0) bra l\nexit st b32 g14[$r2] $r1\n.end\n";
  ASSERT_EQ(refusal_of(text), "accepted");
  for (std::size_t length = 0; length + 1 < text.size(); ++length)
    if (const std::string reason = refusal_of(text.substr(0, length)); reason != "accepted") {
      EXPECT_THAT(reason, StartsWith("f.s")) << "length " << length;
    }
}

}  // namespace
}  // namespace gt200::assembler
