// What the directives of a file add to the module.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "toolchain/assembler/assembler.h"
#include "toolchain/assembler/program.h"
#include "toolchain/cubin/load.h"
#include "toolchain/isa/tesla/codec.h"

namespace gt200::assembler {
namespace {

using testing::ElementsAre;

cubin::kernel kernel_of(const std::string& body) {
  return assemble(".entry f\n" + body + "\nexit nop\n.end\n", "f.s").kernels.at(0);
}
// The instruction at this word of the code.
isa::tesla::instruction at(const cubin::kernel& k, std::size_t word) {
  isa::tesla::decode_error error;
  return isa::tesla::decode(k.code.at(word), k.code.at(word + 1), error).value();
}

TEST(assembler, parameters_are_laid_out_naturally_behind_the_block_header) {
  const cubin::kernel k = kernel_of(
      ".param u8 a\n.param u64 b\n.param f32 c\n.param u16 d\n.param 12 e\n"
      "mov b32 $r1 b32 s[c]\nmov b32 $r2 b32 s[e+8]");
  ASSERT_EQ(k.parameters.size(), 5u);
  EXPECT_EQ(k.parameters[0].offset, 0u);
  EXPECT_EQ(k.parameters[1].offset, 8u);
  EXPECT_EQ(k.parameters[1].size, 8u);
  EXPECT_EQ(k.parameters[2].offset, 16u);
  EXPECT_EQ(k.parameters[3].offset, 20u);
  EXPECT_EQ(k.parameters[4].offset, 24u) << "a structure given by its size lies on a word boundary";
  EXPECT_EQ(k.parameters[4].size, 12u);
  EXPECT_EQ(k.shared_bytes, 16u + 36u);
  EXPECT_EQ(at(k, 0).source[0].value, 16 + 16);
  EXPECT_EQ(at(k, 2).source[0].value, 16 + 24 + 8);
}

TEST(assembler, shared_symbols_follow_the_parameters) {
  const cubin::kernel k = kernel_of(
      ".shared a 5\n.shared b 64\n.shared c 8 16\n.param u32 n\n"
      "mov b32 $r1 b32 s[b]\nmov b32 $r2 @c");
  EXPECT_EQ(at(k, 0).source[0].value, 28) << "16 + 4 + 5, next word boundary";
  EXPECT_EQ(at(k, 2).source[0].value, 96) << "28 + 64, next multiple of 16";
  EXPECT_EQ(k.shared_bytes, 104u);
}

TEST(assembler, registers_are_counted_by_what_is_written) {
  EXPECT_EQ(kernel_of("").registers, 1u) << "$r0 holds the thread id";
  EXPECT_EQ(kernel_of("mov b32 $r5 $r124").registers, 6u) << "unallocated registers read as zero on purpose";
  EXPECT_EQ(kernel_of("ld b64 $r6d g14[$r0]").registers, 8u);
  EXPECT_EQ(kernel_of("ld b128 $r8q g14[$r0]").registers, 12u);
  EXPECT_EQ(kernel_of(".registers 20\nmov b32 $r5 $r1").registers, 20u);
}

TEST(assembler, barriers_are_counted_by_use) {
  EXPECT_EQ(kernel_of("bar inc wait 0x0 0xfff").barriers, 0u) << "as `bar` of a cubin: the highest number";
  EXPECT_EQ(kernel_of("bar inc wait 0x3 0xfff").barriers, 3u);
  EXPECT_EQ(kernel_of(".barriers 7").barriers, 7u);
}

TEST(assembler, local_memory_is_declared) { EXPECT_EQ(kernel_of(".local 64").local_bytes, 64u); }

TEST(assembler, literals_go_to_c1_of_the_kernel) {
  const cubin::kernel k = kernel_of(
      ".literal a u8 1\n.literal b f32 1.0 -2.0\n.literal c at 0x20 s16 -2 3\n.literal d 8\n"
      "and b32 $r1 $r1 c1[b+4]");
  ASSERT_EQ(k.constants.size(), 4u);
  EXPECT_EQ(k.constants[1].offset, 4u);
  EXPECT_THAT(k.constants[1].data, ElementsAre(0, 0, 0x80, 0x3f, 0, 0, 0, 0xc0));
  EXPECT_EQ(k.constants[2].offset, 0x20u);
  EXPECT_THAT(k.constants[2].data, ElementsAre(0xfe, 0xff, 3, 0));
  EXPECT_EQ(k.constants[3].offset, 0x24u);
  EXPECT_EQ(k.constants[3].size, 8u);
  EXPECT_EQ(k.constants[3].space, 1);
  EXPECT_EQ(at(k, 0).source[1].value, 8);
  EXPECT_EQ(at(k, 0).source[1].index, 1);
}

TEST(assembler, constants_samplers_and_globals_belong_to_the_file) {
  const cubin::module m = assemble(
      ".target sm_11\n.equ rows 4\n.const table u32 1 2\n.const more rows\n.sampler picture 2\n.global counter 4\n"
      ".global weights f32 0.5 0.25\n.entry f\nld $r1 b32 c14[weights]\nexit nop\n.end\n",
      "dir/prog.s");
  EXPECT_EQ(m.name, "prog");
  EXPECT_EQ(m.source_file, "dir/prog.s");
  EXPECT_EQ(m.capability, 11u);
  ASSERT_EQ(m.constants.size(), 2u);
  EXPECT_EQ(m.constants[1].offset, 8u);
  EXPECT_EQ(m.constants[1].size, 4u) << ".equ names work where numbers do";
  EXPECT_EQ(m.samplers.at(0).texture_unit, 2u);
  ASSERT_EQ(m.globals.size(), 2u);
  EXPECT_EQ(m.globals[1].size, 8u);
  EXPECT_THAT(m.globals[1].data, ElementsAre(0, 0, 0, 0x3f, 0, 0, 0x80, 0x3e));
  ASSERT_EQ(m.relocations.size(), 2u);
  EXPECT_EQ(m.relocations[1].name, "weights");
  EXPECT_EQ(m.relocations[1].offset, 4u);
  EXPECT_EQ(at(m.kernels.at(0), 0).source[0].value, 4) << "c14[weights] is the word with its address";
}

TEST(assembler, several_kernels_have_separate_names_and_labels) {
  const cubin::module m = assemble(
      ".entry f\n.param u32 n\nhere: (lg $c0) bra here\nexit nop\n.end\n"
      ".entry _Z1gv\n.shared n 4\nhere: exit nop\n.end\n",
      "f.s");
  ASSERT_EQ(m.kernels.size(), 2u);
  EXPECT_NE(m.find("_Z1gv"), nullptr);
}

TEST(assembler, the_default_target_is_gt200) {
  EXPECT_EQ(assemble(".entry f\nexit nop\n.end", "f").capability, 13u);
}

TEST(assembler, words_go_into_the_code_unchanged) {
  EXPECT_THAT(kernel_of(".word 0x861ffe03 0\n").code, ElementsAre(0x861ffe03u, 0u, 0xf0000001u, 0xe0000781u));
}

TEST(assembler, the_example_of_the_documentation_assembles) {
  const std::string page = cubin::read_file(std::string(GT200_SOURCE_DIR) + "/docs/assembler.md");
  const std::size_t begin = page.find("```\n") + 4;
  const std::size_t end = page.find("```", begin);
  EXPECT_EQ(assemble(page.substr(begin, end - begin), "docs/assembler.md").kernels.at(0).parameters.size(), 3u);
}

TEST(program, loads_assembly_and_everything_else_as_cubin) {
  const cubin::module m = program::load(std::string(GT200_SOURCE_DIR) + "/kernels/vector_add/vector_add.s");
  const cubin::kernel* k = m.find("VecAdd");
  ASSERT_NE(k, nullptr);
  EXPECT_EQ(k->parameters.size(), 4u);
  EXPECT_LE(k->registers, 6u);
}

TEST(assembler, sync_behind_a_mnemonic_is_the_prefix_join) {
  const auto same = [](const std::string& a, const std::string& b) {
    const cubin::kernel first = kernel_of(a), second = kernel_of(b);
    EXPECT_EQ(first.code, second.code) << a;
    EXPECT_TRUE(at(first, 0).join) << a;
  };
  same("nop.S", "join nop");
  same("(lg $c1) nop.S", "join (lg $c1) nop");
  same("add.S b32 $r1 $r2 $r3", "join add b32 $r1 $r2 $r3");
  same("long (e $c0) sub.S b32 $r1 $r2 $r3", "long join (e $c0) sub b32 $r1 $r2 $r3");
  same("L: ld.S b32 $r1 g14[$r2]", "L: join ld b32 $r1 g14[$r2]");
}

}  // namespace
}  // namespace gt200::assembler
