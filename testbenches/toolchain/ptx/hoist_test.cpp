// Registers that a loop would set to the same value in every round are set before it, while there is room.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "testbenches/toolchain/ptx/instruction_case.h"
#include "testbenches/toolchain/ptx/loop_code.h"

namespace gt200::ptx {
namespace {

struct loop_case {
  std::string name;
  std::string code;
  std::uint32_t x;
  std::size_t operations;  // of the inner loop, with its branch
};

void PrintTo(const loop_case& c, std::ostream* out) { *out << c.name; }

const std::string declarations = ".reg .u32 %n, %k, %v;\n.reg .u64 %P;\n.reg .pred %m;\nmov.f32 %f, 0f3F800000;\n";
const std::string count_down = "sub.u32 %n, %n, 1;\nsetp.ne.u32 %m, %n, 0;\n@%m bra L;\n";
const std::string result = "cvt.rzi.u32.f32 %x, %f;\n";

// `in` holds 3, 2, 1. One literal of a multiply-add is read from c1[], the other from a register.
const std::vector<loop_case> cases = {
    {"two_literals_of_a_multiply_add",
     "mov.u32 %n, %a;\nL:\nmad.f32 %f, %f, 0f40400000, 0f40A00000;\n" + count_down + result,  // 3 f + 5
     ((3 + 5) * 3 + 5) * 3 + 5, 4},
    {"the_same_literal_twice",
     "mov.u32 %n, %a;\nL:\nmad.f32 %f, %f, 0f40400000, 0f40A00000;\nmad.f32 %f, %f, 0f40000000, 0f40A00000;\n" +
         count_down + result,
     ((21 * 3 + 5) * 2 + 5) * 6 + 15, 5},
    {"in_two_loops",
     "mov.u32 %k, %b;\nOUTER:\nmov.u32 %n, %a;\nL:\nmad.f32 %f, %f, 0f40000000, 0f40400000;\n" + count_down +
         "sub.u32 %k, %k, 1;\nsetp.ne.u32 %m, %k, 0;\n@%m bra OUTER;\n" + result,
     64 * 1 + 63 * 3, 4},
    // The lower words of both doubles are 0, and an operation reads a double as one register. Its words stay.
    {"not_words_of_pairs",
     "mov.u32 %n, %a;\nmov.f64 %d, 0d3FF0000000000000;\nL:\nadd.rn.f64 %d, %d, 0d4000000000000000;\n"
     "mul.rn.f64 %d, %d, 0d4008000000000000;\n" +
         count_down + "cvt.rzi.u32.f64 %x, %d;\n",
     (((1 + 2) * 3 + 2) * 3 + 2) * 3, 9},
    {"a_parameter_that_is_an_address",
     "mov.u32 %n, %a;\nL:\nld.param.u64 %P, [in];\nld.volatile.global.u32 %v, [%P];\nadd.u32 %x, %x, %v;\n" +
         count_down,
     3 * 3, 5},
};

instruction_case work_of(const loop_case& c) { return {c.name, declarations + c.code, {3, 2, 1, 0, 0, 0}, c.x, 0}; }

class loop_with_fixed_values : public testing::TestWithParam<loop_case> {};

TEST_P(loop_with_fixed_values, gives_what_ptx_defines) {
  for (const unsigned capability : {10u, 13u, 20u, 70u})
    for (const bool optimise : {false, true}) {
      compile_options options;
      options.capability = capability;
      options.optimise = optimise;
      EXPECT_EQ(difference(run_of(work_of(GetParam())), options), "")
          << "capability " << capability << (optimise ? " -O2" : " -O0");
    }
}

TEST_P(loop_with_fixed_values, sets_their_registers_before) {
  const cubin::kernel kernel = compile(run_of(work_of(GetParam())).program.text, "loop.ptx", {}).kernels.at(0);
  EXPECT_EQ(inner_loop(kernel).size(), GetParam().operations);
}

INSTANTIATE_TEST_SUITE_P(of, loop_with_fixed_values, testing::ValuesIn(cases),
                         [](const auto& tested) { return tested.param.name; });

// As many multiply-adds as there are words, each with two literals of its own.
cubin::kernel with_literals(unsigned words, unsigned max_registers) {
  std::string text =
      ".version 1.4\n.target sm_13\n.entry k (.param .u64 in)\n{\n.reg .u64 %in;\n.reg .u32 %n;\n.reg .f32 "
      "%f<40>;\n"
      ".reg .pred %m;\nld.param.u64 %in, [in];\nld.global.u32 %n, [%in];\n";
  for (unsigned k = 0; k < words; ++k) text += fmt::format("ld.global.f32 %f{}, [%in+{}];\n", k, 4 + 4 * k);
  text += "L:\n";
  for (unsigned k = 0; k < words; ++k)
    text += fmt::format("mad.f32 %f{0}, %f{0}, 0f3F8000{1:02X}, 0f3F0000{1:02X};\n", k, k + 1);
  text += "sub.u32 %n, %n, 1;\nsetp.ne.u32 %m, %n, 0;\n@%m bra L;\n";
  for (unsigned k = 0; k < words; ++k) text += fmt::format("st.global.f32 [%in+{}], %f{};\n", 4 + 4 * k, k);
  compile_options options;
  options.max_registers = max_registers;
  return compile(text + "exit;\n}\n", "k.ptx", options).kernels.at(0);
}

std::ptrdiff_t moves_in_loop(const cubin::kernel& kernel) {
  const std::vector<isa::tesla::instruction> loop = inner_loop(kernel);
  return std::count_if(loop.begin(), loop.end(),
                       [](const isa::tesla::instruction& i) { return i.op == isa::tesla::opcode::mov; });
}

TEST(fixed_values, leave_the_loop_as_long_as_an_sm_can_hold_all_its_threads) {
  EXPECT_EQ(moves_in_loop(with_literals(4, 124)), 0);
  const cubin::kernel kernel = with_literals(10, 124);
  EXPECT_EQ(kernel.registers, 16u);
  EXPECT_LT(moves_in_loop(kernel), 10);
  EXPECT_GT(moves_in_loop(kernel), 0);
}

TEST(fixed_values, stay_in_the_loop_if_registers_would_not_suffice) {
  const cubin::kernel kernel = with_literals(6, 8);
  EXPECT_LE(kernel.registers, 8u);
  EXPECT_EQ(kernel.local_bytes, 0u);
  EXPECT_EQ(moves_in_loop(kernel), 6);
}

}  // namespace
}  // namespace gt200::ptx
