// Forms of PTX that real compilers write and that the language's grammar does not show at once.
#include <gtest/gtest.h>

#include <string>

#include "toolchain/error.h"
#include "toolchain/ptx/compile.h"

namespace gt200::ptx {
namespace {

const std::string head = ".version 1.4\n.target sm_13\n";
const std::string kernel = ".entry k ()\n{\nexit;\n}\n";

TEST(forms, a_prototype_without_a_semicolon_ends_at_the_next_directive) {
  const std::string prototypes =
      ".visible .func (.param .s32 r) f (.param .s32 a)\n.extern .func g (.reg .u32 x)\n.func h\n";
  const cubin::module module = compile(head + prototypes + kernel, "f.ptx");
  ASSERT_EQ(module.kernels.size(), 1u);
  EXPECT_EQ(module.kernels[0].name, "k");
  EXPECT_EQ(compile(head + kernel + ".extern .func g (.reg .u32 x)", "f.ptx").kernels.size(), 1u);
}

TEST(forms, a_prototype_is_followed_by_nothing_else) {
  EXPECT_THROW(compile(head + ".func f (.reg .u32 a) add.u32 a, a, 1;\n" + kernel, "f.ptx"), input_error);
}

TEST(forms, lines_of_dwarf_are_skipped_wherever_they_stand) {
  const std::string dwarf = "\t@@DWARF\t.section .debug_info, \"\", @progbits\n\t@@DWARF\t.4byte .L'nonsense \"\n";
  EXPECT_EQ(compile(head + dwarf + kernel + dwarf, "f.ptx").kernels.size(), 1u);
  EXPECT_EQ(compile(head + ".entry k ()\n{\n" + dwarf + "exit;\n}\n", "f.ptx").kernels.size(), 1u);
}

TEST(forms, sections_are_skipped) {
  const std::string section = ".section .debug_abbrev\n{\n.b8 1, 17\n.b64 $L__begin0\n}\n";
  EXPECT_EQ(compile(head + kernel + section, "f.ptx").kernels.size(), 1u);
}

TEST(forms, places_in_inlined_functions_are_read) {
  const std::string code =
      ".entry k (.param .u32 a)\n{\n.loc 1 5 0\n$L__tmp0:\n"
      ".loc 1 6 19, function_name $L__info_string0, inlined_at 1 5 0\n"
      ".loc\t1 7 2, function_name $L__info_string0+24, inlined_at 1 6 19\nexit;\n}\n";
  for (const unsigned capability : {13u, 20u, 70u}) {
    compile_options options;
    options.capability = capability;
    EXPECT_EQ(compile(head + code, "f.ptx", options).kernels.size(), 1u);
  }
  EXPECT_THROW(compile(head + ".entry k ()\n{\n.loc 1 6 1, inlined_at 1 5\nexit;\n}\n", "f.ptx"), input_error);
}

const std::string impossible = ".entry bad (.param .u32 a)\n{\n.reg .u32 %r, %q;\nld.u32 %r, [%q];\nexit;\n}\n";

TEST(forms, a_kernel_that_cannot_run_does_not_refuse_its_module) {
  std::vector<std::string> notes;
  compile_options options;
  options.notes = &notes;
  const cubin::module module = compile(head + impossible + kernel, "f.ptx", options);
  ASSERT_EQ(module.kernels.size(), 1u);
  EXPECT_EQ(module.kernels[0].name, "k");
  ASSERT_EQ(module.refused.size(), 1u);
  EXPECT_EQ(module.refused[0].name, "bad");
  EXPECT_NE(module.refused[0].reason.find("f.ptx:6:1: ld.u32: the state space of '%q' is not known"),
            std::string::npos)
      << module.refused[0].reason;
  ASSERT_EQ(notes.size(), 1u);
  EXPECT_NE(notes[0].find("kernel 'bad' is left out"), std::string::npos);
}

TEST(forms, a_module_without_a_possible_kernel_is_refused_with_the_reason_of_the_first) {
  try {
    compile(head + impossible, "f.ptx");
    FAIL();
  } catch (const input_error& error) {
    EXPECT_NE(std::string(error.what()).find("the state space of '%q' is not known"), std::string::npos);
  }
}

TEST(forms, memory_of_module_scope_is_counted_for_kernels_that_use_it) {
  const std::string memory = ".local .align 4 .b8 scratch[64];\n";
  const std::string user = ".entry u ()\n{\n.reg .u32 %r;\nmov.u32 %r, 1;\nst.local.u32 [scratch], %r;\nexit;\n}\n";
  const cubin::module module = compile(head + memory + user + kernel, "f.ptx");
  EXPECT_EQ(module.find("u")->local_bytes, 64u);
  EXPECT_EQ(module.find("k")->local_bytes, 0u);
}

TEST(forms, a_name_of_module_scope_is_declared_once) {
  EXPECT_THROW(compile(head + ".reg .u32 %r;\n.reg .u32 %r;\n" + kernel, "f.ptx"), input_error);
  const std::string again = ".entry k ()\n{\n.reg .u32 %r;\nexit;\n}\n";
  EXPECT_THROW(compile(head + ".reg .u32 %r;\n" + again, "f.ptx"), input_error);
}

TEST(forms, a_texture_is_named_by_a_register_that_holds_its_handle) {
  const std::string fetch =
      ".entry k ()\n{\n.reg .u64 %t, %u;\n.reg .f32 %f<6>;\nmov.u64 %t, second;\nmov.u64 %u, %t;\n"
      "tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%u, {%f4, %f4, %f4, %f4}];\nexit;\n}\n";
  const std::string textures = ".global .texref first;\n.global .texref second;\n";
  const cubin::module module = compile(head + textures + fetch, "f.ptx");
  ASSERT_EQ(module.samplers.size(), 2u);
  EXPECT_EQ(module.samplers[1].name, "second");
  const std::string either =
      ".entry k ()\n{\n.reg .u64 %t;\n.reg .f32 %f<6>;\nmov.u64 %t, first;\nmov.u64 %t, second;\n"
      "tex.1d.v4.f32.f32 {%f0, %f1, %f2, %f3}, [%t, {%f4, %f4, %f4, %f4}];\nexit;\n}\n";
  EXPECT_THROW(compile(head + textures + either, "f.ptx"), input_error);
}

}  // namespace
}  // namespace gt200::ptx
