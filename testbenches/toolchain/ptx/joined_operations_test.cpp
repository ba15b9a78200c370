// What optimised code for sm_20 and sm_70 joins and moves: words of constant memory become operands, loads go
// before the stores that stand in front of them, and products in loops become part of the sums behind them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testbenches/toolchain/ptx/instruction_case.h"
#include "toolchain/isa/fermi/codec.h"
#include "toolchain/isa/volta/codec.h"
#include "toolchain/ptx/compile.h"

namespace gt200::ptx {
namespace {

// The mnemonics of the code, such as "mov ld.b32", each with a space behind it; without guards and control codes.
std::string code_of(const std::string& text, unsigned capability) {
  compile_options options;
  options.capability = capability;
  const std::vector<std::uint32_t> code = compile(text, "k.ptx", options).kernels.at(0).code;
  std::string all;
  const auto add = [&all](std::string line) {
    if (line[0] == '@' || line[0] == '$') line.erase(0, line.find(' ') + 1);
    all += line.substr(0, line.find(' ')) + " ";
  };
  if (capability == 20) {
    for (std::size_t k = 0; k + 1 < code.size(); k += 2) {
      isa::fermi::decode_error error;
      const auto i = isa::fermi::decode(code[k] | std::uint64_t{code[k + 1]} << 32, error);
      if (i) add(isa::fermi::disassemble(*i));
    }
    return all;
  }
  for (std::size_t k = 0; k + 3 < code.size(); k += 4) {
    isa::uint128 words = 0;
    for (std::size_t w = 4; w-- > 0;) words = words << 32 | code[k + w];
    isa::volta::decode_error error;
    const auto i = isa::volta::decode(words, error);
    if (i) add(isa::volta::disassemble(*i));
  }
  return all;
}

std::size_t times(const std::string& word, const std::string& in) {
  std::size_t found = 0;
  for (std::size_t at = in.find(word); at != std::string::npos; at = in.find(word, at + 1)) ++found;
  return found;
}

std::string kernel_with(const std::string& body, const std::string& variables = "") {
  return ".version 3.2\n.target sm_20\n.address_size 64\n" + variables +
         ".entry k (.param .u64 a, .param .u64 b, .param .u32 n)\n{\n.reg .u64 %a, %b, %p<8>;\n.reg .u32 %n, "
         "%r<8>;\n.reg .f32 %f<8>;\n.reg .pred %q;\n.shared .align 4 .b8 room[512];\nld.param.u64 %a, [a];\n"
         "ld.param.u64 %b, [b];\nld.param.u32 %n, [n];\n" +
         body + "exit;\n}\n";
}

TEST(a_word_of_constant_memory, is_an_operand) {
  const std::string body =
      "ld.global.f32 %f0, [%a];\nld.global.f32 %f1, [%a+4];\nld.const.f32 %f2, [c];\n"
      "ld.const.f32 %f3, [c+8];\nfma.rn.f32 %f4, %f0, %f2, 0f00000000;\n"
      "fma.rn.f32 %f4, %f1, %f3, %f4;\nst.global.f32 [%b], %f4;\n";
  const std::string text =
      kernel_with(body, ".const .f32 c[4] = {0f3F800000, 0f40000000, 0f40400000, 0f40800000};\n");
  const std::string fermi = code_of(text, 20), volta = code_of(text, 70);
  EXPECT_EQ(times("ld ", fermi), 2u) << fermi;
  EXPECT_EQ(times("fma ", fermi), 2u) << fermi;
  EXPECT_EQ(times("LDC", volta), 0u) << volta;
  EXPECT_EQ(times("FFMA ", volta), 2u) << volta;
}

// Both addresses are sums of pairs of words, with a carry between them.
TEST(a_load, goes_before_a_store_to_shared_memory_with_its_64_bit_address) {
  const std::string text = kernel_with(
      "mov.u32 %r0, %tid.x;\nld.global.u64 %p4, [%b];\nadd.u64 %p0, %a, %p4;\nld.global.u32 %r2, [%p0];\n"
      "shl.b32 %r1, %r0, 2;\nst.shared.u32 [%r1], %r2;\nld.global.u64 %p5, [%b+8];\nadd.u64 %p1, %a, %p5;\n"
      "ld.global.u32 %r3, [%p1];\nst.shared.u32 [%r1+128], %r3;\nbar.sync 0;\n"
      "ld.shared.u32 %r4, [%r1+4];\nst.global.u32 [%b], %r4;\n");
  const std::string fermi = code_of(text, 20), volta = code_of(text, 70);
  EXPECT_LT(fermi.rfind("ld ", fermi.find("bar ")), fermi.find("st ")) << fermi;
  EXPECT_LT(volta.rfind("LDG"), volta.find("STS")) << volta;
}

TEST(a_product_of_a_variable_of_a_loop, joins_the_sum_behind_it) {
  const std::string loop =
      "mov.u32 %r0, 0;\nmov.f32 %f1, 0f00000000;\nL:\nmul.wide.s32 %p1, %r0, 4;\n"
      "add.u64 %p2, %a, %p1;\nld.global.f32 %f0, [%p2];\nadd.f32 %f1, %f1, %f0;\n"
      "add.u32 %r0, %r0, 32;\nsetp.lt.s32 %q, %r0, %n;\n@%q bra L;\nst.global.f32 [%b], %f1;\n";
  const std::string volta = code_of(kernel_with(loop), 70);
  EXPECT_EQ(times("IMAD.WIDE ", volta), 1u) << volta;
  EXPECT_EQ(times("IADD3.X", volta), 0u) << volta;
}

// The variable changes between the two, so the product has to stay.
TEST(a_product_of_a_variable_of_a_loop, stays_where_the_variable_changes_before_the_sum) {
  const instruction_case c = {"changes",
                              "mov.u32 %z, %a;\nmov.u32 %w, 0;\nL:\nmul.lo.u32 %y, %z, 3;\nadd.u32 %z, %z, 1;\n"
                              "add.u32 %w, %w, %y;\nsetp.lt.u32 %p, %z, %b;\n@%p bra L;\nmov.u32 %x, %w;\n"
                              "mov.u32 %y, 0;\n",
                              {2, 6, 0, 0, 0, 0},
                              3 * (2 + 3 + 4 + 5),
                              0};
  for (const unsigned capability : {13u, 20u, 70u}) {
    compile_options options;
    options.capability = capability;
    EXPECT_EQ(difference(run_of(c), options), "") << "capability " << capability;
  }
}

}  // namespace
}  // namespace gt200::ptx
