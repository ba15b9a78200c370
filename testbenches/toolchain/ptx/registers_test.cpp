// Register allocation: what fits gets hardware registers, and the rest goes to local memory, however few there are.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "toolchain/ptx/compile.h"

namespace gt200::ptx {
namespace {

// Many numbers of 64 bits and as many quotients of them, all live to the end. Long divisions use halves of
// registers, which only half of all registers have.
std::string divisions(unsigned count) {
  std::string text =
      ".version 1.4\n.target sm_13\n.entry k (.param .u64 memory)\n{\n.reg .u64 %at;\n.reg .u64 %d<40>;\n"
      ".reg .f64 %e<40>;\nld.param.u64 %at, [memory];\n";
  for (unsigned k = 0; k < count; ++k)
    text += fmt::format("ld.global.f64 %e{0}, [%at+{1}];\nld.global.u64 %d{0}, [%at+{1}];\n", k, 8 * k);
  for (unsigned k = 0; k < count; ++k)
    text += fmt::format("div.rn.f64 %e{0}, %e{1}, %e{2};\ndiv.u64 %d{0}, %d{1}, %d{2};\n", k, 7 * k % count,
                        (3 * k + 1) % count);
  for (unsigned k = 0; k < count; ++k)
    text += fmt::format("st.global.f64 [%at+{1}], %e{0};\nst.global.u64 [%at+{2}], %d{0};\n", k, 8 * k,
                        8 * (count + k));
  return text + "exit;\n}\n";
}

cubin::kernel compiled(const std::string& text, const compile_options& options) {
  return compile(text, "k.ptx", options).kernels.at(0);
}

TEST(registers, suffice_when_halves_of_some_are_used) {
  for (const bool optimise : {false, true}) {
    compile_options options;
    options.optimise = optimise;
    const cubin::kernel kernel = compiled(divisions(20), options);
    EXPECT_EQ(kernel.local_bytes, 0u) << (optimise ? "-O2" : "-O0");
    EXPECT_LE(kernel.registers, 124u);
  }
}

TEST(registers, as_few_as_eight_suffice_for_a_long_program) {
  compile_options options;
  options.max_registers = 8;
  const cubin::kernel kernel = compiled(divisions(6), options);
  EXPECT_LE(kernel.registers, 8u);
  EXPECT_GT(kernel.local_bytes, 0u);
}

}  // namespace
}  // namespace gt200::ptx
