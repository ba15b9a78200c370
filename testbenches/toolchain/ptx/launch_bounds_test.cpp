// Bounds of launches (.maxntid, .reqntid, .minnctapersm, .maxnreg): a block of the largest size fits into an SM,
// and the kernel carries its bounds to the launch, through ELF cubins too.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <sstream>
#include <string>

#include "toolchain/cubin/elf_writer.h"
#include "toolchain/cubin/load.h"
#include "toolchain/error.h"
#include "toolchain/launch/abi.h"
#include "toolchain/launch/fermi/abi.h"
#include "toolchain/ptx/compile.h"

namespace gt200::ptx {
namespace {

// Loads many words, which all live until the last is there.
std::string kernel_with(const std::string& bounds, unsigned words = 100) {
  std::string text = ".version 3.1\n.target sm_20\n.address_size 64\n.entry k (.param .u64 at) " + bounds +
                     "\n{\n.reg .u64 %at; .reg .u32 %r<128>;\nld.param.u64 %at, [at];\n";
  for (unsigned k = 0; k < words; ++k) text += fmt::format("ld.global.u32 %r{}, [%at+{}];\n", k, 4 * k);
  for (unsigned k = 0; k < words; ++k) text += fmt::format("st.global.u32 [%at+{}], %r{};\n", 4 * k, words - 1 - k);
  return text + "exit;\n}\n";
}

cubin::kernel compiled(const std::string& bounds, unsigned capability, unsigned words = 100) {
  compile_options options;
  options.capability = capability;
  return compile(kernel_with(bounds, words), "k.ptx", options).kernels.at(0);
}

TEST(maxnreg, is_the_most_registers) {
  for (const unsigned capability : {13u, 20u, 70u}) {
    const cubin::kernel kernel = compiled(".maxnreg 12", capability);
    EXPECT_LE(kernel.registers, 12u) << "sm_" << capability;
    EXPECT_GT(kernel.local_bytes, 0u) << "the rest is spilled";
    EXPECT_GT(compiled("", capability).registers, 50u);
  }
}

struct largest_block {
  unsigned capability;
  std::string bounds;
  unsigned registers;
};

void PrintTo(const largest_block& c, std::ostream* out) { *out << "sm_" << c.capability << " " << c.bounds; }

class block_of : public testing::TestWithParam<largest_block> {};

TEST_P(block_of, the_largest_size_fits_into_an_sm) {
  const auto& [capability, bounds, registers] = GetParam();
  EXPECT_LE(compiled(bounds, capability).registers, registers);
  EXPECT_GE(compiled(bounds, capability).registers, registers - 2) << "and no smaller than needed";
}

INSTANTIATE_TEST_SUITE_P(
    sizes, block_of,
    testing::Values(largest_block{10, ".maxntid 256", 32}, largest_block{11, ".maxntid 512, 1, 1", 16},
                    largest_block{12, ".maxntid 512, 1, 1", 32}, largest_block{13, ".maxntid 16, 16, 2", 32},
                    largest_block{13, ".reqntid 500", 32}, largest_block{20, ".maxntid 1024, 1, 1", 32},
                    largest_block{20, ".maxntid 768", 42}, largest_block{20, ".reqntid 512, 1, 2", 32},
                    largest_block{20, ".maxntid 512\n.minnctapersm 3", 21}, largest_block{70, ".maxntid 1024", 64},
                    largest_block{70, ".maxntid 256, 2\n.minnctapersm 2", 64}));

TEST(minnctapersm, is_only_a_wish) {
  EXPECT_GT(compiled(".maxntid 1024\n.minnctapersm 32", 20).registers, 20u)
      << "with one register nothing can be compiled";
}

TEST(bounds, that_are_no_numbers_of_threads_are_refused) {
  for (const char* wrong : {".maxntid 0", ".reqntid 70000", ".maxnreg 0"})
    EXPECT_THROW(compiled(wrong, 20), input_error) << wrong;
}

TEST(bounds, come_through_elf_cubins) {
  for (const unsigned capability : {13u, 20u, 70u}) {
    compile_options options;
    options.capability = capability;
    const cubin::module module = compile(kernel_with(".maxntid 64, 4, 1 .reqntid 32, 2, 1", 4), "k.ptx", options);
    std::ostringstream file;
    cubin::write_elf_cubin(module, file);
    const cubin::kernel read = cubin::read_module(file.str(), "k.cubin").kernels.at(0);
    EXPECT_EQ(read.largest_block, (std::array<std::uint32_t, 3>{64, 4, 1}));
    EXPECT_EQ(read.required_block, (std::array<std::uint32_t, 3>{32, 2, 1}));
  }
}

std::string refusal_of(const std::string& bounds, unsigned capability, std::array<std::uint32_t, 3> block) {
  const cubin::kernel kernel = compiled(bounds, capability, 2);
  launch::launch_parameters launch;
  launch.kernel = &kernel;
  launch.block = block;
  launch.parameter_bytes.resize(8);
  return capability < 20 ? launch::refusal(launch) : launch::fermi::refusal(launch);
}

TEST(launches, beyond_the_bounds_are_refused) {
  for (const unsigned capability : {13u, 20u}) {
    EXPECT_EQ(refusal_of(".maxntid 64, 2, 1", capability, {16, 8, 1}), "") << "only the number of threads counts";
    EXPECT_EQ(refusal_of(".maxntid 64, 2, 1", capability, {129, 1, 1}),
              "the block has 129 threads, the kernel allows at most 128 (.maxntid, __launch_bounds__)");
    EXPECT_EQ(refusal_of(".reqntid 64, 2, 1", capability, {64, 2, 1}), "");
    EXPECT_EQ(refusal_of(".reqntid 64, 2, 1", capability, {128, 1, 1}),
              "the block is 128 x 1 x 1, the kernel requires 64 x 2 x 1 (.reqntid)");
  }
}

}  // namespace
}  // namespace gt200::ptx
