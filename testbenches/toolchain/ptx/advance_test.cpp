// Addresses that a loop advances: $a counts instead of a general register, and the results stay those of PTX.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testbenches/toolchain/ptx/instruction_case.h"
#include "toolchain/assembler/code_walk.h"

namespace gt200::ptx {
namespace {

struct loop_case {
  std::string name;
  std::string code;
  std::uint32_t x;
  unsigned additions;  // to address registers
};

void PrintTo(const loop_case& c, std::ostream* out) { *out << c.name; }

// tile[k] = k + 1 for 16 words; %t points to it. This loop adds to no address register: its store comes after the
// step of the counter that its address was made from.
const std::string filled =
    ".shared .align 4 .b8 tile[64];\n.reg .u32 %t, %n, %p, %s, %v, %o, %count, %place, %bytes;\n.reg .pred %m, "
    "%odd, %full;\n"
    "mov.u32 %t, tile;\nmov.u32 %count, 0;\nFILL:\nshl.b32 %bytes, %count, 2;\nadd.u32 %place, %t, %bytes;\n"
    "add.u32 %count, %count, 1;\nst.shared.u32 [%place], %count;\nsetp.lt.u32 %full, %count, 16;\n@%full bra "
    "FILL;\n";

// %a (5, from memory) words are summed.
const std::vector<loop_case> cases = {
    {"a_pointer",
     "mov.u32 %p, %t;\nmov.u32 %n, %a;\nL:\nld.shared.u32 %v, [%p];\nadd.u32 %x, %x, %v;\nadd.u32 %p, %p, 4;\n"
     "sub.u32 %n, %n, 1;\nsetp.ne.u32 %m, %n, 0;\n@%m bra L;\n",
     1 + 2 + 3 + 4 + 5, 1},
    {"a_pointer_that_goes_back",
     "add.u32 %p, %t, 60;\nmov.u32 %n, %a;\nL:\nld.shared.u32 %v, [%p+-4];\nadd.u32 %x, %x, %v;\nsub.u32 %n, %n, "
     "1;\n"
     "add.u32 %p, %p, -8;\nsetp.ne.u32 %m, %n, 0;\n@%m bra L;\n",
     15 + 13 + 11 + 9 + 7, 1},
    {"a_sum_with_the_counter_of_the_loop",
     "mov.u32 %n, 0;\nL:\nadd.u32 %p, %t, %n;\nld.shared.u32 %v, [%p];\nadd.u32 %x, %x, %v;\nadd.u32 %n, %n, 4;\n"
     "setp.lt.u32 %m, %n, 40;\n@%m bra L;\n",
     55, 1},
    {"a_shifted_counter",
     "mov.u32 %n, %a;\nL:\nshl.b32 %o, %n, 2;\nadd.u32 %p, %t, %o;\nld.shared.u32 %v, [%p];\nadd.u32 %x, %x, %v;\n"
     "add.u32 %n, %n, 2;\nsetp.lt.u32 %m, %n, 15;\n@%m bra L;\n",
     6 + 8 + 10 + 12 + 14, 1},
    {"a_counter_that_moves_in_one_branch",
     "mov.u32 %n, 0;\nmov.u32 %o, 0;\nL:\nadd.u32 %p, %t, %n;\nld.shared.u32 %v, [%p];\nadd.u32 %x, %x, %v;\n"
     "add.u32 %o, %o, 1;\nand.b32 %s, %o, 1;\nsetp.eq.u32 %odd, %s, 1;\n@%odd bra STAY;\nst.shared.u32 [%t], %o;\n"
     "ld.global.u32 %w, [%in];\nadd.u32 %y, %y, %w;\nmul.lo.u32 %y, %y, %o;\nadd.u32 %y, %y, %w;\nmov.u32 %y, 0;\n"
     "add.u32 %n, %n, 4;\nSTAY:\nsetp.lt.u32 %m, %o, 6;\n@%m bra L;\n",
     1 + 1 + 2 + 2 + 3 + 3, 1},
    // The load is an operand of the sum. With an address that has moved on before the sum, it could not be.
    {"a_shifted_counter_that_moves_between_load_and_use",
     "mov.u32 %n, 0;\nL:\nshl.b32 %o, %n, 2;\nadd.u32 %p, %t, %o;\nld.shared.u32 %v, [%p];\nadd.u32 %n, %n, 1;\n"
     "add.u32 %x, %x, %v;\nsetp.lt.u32 %m, %n, 5;\n@%m bra L;\n",
     1 + 2 + 3 + 4 + 5, 0},
    {"not_an_address_of_the_round_before",
     "mov.u32 %n, 0;\nL:\nadd.u32 %p, %t, %n;\nadd.u32 %n, %n, 4;\nst.shared.u32 [%t+60], %n;\nld.shared.u32 %v, "
     "[%p];\n"
     "add.u32 %x, %x, %v;\nsetp.lt.u32 %m, %n, 20;\n@%m bra L;\n",
     15, 0},
    {"not_a_pointer_that_is_needed_besides",
     "mov.u32 %p, %t;\nmov.u32 %n, %a;\nL:\nld.shared.u32 %v, [%p];\nadd.u32 %x, %x, %v;\nadd.u32 %p, %p, 4;\n"
     "sub.u32 %n, %n, 1;\nsetp.ne.u32 %m, %n, 0;\n@%m bra L;\nsub.u32 %p, %p, %t;\nadd.u32 %x, %x, %p;\n",
     15 + 20, 0},
    {"not_a_word_that_is_set_anew",
     "mov.u32 %n, 0;\nmov.u32 %o, 0;\nL:\nadd.u32 %p, %t, %n;\nld.shared.u32 %v, [%p];\nadd.u32 %x, %x, %v;\n"
     "mul.lo.u32 %n, %n, 3;\nadd.u32 %n, %n, 4;\nadd.u32 %o, %o, 1;\nsetp.lt.u32 %m, %o, 3;\n@%m bra L;\n",
     1 + 2 + 5, 0},
};

class loop_with_addresses : public testing::TestWithParam<loop_case> {};

TEST_P(loop_with_addresses, gives_what_ptx_defines) {
  const instruction_case work = {GetParam().name, filled + GetParam().code, {5, 7, 3, 0, 0, 0}, GetParam().x, 0};
  for (const unsigned capability : {10u, 13u, 20u, 70u})
    for (const bool optimise : {false, true}) {
      compile_options options;
      options.capability = capability;
      options.optimise = optimise;
      EXPECT_EQ(difference(run_of(work), options), "")
          << "capability " << capability << (optimise ? " -O2" : " -O0");
    }
}

TEST_P(loop_with_addresses, adds_to_them_where_that_is_shorter) {
  const instruction_case work = {GetParam().name, filled + GetParam().code, {5, 7, 3, 0, 0, 0}, GetParam().x, 0};
  const cubin::kernel kernel = compile(run_of(work).program.text, "loop.ptx", {}).kernels.at(0);
  unsigned additions = 0;
  assembler::walk_code(kernel.code, [&](const assembler::code_step& step) {
    if (step.instruction && step.instruction->op == isa::tesla::opcode::add_to_a) ++additions;
  });
  EXPECT_EQ(additions, GetParam().additions);
}

INSTANTIATE_TEST_SUITE_P(of, loop_with_addresses, testing::ValuesIn(cases),
                         [](const auto& tested) { return tested.param.name; });

// Five pointers, four address registers.
TEST(loop_with_more_addresses_than_registers, gives_what_ptx_defines) {
  std::string code = ".reg .u32 %P<5>, %W;\nmov.u32 %n, %a;\n";
  for (unsigned k = 0; k < 5; ++k)  // at word 2 k, which only the run knows
    code += fmt::format("sub.u32 %W, %c, {};\nshl.b32 %W, %W, 2;\nadd.u32 %P{}, %t, %W;\n",
                        static_cast<int>(3 - 2 * k), k);
  code += "L:\n";
  for (unsigned k = 0; k < 5; ++k)
    code += fmt::format("ld.shared.u32 %v, [%P{0}];\nadd.u32 %x, %x, %v;\nadd.u32 %P{0}, %P{0}, 4;\n", k);
  code += "sub.u32 %n, %n, 1;\nsetp.ne.u32 %m, %n, 0;\n@%m bra L;\n";
  const std::uint32_t sum = 15 + 25 + 35 + 45 + 55;
  expect_in_compiled_code({"five", filled + code, {5, 7, 3, 0, 0, 0}, sum, 0});
}

}  // namespace
}  // namespace gt200::ptx
