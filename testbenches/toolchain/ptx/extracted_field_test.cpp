// Extractions of bit fields whose position and length the compiler knows: what depends on them alone costs nothing.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testbenches/toolchain/ptx/instruction_case.h"
#include "toolchain/assembler/code_walk.h"

namespace gt200::ptx {
namespace {

struct field_case {
  std::string name;
  std::string code;  // of 0x89abcdef
  std::uint32_t x;
  unsigned operations;  // shifts and logic operations of sm_10
};

void PrintTo(const field_case& c, std::ostream* out) { *out << c.name; }

const std::vector<field_case> cases = {
    {"a_field", "bfe.u32 %x, %a, 4, 12;", 0xcde, 2},
    {"the_lowest_bits", "bfe.u32 %x, %a, 0, 9;", 0x1ef, 1},
    {"the_highest_bit", "bfe.u32 %x, %a, 31, 1;", 1, 1},
    {"no_bit", "bfe.u32 %x, %a, 7, 0;", 0, 0},
    {"shifted_to_the_left", ".reg .u32 %m;\nmov.u32 %m, 255;\nshl.b32 %m, %m, 8;\nand.b32 %x, %a, %m;", 0xcd00, 1},
    {"shifted_out", ".reg .u32 %m;\nmov.u32 %m, -1;\nshl.b32 %m, %m, 32;\nor.b32 %x, %a, %m;", 0x89abcdef, 0},
    {"shifted_with_its_sign", ".reg .s32 %m;\nmov.s32 %m, -256;\nshr.s32 %m, %m, 4;\nand.b32 %x, %a, %m;",
     0x89abcde0, 1},
    {"shifted_without", ".reg .u32 %m;\nmov.u32 %m, -256;\nshr.u32 %m, %m, 4;\nand.b32 %x, %a, %m;", 0x09abcde0, 1},
    {"all_sign", ".reg .s32 %m;\nmov.s32 %m, -2;\nshr.s32 %m, %m, 40;\nand.b32 %x, %a, %m;", 0x89abcdef, 0}};

instruction_case work_of(const field_case& c) { return {c.name, c.code, {0x89abcdef, 0, 0, 0, 0, 0}, c.x, 0}; }

class extracted_field : public testing::TestWithParam<field_case> {};

TEST_P(extracted_field, is_what_ptx_defines) { expect_in_compiled_code(work_of(GetParam())); }

TEST_P(extracted_field, needs_no_operation_on_constants) {
  compile_options options;
  options.capability = 10;
  const cubin::kernel kernel =
      compile(run_of(work_of(GetParam())).program.text, "field.ptx", options).kernels.at(0);
  const cubin::kernel without =
      compile(run_of({"none", "", {0x89abcdef}, 0, 0}).program.text, "none.ptx", options).kernels.at(0);
  const auto operations = [](const cubin::kernel& k) {
    unsigned count = 0;
    assembler::walk_code(k.code, [&](const assembler::code_step& step) {
      using isa::tesla::opcode;
      if (!step.instruction) return;
      const opcode op = step.instruction->op;
      if (op == opcode::shl || op == opcode::shr || op == opcode::logic) ++count;
    });
    return count;
  };
  EXPECT_EQ(operations(kernel) - operations(without), GetParam().operations);
}

INSTANTIATE_TEST_SUITE_P(of, extracted_field, testing::ValuesIn(cases),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace gt200::ptx
