// Which parameters of a kernel are pointers: what decides whether the upper half of a 64-bit value may be anything.
#include "toolchain/ptx/pointer_parameters.h"

#include <gmock/gmock.h>

#include "toolchain/ptx/compile.h"

namespace gt200::ptx {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::uint32_t> pointers_of(const std::string& parameters, const std::string& body) {
  const std::string text = ".version 2.3\n.target sm_20\n.address_size 64\n.entry k (" + parameters +
                           ")\n{\n.reg .u64 %d<9>;\n.reg .u32 %r<9>;\n" + body + "exit;\n}\n";
  return compile(text, "k.ptx", {}).kernels.at(0).pointers;
}

TEST(pointer_parameters, what_is_converted_to_global_is_a_pointer) {
  EXPECT_THAT(pointers_of(".param .u32 n, .param .u64 p, .param .u64 q",
                          "ld.param.u64 %d1, [q];\ncvta.to.global.u64 %d2, %d1;\nld.param.u32 %r1, [n];\n"
                          "st.global.u32 [%d2], %r1;\n"),
              ElementsAre(16));
}

TEST(pointer_parameters, the_address_of_an_access_is_a_pointer) {
  EXPECT_THAT(pointers_of(".param .u64 p",
                          "ld.param.u64 %d1, [p];\nld.global.u32 %r1, [%d1+4];\nst.global.u32 [%d1], %r1;\n"),
              ElementsAre(0));
}

// A negative distance has an upper half of ones.
TEST(pointer_parameters, a_number_that_is_added_to_a_pointer_is_none) {
  EXPECT_THAT(pointers_of(".param .u64 p, .param .u64 distance",
                          "ld.param.u64 %d1, [p];\nld.param.u64 %d2, [distance];\ncvta.to.global.u64 %d1, %d1;\n"
                          "add.u64 %d3, %d1, %d2;\nst.global.u32 [%d3], %r1;\n"),
              ElementsAre(0));
}

TEST(pointer_parameters, a_structure_may_hold_one) {
  EXPECT_THAT(pointers_of(".param .align 8 .b8 s[24]",
                          "mov.b64 %d1, s;\nmov.u64 %d2, %d1;\nld.param.u64 %d3, [%d2+8];\n"
                          "cvta.to.global.u64 %d4, %d3;\nst.global.u32 [%d4], %r1;\n"),
              ElementsAre(8));
}

TEST(pointer_parameters, a_number_and_a_pointer_that_memory_holds_are_none) {
  EXPECT_THAT(
      pointers_of(".param .u64 n", "ld.param.u64 %d1, [n];\nadd.u64 %d2, %d1, 1;\nst.shared.u64 [0], %d2;\n"),
      IsEmpty());
}

}  // namespace
}  // namespace gt200::ptx
