// Register allocation: what fits gets hardware registers, and the rest goes to local memory, however few there are.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "toolchain/cuda/compile.h"
#include "toolchain/error.h"
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

// `words` words change in every round of a loop. Behind it they are summed, with two others that the loop does not
// read.
std::string loop_between(unsigned words) {
  std::string text =
      ".version 1.4\n.target sm_10\n.entry k (.param .u64 in, .param .u64 out)\n{\n.reg .u64 %in, %out;\n"
      ".reg .u32 %a, %b, %n, %w, %s<40>;\n.reg .pred %m;\nld.param.u64 %in, [in];\nld.param.u64 %out, [out];\n"
      "ld.global.u32 %a, [%in];\nld.global.u32 %b, [%in+4];\nld.global.u32 %n, [%in+8];\n";
  for (unsigned k = 0; k < words; ++k) text += fmt::format("ld.global.u32 %s{}, [%in+{}];\n", k, 12 + 4 * k);
  text += "LOOP:\n";
  for (unsigned k = 0; k < words; ++k) text += fmt::format("xor.b32 %s{0}, %s{0}, %s{1};\n", k, (k + 1) % words);
  text += "sub.u32 %n, %n, 1;\nsetp.ne.u32 %m, %n, 0;\n@%m bra LOOP;\nadd.u32 %w, %a, %b;\n";
  for (unsigned k = 0; k < words; ++k) text += fmt::format("add.u32 %w, %w, %s{};\n", k);
  return text + "st.global.u32 [%out], %w;\nexit;\n}\n";
}

// The words, the counter, and the sum of the two others instead of both. The pointer stays in s[].
TEST(registers, hold_through_a_loop_what_is_made_of_two_words_instead_of_both) {
  compile_options options;
  options.capability = 10;
  const cubin::kernel kernel = compiled(loop_between(8), options);
  EXPECT_EQ(kernel.registers, 8u + 1 + 1);
  EXPECT_EQ(kernel.local_bytes, 0u);
}

cubin::kernel compiled_cuda(const std::string& file, const std::string& name, const compile_options& options) {
  for (const cubin::kernel& k : cuda::compile(GT200_SOURCE_DIR "/" + file, options).kernels)
    if (k.name == name) return k;
  throw input_error("there is no kernel " + name);
}

// 8,192 registers: three blocks of 256 threads with 10 registers each, two with 11.
TEST(registers, of_the_tiled_matrix_product_let_three_blocks_into_an_sm_of_a_g80) {
  if (!cuda::clang_available()) GTEST_SKIP() << "there is no clang";
  compile_options options;
  options.capability = 10;
  EXPECT_LE(compiled_cuda("testbenches/validation/unseen/matrix_tiles.cu", "tiles_in_loop", options).registers,
            10u);
  EXPECT_LE(compiled_cuda("kernels/matrix_mul/matrix_mul.cu", "matrixMul_bs16_32bit", options).registers, 10u);
}

TEST(registers, ten_suffice_for_the_tiled_matrix_product_without_local_memory) {
  if (!cuda::clang_available()) GTEST_SKIP() << "there is no clang";
  for (const unsigned capability : {10u, 13u}) {
    compile_options options;
    options.capability = capability;
    options.max_registers = 10;
    EXPECT_EQ(compiled_cuda("testbenches/validation/unseen/matrix_tiles.cu", "tiles_in_loop", options).local_bytes,
              0u);
    EXPECT_EQ(compiled_cuda("kernels/matrix_mul/matrix_mul.cu", "matrixMul_bs16_32bit", options).local_bytes, 0u);
  }
}

}  // namespace
}  // namespace gt200::ptx
