// %clock of PTX counts as clock() of CUDA does: shader cycles on Tesla.
#include <cstring>
#include <string>

#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

class clock_register : public cli_test {
 protected:
  // What the clock counts while one warp adds `additions` times, each to the sum before.
  std::uint32_t count_of(unsigned additions) const {
    std::string code =
        ".version 1.4\n.target sm_13\n.entry adds (.param .u64 out) {\n"
        "  .reg .u64 %rd<4>; .reg .u32 %r<20>; .reg .pred %p1;\n"
        "  ld.param.u64 %rd1, [out];\n  cvt.u32.u16 %r1, %tid.x;\n  mov.u32 %r2, %r1;\n  mov.u32 %r5, 0;\n"
        "again:\n  bar.sync 0;\n  mov.u32 %r10, %clock;\n";
    for (unsigned n = 0; n < additions; ++n) code += "  add.u32 %r2, %r2, %r1;\n";
    code +=
        "  st.global.u32 [%rd1+4], %r2;\n  bar.sync 0;\n  mov.u32 %r11, %clock;\n  sub.u32 %r12, %r11, %r10;\n"
        "  add.u32 %r5, %r5, 1;\n  setp.lt.u32 %p1, %r5, 2;\n  @%p1 bra again;\n"  // once for the instruction cache
        "  st.global.u32 [%rd1], %r12;\n  exit;\n}\n";
    const outcome result = gt200_run({"run", file("adds.ptx", code), "--config", "gt200_small", "--grid", "1",
                                      "--block", "32", "--arg", "out:u32[2]", "--dump", "out=" + path("out")});
    EXPECT_EQ(result.code, 0) << result.err;
    std::uint32_t count = 0;
    std::memcpy(&count, content_of(path("out")).data(), sizeof count);
    EXPECT_EQ(count % 2, 0u);  // the register itself counts every other cycle
    return count;
  }
};

// 24 shader cycles from one addition to the next that needs it: Wong 2010.
TEST_F(clock_register, counts_shader_cycles) { EXPECT_EQ(count_of(256) - count_of(128), 128u * 24); }

}  // namespace
}  // namespace gt200::cli
