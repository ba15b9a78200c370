// Random programs, without and with optimisation, compute what the interpreter computes.
#include <gtest/gtest.h>

#include "testbenches/toolchain/ptx/random_run.h"

namespace gt200::ptx {
namespace {

TEST(random_programs, compute_what_the_interpreter_computes) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const expected_run expected = expect_random_program(seed);
    for (const bool optimise : {false, true}) {
      compile_options options;
      options.optimise = optimise;
      ASSERT_EQ(difference(expected, options), "") << "program " << seed << (optimise ? " -O2" : " -O0");
    }
  }
}

class random_programs_with_predicates : public testing::TestWithParam<unsigned> {};

TEST_P(random_programs_with_predicates, compute_what_the_interpreter_computes) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const expected_run expected = expect_random_program(seed, 20);
    for (const bool optimise : {false, true}) {
      compile_options options;
      options.capability = GetParam();
      options.optimise = optimise;
      ASSERT_EQ(difference(expected, options), "") << "program " << seed << (optimise ? " -O2" : " -O0");
      options.max_registers = 12;
      ASSERT_EQ(difference(expected, options), "") << "program " << seed << " with few registers";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(sm, random_programs_with_predicates, testing::Values(20u, 70u),
                         testing::PrintToStringParamName());

}  // namespace
}  // namespace gt200::ptx
