// Words of shared memory become operands of the instructions that use them on sm_10 to sm_13, those beyond the
// reach of an operand behind an address register that several of them share.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "testbenches/toolchain/ptx/instruction_case.h"
#include "toolchain/assembler/code_walk.h"
#include "toolchain/ptx/compile.h"

namespace gt200::ptx {
namespace {

using isa::tesla::opcode;
using isa::tesla::operand_kind;

constexpr unsigned words = 12;

struct place {
  std::string name;
  unsigned first;   // byte of the first word that is read
  unsigned stride;  // bytes
};

void PrintTo(const place& p, std::ostream* out) { *out << p.name; }

// Stores numbers at words of shared memory, and adds their products with constants; s[] is addressed by a register.
instruction_case sum_at(const place& p) {
  std::string code =
      ".shared .align 4 .b8 room[2048];\n.reg .u32 %at;\n.reg .f32 %l, %n;\nmov.u32 %at, room;\n"
      "add.u32 %at, %at, %a;\n";
  double sum = 0;
  for (unsigned k = 0; k < words; ++k) {
    code += fmt::format("mov.f32 %n, 0f{:08X};\nst.shared.f32 [%at+{}], %n;\n", 0x3f800000 + k * 0x100000,
                        p.first + k * p.stride);
    const double stored[] = {1, 1.125, 1.25, 1.375, 1.5, 1.625, 1.75, 1.875, 2, 2.25, 2.5, 2.75};
    sum += 16 * stored[k];
  }
  code += "bar.sync 0;\nmov.f32 %f, 0f00000000;\n";
  for (unsigned k = 0; k < words; ++k)
    code += fmt::format("ld.shared.f32 %l, [%at+{}];\nmad.f32 %f, %l, %g, %f;\n", p.first + k * p.stride);
  code.insert(0, ".reg .f32 %g;\nmov.f32 %g, 0f41800000;\n");
  code += "cvt.rni.u32.f32 %x, %f;\n";
  return {p.name, code, {4, 0, 0, 0, 0, 0}, static_cast<std::uint32_t>(sum), 0};
}

struct count {
  unsigned operands = 0;  // arithmetic instructions with an s[] operand behind a register
  unsigned loads = 0;     // loads and moves of such a word
  unsigned sums = 0;      // of an address register and a number
};

count count_of(const std::string& text, unsigned capability) {
  compile_options options;
  options.capability = capability;
  count found;
  assembler::walk_code(compile(text, "k.ptx", options).kernels.at(0).code, [&](const assembler::code_step& step) {
    const isa::tesla::instruction& i = step.instruction.value();
    found.sums += i.op == opcode::add_to_a ? 1u : 0u;
    if (i.op == opcode::st_shared) return;
    for (const isa::tesla::operand& s : i.source) {
      if (s.kind != operand_kind::shared || s.address_register == 0) continue;
      const bool loads = i.op == opcode::mov || i.op == opcode::ld_shared;
      (loads ? found.loads : found.operands) += 1;
    }
  });
  return found;
}

class words_of_shared_memory : public testing::TestWithParam<place> {};

TEST_P(words_of_shared_memory, give_what_ptx_defines) { expect_in_compiled_code(sum_at(GetParam())); }

TEST_P(words_of_shared_memory, are_operands_also_beyond_the_reach_of_one) {
  for (const unsigned capability : {10u, 13u}) {
    const count found = count_of(run_of(sum_at(GetParam())).program.text, capability);
    EXPECT_EQ(found.operands, words) << "capability " << capability;
    EXPECT_EQ(found.loads, 0u) << "capability " << capability;
    EXPECT_LE(found.sums, 2u) << "capability " << capability;
  }
}

// Loads of shared memory are instructions of sm_11.
TEST(elements_of_shared_memory, are_moved_on_sm_10_whatever_their_size) {
  for (const char* type : {"u8", "s8", "u16", "s16", "u32"})
    for (const unsigned offset : {0u, 36u, 100u, 130u, 510u, 1028u}) {
      const unsigned aligned = offset / 4 * 4;
      const std::string text = fmt::format(
          ".version 1.4\n.target sm_10\n.entry k (.param .u32 out)\n{{\n.reg .u32 %o, %t, %v;\n"
          ".shared .align 4 .b8 room[2048];\nld.param.u32 %o, [out];\ncvt.u32.u16 %t, %tid.x;\n"
          "shl.b32 %t, %t, 2;\nadd.u32 %t, %t, room;\nst.shared.u32 [%t+{0}], %o;\nbar.sync 0;\n"
          "ld.shared.{1} %v, [%t+{0}];\nst.global.u32 [%o], %v;\nexit;\n}}\n",
          aligned, type);
      compile_options options;
      options.capability = 10;
      assembler::walk_code(compile(text, "k.ptx", options).kernels.at(0).code,
                           [&](const assembler::code_step& step) {
                             EXPECT_NE(step.instruction.value().op, opcode::ld_shared) << type << " at " << aligned;
                           });
    }
}

INSTANTIATE_TEST_SUITE_P(at, words_of_shared_memory,
                         testing::Values(place{"the_reach", 0, 4}, place{"512", 512, 4},
                                         place{"the_border", 480, 8}, place{"three_words_a_window", 1024, 16}),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace gt200::ptx
