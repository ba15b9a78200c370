// A single PTX instruction with the results that PTX defines, for the tests of instructions.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "testbenches/toolchain/ptx/random_run.h"

namespace gt200::ptx {

constexpr std::uint32_t minus(std::uint32_t v) { return 0u - v; }
inline constexpr std::uint32_t one_f32 = 0x3f800000;

struct instruction_case {
  std::string name;
  std::string code;  // %a %b %c hold the first words of `in`, %A %B %C its first pairs; results in %x %y
  std::vector<std::uint32_t> in;  // six words
  std::uint32_t x = 0;
  std::uint32_t y = 0;
  std::string functions = "";
  unsigned threads = 1;
};

inline void PrintTo(const instruction_case& c, std::ostream* out) { *out << c.code; }

// A program of it, with what the run must leave in `out`.
expected_run run_of(const instruction_case& c);
// Expects them of the code that the compiler makes without and with optimisation.
void expect_in_compiled_code(const instruction_case& c);

}  // namespace gt200::ptx
