// The carry of differences, where the lower word subtracted is a 0 that the compiler knows: nothing is borrowed.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "testbenches/toolchain/ptx/instruction_case.h"

namespace gt200::ptx {
namespace {

class difference_of_words : public testing::TestWithParam<std::tuple<unsigned, instruction_case>> {};

TEST_P(difference_of_words, borrows_what_ptx_defines) {
  const auto& [capability, work] = GetParam();
  for (const bool optimise : {false, true}) {
    compile_options options;
    options.capability = capability;
    options.optimise = optimise;
    EXPECT_EQ(difference(run_of(work), options), "") << (optimise ? "-O2" : "-O0");
  }
}

// %A is 0x00000007'00000005, %c is 3. The number whose lower word is known is in a register written once.
const std::vector<std::uint32_t> in = {5, 7, 3, 0, 0, 0};

instruction_case difference_case(const std::string& name, const std::string& code, std::uint32_t x,
                                 std::uint32_t y) {
  return {name, ".reg .u64 %K; .reg .u32 %k;\n" + code, in, x, y};
}
instruction_case wide_case(const std::string& name, const std::string& code, std::uint32_t x, std::uint32_t y) {
  return difference_case(name, code + " mov.b64 {%x, %y}, %X;", x, y);
}

const std::vector<instruction_case> cases = {
    wide_case("shifted", "shl.b64 %K, %A, 32; sub.s64 %X, %A, %K;", 5, 2),
    wide_case("minus_shifted", "shl.b64 %K, %A, 32; neg.s64 %X, %K;", 0, minus(5)),
    wide_case("number_in_register", "mov.u64 %K, 0x100000000; sub.s64 %X, %A, %K;", 5, 6),
    wide_case("number", "sub.s64 %X, %A, 0x200000000;", 5, 5),
    wide_case("from_number", "shl.b64 %K, %A, 32; sub.s64 %X, 0x900000001, %K;", 1, 4),
    wide_case("from_shifted", "shl.b64 %K, %A, 32; sub.s64 %X, %K, %A;", minus(5), minus(3)),
    wide_case("zero", "mov.u64 %K, 0; sub.s64 %X, %A, %K;", 5, 7),
    wide_case("absolute", "shl.b64 %K, %A, 63; abs.s64 %X, %K;", 0, 0x80000000),
    difference_case("sub_cc_number", "sub.cc.u32 %x, %a, 0; subc.u32 %y, %b, %c;", 5, 4),
    difference_case("sub_cc_register", "mov.u32 %k, 0; sub.cc.u32 %x, %a, %k; subc.u32 %y, %b, %c;", 5, 4),
    difference_case("sub_cc_zeros", "mov.u32 %k, 0; sub.cc.u32 %x, %k, %k; subc.u32 %y, %b, %k;", 0, 7),
    difference_case("subc_cc", "mov.u32 %k, 0; sub.cc.u32 %w, %k, %a; subc.cc.u32 %x, %b, %k; subc.u32 %y, %c, %k;",
                    6, 3),
};

INSTANTIATE_TEST_SUITE_P(sm, difference_of_words,
                         testing::Combine(testing::Values(13u, 20u, 70u), testing::ValuesIn(cases)),
                         [](const auto& tested) {
                           return std::to_string(std::get<0>(tested.param)) + "_" + std::get<1>(tested.param).name;
                         });

}  // namespace
}  // namespace gt200::ptx
