#include "testbenches/toolchain/ptx/instruction_case.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace gt200::ptx {

expected_run run_of(const instruction_case& c) {
  expected_run result;
  result.program.text =
      ".version 1.4\n.target sm_13\n" + c.functions +
      ".global .align 4 .u32 table[4] = {0x11223344, 0x55667788, 0x99aabbcc, 0};\n"
      ".entry random (.param .u64 in, .param .u64 out)\n{\n.reg .u64 %in, %out, %A, %B, %C, %X, %Y;\n"
      ".reg .u32 %a, %b, %c, %x, %y, %z, %w;\n.reg .u16 %h, %i, %j, %k;\n.reg .f32 %f, %g, %e;\n.reg .f64 %d, %D;\n"
      ".reg .pred %p, %q;\n.shared .align 4 .b8 bytes[16];\n.local .align 4 .b8 own[32];\n"
      "ld.param.u64 %in, [in];\nld.param.u64 %out, [out];\n"
      "ld.global.u32 %a, [%in];\nld.global.u32 %b, [%in+4];\nld.global.u32 %c, [%in+8];\n"
      "ld.global.u64 %A, [%in];\nld.global.u64 %B, [%in+8];\nld.global.u64 %C, [%in+16];\n"
      "mov.u32 %x, 0;\nmov.u32 %y, 0;\n" +
      c.code + "\nst.global.u32 [%out], %x;\nst.global.u32 [%out+4], %y;\nexit;\n}\n";
  std::string in;
  for (const std::uint32_t w : c.in) in += fmt::format("{}, ", w);
  result.launch = fmt::format(
      "schema = 1\nsource = \"random.ptx\"\n[[buffer]]\nname = \"in\"\ntype = \"u32\"\nvalues = [{}]\n"
      "[[buffer]]\nname = \"out\"\ntype = \"u32\"\ncount = 2\ninit = \"zeros\"\n"
      "[[step]]\nlaunch = \"random\"\ngrid = [1]\nblock = [{}]\narguments = [\"in\", \"out\"]\n"
      "[[expect]]\nbuffer = \"out\"\nvalues = [{}, {}]\n",
      in, c.threads, c.x, c.y);
  return result;
}

void expect_in_compiled_code(const instruction_case& c) {
  for (const bool optimise : {false, true}) {
    compile_options options;
    options.optimise = optimise;
    EXPECT_EQ(difference(run_of(c), options), "") << (optimise ? "-O2" : "-O0");
  }
}

}  // namespace gt200::ptx
