// What passes know of the registers of a function while they add some.
#include "toolchain/ptx/machine/definitions.h"

#include <gtest/gtest.h>

#include "toolchain/ptx/compile.h"
#include "toolchain/ptx/volta/writer.h"

namespace gt200::ptx {
namespace {

TEST(definitions, a_register_added_later_is_no_value) {
  volta::machine_function f;
  volta::writer out(f);
  out.continue_in(out.add_block());
  const word_ref known = out.word();
  out.move(known, volta::value::number(3));
  const basic_definitions<volta::machine_function> definitions(f);
  EXPECT_TRUE(definitions.is_value(known));
  const word_ref later = out.word();
  f.registers[static_cast<std::size_t>(later.reg)].fixed = 0;
  EXPECT_FALSE(definitions.is_value(later));
  EXPECT_FALSE(definitions.never_changes(f, later));
  EXPECT_EQ(definitions.only(f, later), nullptr);
  volta::operation reads;
  reads.code.op = isa::volta::opcode::mov;
  reads.code.source[1] = volta::value::of(later).code;
  reads.source[1] = later;
  EXPECT_FALSE(definitions.has_values_only(f, reads));
}

// The factor of i * 3 + n, with n in constant memory, goes to a new register; the sum with j is looked at after
// that.
TEST(definitions, suffice_where_a_factor_moves_to_a_new_register) {
  compile_options options;
  options.capability = 70;
  const cubin::module module = compile(
      ".version 6.0\n.target sm_70\n.address_size 64\n.entry k (.param .u64 to, .param .u32 n)\n{\n.reg .u64 %to;\n"
      ".reg .u32 %i, %j, %n, %s;\nld.param.u64 %to, [to];\nld.param.u32 %n, [n];\nmov.u32 %i, %tid.x;\n"
      "mov.u32 %j, %tid.y;\nmul.lo.u32 %s, %i, 3;\nadd.u32 %s, %s, %n;\nadd.u32 %s, %s, %j;\n"
      "st.global.u32 [%to], %s;\nexit;\n}\n",
      "k.ptx", options);
  EXPECT_EQ(module.kernels.size(), 1u);
}

}  // namespace
}  // namespace gt200::ptx
