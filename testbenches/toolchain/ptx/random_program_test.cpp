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

TEST(random_programs, for_sm_20_compute_what_the_interpreter_computes) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const expected_run expected = expect_random_program(seed, 20);
    for (const bool optimise : {false, true}) {
      compile_options options;
      options.capability = 20;
      options.optimise = optimise;
      ASSERT_EQ(difference(expected, options), "") << "program " << seed << (optimise ? " -O2" : " -O0");
      options.max_registers = 12;
      ASSERT_EQ(difference(expected, options), "") << "program " << seed << " with few registers";
    }
  }
}

}  // namespace
}  // namespace gt200::ptx
