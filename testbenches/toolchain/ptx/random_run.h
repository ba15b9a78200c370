// Runs a random program through the interpreter, and through compiler and emulator.
#pragma once

#include <cstdint>
#include <string>

#include "testbenches/toolchain/ptx/random_program.h"
#include "toolchain/ptx/compile.h"

namespace gt200::ptx {

// The words of `out` that the interpreter computes, and a launch description (TOML) that expects them.
struct expected_run {
  random_program program;
  std::vector<std::uint32_t> out;
  std::string launch;
};
expected_run expect_random_program(std::uint64_t seed, unsigned capability = 13);
expected_run expect_of(const random_program& program, std::uint64_t seed);  // a program that differs a little

// Empty if compiled code leaves the same words, otherwise the difference. Registers and shared memory start with a
// pattern made from `initial_state`.
std::string difference(const expected_run& expected, const compile_options& options,
                       std::uint64_t initial_state = 5);

}  // namespace gt200::ptx
