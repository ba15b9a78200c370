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

}  // namespace
}  // namespace gt200::ptx
