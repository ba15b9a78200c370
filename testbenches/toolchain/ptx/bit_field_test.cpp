// Insertions of bit fields whose position and length the compiler knows: some become permutations of bytes.
#include <gtest/gtest.h>

#include <string>
#include <tuple>
#include <vector>

#include "testbenches/toolchain/ptx/instruction_case.h"

namespace gt200::ptx {
namespace {

class inserted_field : public testing::TestWithParam<std::tuple<unsigned, instruction_case>> {};

TEST_P(inserted_field, is_where_ptx_defines) {
  const auto& [capability, work] = GetParam();
  for (const bool optimise : {false, true}) {
    compile_options options;
    options.capability = capability;
    options.optimise = optimise;
    EXPECT_EQ(difference(run_of(work), options), "") << (optimise ? "-O2" : "-O0");
  }
}

// 0x12345605 into 0xffeeddcc.
const std::vector<std::uint32_t> in = {0x12345605, 0xffeeddcc, 0, 0, 0, 0};

instruction_case field(const std::string& position, const std::string& length, std::uint32_t x) {
  return {"at_" + position + "_of_" + length,
          "bfi.b32 %x, %a, %b, " + position + ", " + length + "; mov.u32 %y, %a;", in, x, 0x12345605};
}

const std::vector<instruction_case> cases = {field("0", "32", 0x12345605),   field("8", "24", 0x345605cc),
                                             field("16", "16", 0x5605ddcc),  field("24", "8", 0x05eeddcc),
                                             field("8", "8", 0xffee05cc),    field("0", "0", 0xffeeddcc),
                                             field("32", "0", 0xffeeddcc),   field("32", "4096", 0xffeeddcc),
                                             field("40", "248", 0xffeeddcc), field("264", "24", 0x345605cc)};

INSTANTIATE_TEST_SUITE_P(sm, inserted_field, testing::Combine(testing::Values(20u, 70u), testing::ValuesIn(cases)),
                         [](const auto& tested) {
                           return std::to_string(std::get<0>(tested.param)) + "_" + std::get<1>(tested.param).name;
                         });

}  // namespace
}  // namespace gt200::ptx
