// The types of a kernel's parameters, for whoever has a number to pass.
#include "toolchain/ptx/parameter_types.h"

#include <gmock/gmock.h>

#include "toolchain/ptx/compile.h"

namespace gt200::ptx {
namespace {

using testing::ElementsAre;

parameter_types types_of(const std::string& text) {
  parameter_types types;
  compile_options options;
  options.types = &types;
  compile(text, "k.ptx", options);
  return types;
}

TEST(parameter_types, are_those_that_the_source_declares) {
  const auto types = types_of(
      ".version 2.3\n.target sm_20\n.address_size 64\n"
      ".entry k (.param .u32 n, .param .f32 x, .param .s8 c, .param .f64 y, .param .u64 p)\n{\nexit;\n}\n"
      ".entry l (.param .f32 x)\n{\nexit;\n}\n");
  using kind = number_kind;
  EXPECT_THAT(types.at("k"), ElementsAre(kind::integer, kind::real, kind::integer, kind::real, kind::integer));
  EXPECT_THAT(types.at("l"), ElementsAre(kind::real));
}

TEST(parameter_types, are_unknown_of_bits_arrays_and_structures) {
  const auto types = types_of(
      ".version 2.3\n.target sm_20\n.entry k (.param .b32 bits, .param .align 8 .b8 structure[16], "
      ".param .f32 four[4])\n{\nexit;\n}\n");
  EXPECT_THAT(types.at("k"), ElementsAre(number_kind::none, number_kind::none, number_kind::none));
}

TEST(parameter_types, of_an_old_entry_stand_in_its_body) {
  const auto types =
      types_of(".version 1.2\n.target sm_13\n.entry k\n{\n.param .f32 x;\n.param .u32 n;\nexit;\n}\n");
  EXPECT_THAT(types.at("k"), ElementsAre(number_kind::real, number_kind::integer));
}

}  // namespace
}  // namespace gt200::ptx
