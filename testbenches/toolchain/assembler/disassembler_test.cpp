// A listing assembles to the module it came from.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <set>
#include <sstream>

#include "testbenches/toolchain/module_difference.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/assembler/disassembler.h"
#include "toolchain/assembler/program.h"

namespace gt200::assembler {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string listing_of(const cubin::module& m) {
  std::ostringstream out;
  disassemble_module(m, out);
  return out.str();
}

void expect_identity(const cubin::module& m) {
  const std::string listing = listing_of(m);
  SCOPED_TRACE(listing);
  const cubin::module again = assemble(listing, "listing.s");
  EXPECT_EQ(cubin::difference(m, again), "");
  EXPECT_EQ(listing_of(again), listing);
}

cubin::module module_with(std::vector<std::uint32_t> code) {
  cubin::module m;
  cubin::kernel k;
  k.name = "f";
  k.shared_bytes = 24;
  k.registers = 2;
  k.code = std::move(code);
  m.kernels.push_back(k);
  return m;
}

TEST(disassembler, kernels_of_the_project_survive) {
  std::set<std::string> sources;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::string(GT200_SOURCE_DIR) + "/kernels"))
    if (entry.path().extension() == ".s") sources.insert(entry.path().string());
  EXPECT_GE(sources.size(), 2u);
  for (const std::string& source : sources) expect_identity(program::load(source));
}

TEST(disassembler, every_kind_of_declaration_survives) {
  expect_identity(assemble(
      ".target sm_12\n.const c at 4 u8 1 2 3\n.const d 40\n.global g at 8 u32 7\n.global h 6\n.sampler t 3\n"
      ".entry f\n.param u8 a\n.param u64 b\n.param 12 c2\n.param u16 d2 at 0x40\n.shared s 100\n.local 8\n"
      ".literal l u32 1 2\nbar inc wait 0x2 0xfff\nexit nop\n.end\n.entry g2\nexit nop\n.end",
      "f.s"));
}

TEST(disassembler, branch_targets_become_labels) {
  const cubin::module m = assemble(".entry f\nnop\nhere: (lg $c0) bra here\nexit nop\n.end", "f.s");
  EXPECT_THAT(listing_of(m), HasSubstr("L_0008:\n    (lg $c0) bra L_0008"));
  expect_identity(m);
}

TEST(disassembler, a_target_inside_an_instruction_stays_a_number) {
  const cubin::module m = assemble(".entry f\n(lg $c0) bra 0x4\nexit nop\n.end", "f.s");
  EXPECT_THAT(listing_of(m), HasSubstr("bra 0x4 "));
  EXPECT_THAT(listing_of(m), Not(HasSubstr("L_")));
  expect_identity(m);
}

TEST(disassembler, a_branch_out_of_the_kernel_is_kept_as_words) {
  const cubin::module m = module_with({0x10200003, 0x00000780, 0xd00e0201, 0xa0c00781});
  EXPECT_THAT(listing_of(m), HasSubstr(".word 0x10200003 0x00000780"));
  expect_identity(m);
}

TEST(disassembler, short_and_long_forms_are_distinguished) {
  expect_identity(module_with({0x1100e804, 0x1100ec00, 0x1000c805, 0x0423c780, 0xd00e0201, 0xa0c00781}));
}

TEST(disassembler, undecodable_words_are_kept) {
  const cubin::module m = module_with({0xd00e0201, 0xa0c00781, 0xa0000001, 0xc4024780});
  EXPECT_THAT(listing_of(m), HasSubstr(".word 0xa0000001 0xc4024780"));
  expect_identity(m);
}

TEST(disassembler, bits_the_text_does_not_show_are_kept) {
  // A call with the condition field "always", which the hardware ignores for calls.
  const cubin::module m = module_with({0x20001003, 0x00000780, 0x30000003, 0x00000780});
  expect_identity(m);
}

TEST(disassembler, a_long_instruction_across_a_pair_is_kept_as_words) {
  expect_identity(module_with({0xd00e0201, 0xa0c00781, 0x1100e804, 0xd00e0201, 0xa0c00781}));
}

}  // namespace
}  // namespace gt200::assembler
