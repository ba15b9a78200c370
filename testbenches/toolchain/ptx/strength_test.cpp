// Words that a loop computes from its counter move on with it: a loop has an addition for each, no shifts and no
// products, and the results stay those of PTX.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "testbenches/toolchain/ptx/instruction_case.h"
#include "testbenches/toolchain/ptx/loop_code.h"

namespace gt200::ptx {
namespace {

using isa::tesla::opcode;

struct loop_case {
  std::string name;
  std::string code;
  std::uint32_t x;
  std::size_t operations;  // of the loop, with its branch
};

void PrintTo(const loop_case& c, std::ostream* out) { *out << c.name; }

const std::string declarations = ".reg .u32 %n, %o, %s, %v, %t;\n.reg .u64 %P, %O;\n.reg .pred %m;\n";
const std::string load = "cvt.u64.u32 %O, %o;\nadd.u64 %P, %in, %O;\nld.global.u32 %v, [%P];\n";

// `in` holds 5, 7, 3, 11, 13, 17; the first three are %a, %b, %c.
const std::vector<loop_case> cases = {
    // load, sum, step of the pointer, step of the counter, comparison, branch
    {"a_shifted_counter",
     "mov.u32 %n, 0;\nL:\nshl.b32 %o, %n, 2;\n" + load +
         "add.u32 %x, %x, %v;\nadd.u32 %n, %n, 1;\nsetp.lt.u32 %m, %n, %a;\n@%m bra L;\n",
     5 + 7 + 3 + 11 + 13, 6},
    {"a_counter_that_goes_down",
     "mov.u32 %n, %a;\nL:\nshl.b32 %o, %n, 2;\n" + load +
         "add.u32 %x, %x, %v;\nadd.u32 %n, %n, -1;\nsetp.ne.u32 %m, %n, 0;\n@%m bra L;\n",
     17 + 13 + 11 + 3 + 7, 6},
    {"a_difference",
     "mov.u32 %n, 0;\nL:\nsub.u32 %s, %a, %n;\nshl.b32 %o, %s, 2;\n" + load +
         "add.u32 %x, %x, %v;\nadd.u32 %n, %n, 2;\nsetp.lt.u32 %m, %n, %a;\n@%m bra L;\n",
     17 + 11 + 7, 6},
    // The factor is known to the run alone: the step is a product in front of the loop.
    {"a_product",
     "mov.u32 %n, 0;\nL:\nmul.lo.u32 %s, %n, %c;\nand.b32 %t, %s, 7;\nadd.u32 %x, %x, %t;\nadd.u32 %n, %n, 1;\n"
     "setp.lt.u32 %m, %n, %a;\n@%m bra L;\n",
     0 + 3 + 6 + 1 + 4, 6},
    {"a_product_with_a_sum",
     "mov.u32 %n, 0;\nL:\nadd.u32 %s, %n, %b;\nmul.lo.u32 %s, %s, %c;\nand.b32 %t, %s, 15;\nadd.u32 %x, %x, %t;\n"
     "add.u32 %n, %n, 1;\nsetp.lt.u32 %m, %n, %a;\n@%m bra L;\n",
     5 + 8 + 11 + 14 + 1, 6},
    {"a_shift_of_a_word_that_moves_by_a_word",
     "mov.u32 %n, %b;\nmov.u32 %t, %a;\nL:\nshl.b32 %s, %n, 3;\nadd.u32 %s, %s, %b;\nxor.b32 %x, %x, %s;\n"
     "add.u32 %n, %n, %c;\nsub.u32 %t, %t, 1;\nsetp.ne.u32 %m, %t, 0;\n@%m bra L;\n",
     63u ^ 87u ^ 111u ^ 135u ^ 159u, 5},
    // The counter moves before the word is read: a copy of it stays behind, which costs what the shift did.
    {"a_word_that_is_read_behind_the_step",
     "mov.u32 %n, 0;\nL:\nshl.b32 %s, %n, 2;\nadd.u32 %s, %s, %b;\nadd.u32 %n, %n, 1;\nxor.b32 %x, %x, %s;\n"
     "setp.lt.u32 %m, %n, %a;\n@%m bra L;\n",
     7u ^ 11u ^ 15u ^ 19u ^ 23u, 6},
    {"not_a_product_of_two_counters",
     "mov.u32 %n, 0;\nmov.u32 %t, 0;\nL:\nmul24.lo.u32 %s, %n, %t;\nadd.u32 %x, %x, %s;\nadd.u32 %n, %n, 1;\n"
     "add.u32 %t, %t, 2;\nsetp.lt.u32 %m, %n, %a;\n@%m bra L;\n",
     0 + 2 + 8 + 18 + 32, 6},
    {"not_a_word_that_is_set_anew",
     "mov.u32 %n, 1;\nL:\nshl.b32 %s, %n, 2;\nadd.u32 %s, %s, %b;\nxor.b32 %x, %x, %s;\nshl.b32 %n, %n, 1;\n"
     "setp.lt.u32 %m, %n, 9;\n@%m bra L;\n",
     11u ^ 15u ^ 23u ^ 39u, 6},
};

instruction_case work_of(const loop_case& c) {
  return {c.name, declarations + c.code, {5, 7, 3, 11, 13, 17}, c.x, 0};
}

class loop_with_moving_words : public testing::TestWithParam<loop_case> {};

TEST_P(loop_with_moving_words, gives_what_ptx_defines) {
  for (const unsigned capability : {10u, 13u, 20u, 70u})
    for (const bool optimise : {false, true}) {
      compile_options options;
      options.capability = capability;
      options.optimise = optimise;
      EXPECT_EQ(difference(run_of(work_of(GetParam())), options), "")
          << "capability " << capability << (optimise ? " -O2" : " -O0");
    }
}

TEST_P(loop_with_moving_words, computes_no_word_anew_where_an_addition_suffices) {
  const cubin::kernel kernel = compile(run_of(work_of(GetParam())).program.text, "loop.ptx", {}).kernels.at(0);
  EXPECT_EQ(inner_loop(kernel).size(), GetParam().operations);
}

INSTANTIATE_TEST_SUITE_P(of, loop_with_moving_words, testing::ValuesIn(cases),
                         [](const auto& tested) { return tested.param.name; });

// The inner loop begins where it ended in the round before: its counter has to count on.
TEST(counter_of_an_inner_loop, counts_on_if_the_next_round_begins_there) {
  const std::string code = declarations +
                           ".reg .u32 %k;\nmov.u32 %n, 0;\nmov.u32 %k, 0;\nOUTER:\nmov.u32 %t, 0;\nL:\n"
                           "shl.b32 %s, %n, 2;\nadd.u32 %s, %s, %b;\nxor.b32 %x, %x, %s;\nadd.u32 %n, %n, 1;\n"
                           "add.u32 %t, %t, 1;\nsetp.lt.u32 %m, %t, %c;\n@%m bra L;\nadd.u32 %k, %k, 1;\n"
                           "setp.lt.u32 %m, %k, 2;\n@%m bra OUTER;\n";
  expect_in_compiled_code({"nested", code, {5, 7, 3, 0, 0, 0}, 7u ^ 11u ^ 15u ^ 19u ^ 23u ^ 27u, 0});
}

}  // namespace
}  // namespace gt200::ptx
