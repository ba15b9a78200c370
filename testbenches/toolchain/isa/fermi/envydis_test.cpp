// Our listing of sm_20 code agrees with envydis (envytools) on random instructions of every row of the table.
//
// envydis is not part of this repository. The environment variable GT200_ENVYDIS names the program; without it the
// test says that it was skipped.
#include <gtest/gtest.h>

#include <cstdlib>

#include "testbenches/toolchain/isa/fermi/envydis_listing.h"
#include "testbenches/toolchain/isa/fermi/random_encodings.h"

namespace gt200::isa::fermi {
namespace {

TEST(envydis, lists_the_same_as_we) {
  const char* program = std::getenv("GT200_ENVYDIS");
  if (program == nullptr) GTEST_SKIP() << "GT200_ENVYDIS does not name envydis of envytools";
  std::vector<std::uint64_t> instructions;
  for (const encoded& e : random_instructions(60)) instructions.push_back(e.words);
  ASSERT_GE(instructions.size(), 10000u);
  const std::vector<std::string> theirs = listed_by_envydis(program, instructions);
  ASSERT_EQ(theirs.size(), instructions.size());
  for (std::size_t k = 0; k < instructions.size(); ++k)
    EXPECT_EQ(comparable_listing(instructions[k], static_cast<std::uint32_t>(8 * k)), comparable_envydis(theirs[k]))
        << std::hex << instructions[k];
}

}  // namespace
}  // namespace gt200::isa::fermi
