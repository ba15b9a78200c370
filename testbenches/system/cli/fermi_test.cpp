// Programs of sm_20 from the command line: assembled, listed, emulated, run on the chip, and refused where they do
// not belong.
#include <cstring>

#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

class fermi_program : public cli_test {
 protected:
  static std::string source() { return source_path("testbenches/system/fermi/programs/saxpy.s"); }
  // y = 2 x + y for 500 numbers, x = y = 0, 1, 2, ...
  static arguments launched(const std::string& command, const std::string& program, const arguments& more) {
    arguments all = {command,
                     program,
                     "--grid=4",
                     "--block=128",
                     "--arg=u32=500",
                     "--arg=f32=2",
                     "--arg=x:f32[512]=iota",
                     "--arg=y:f32[512]=iota"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  static void expect_sums(const std::string& bytes) {
    ASSERT_EQ(bytes.size(), 2048u);
    for (unsigned i = 0; i < 512; ++i) {
      float value = 0;
      std::memcpy(&value, bytes.data() + 4 * i, 4);
      EXPECT_EQ(value, (i < 500 ? 3.0f : 1.0f) * static_cast<float>(i)) << i;
    }
  }
};

TEST_F(fermi_program, runs_on_the_gtx_480_checked) {
  const outcome result =
      gt200_run(launched("run", source(), {"--config=gtx480", "--check", "--dump", "y=" + path("y")}));
  ASSERT_EQ(result.code, 0) << result.out << result.err;
  expect_sums(content_of(path("y")));
  EXPECT_NE(result.out.find("of 1345.0 (MAD, single precision)"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("fma rn f32 $r5 $r4 $r6 $r5"), std::string::npos) << result.out;
}

TEST_F(fermi_program, runs_in_the_emulator) {
  const outcome result = gt200_run(launched("emulate", source(), {"--dump", "y=" + path("y")}));
  ASSERT_EQ(result.code, 0) << result.out << result.err;
  expect_sums(content_of(path("y")));
}

TEST_F(fermi_program, is_assembled_and_listed) {
  ASSERT_EQ(gt200_run({"asm", source(), "-o", path("saxpy.cubin")}).code, 0);
  const outcome listing = gt200_run({"disasm", path("saxpy.cubin")});
  ASSERT_EQ(listing.code, 0) << listing.err;
  EXPECT_NE(listing.out.find(".target sm_20\n"), std::string::npos);
  EXPECT_NE(listing.out.find("fma rn f32 $r5 $r4 $r6 $r5"), std::string::npos) << listing.out;
  const outcome info = gt200_run({"info", path("saxpy.cubin"), "--config=gtx480"});
  ASSERT_EQ(info.code, 0) << info.err;
  EXPECT_NE(info.out.find("13 instructions"), std::string::npos) << info.out;
  EXPECT_NE(info.out.find("parameter 1 4 bytes at c0[0x20]"), std::string::npos) << info.out;
  ASSERT_EQ(gt200_run(launched("run", path("saxpy.cubin"), {"--config=gtx480", "--dump", "y=" + path("y")})).code,
            0);
  expect_sums(content_of(path("y")));
}

TEST_F(fermi_program, is_refused_by_a_chip_of_tesla) {
  const outcome result = gt200_run(launched("run", source(), {}));
  EXPECT_NE(result.code, 0);
  EXPECT_TRUE(is_one_clear_line(result.err)) << result.err;
  EXPECT_NE(result.err.find("machine code of Fermi (sm_20), the chip executes that of Tesla (sm_13)"),
            std::string::npos)
      << result.err;
}

TEST_F(fermi_program, is_compiled_from_ptx) {
  const outcome result = gt200_run({"run", source_path("kernels/vector_add"), "--config=gtx480", "--source",
                                    source_path("kernels/vector_add/vector_add.cu"), "--param", "N=1024"});
  EXPECT_EQ(result.code, 0) << result.err;
}

TEST_F(fermi_program, has_a_relative_for_volta_from_the_same_ptx) {
  const outcome result = gt200_run({"run", source_path("kernels/nbody"), "--config=v100_small", "--check",
                                    "--source", source_path("kernels/nbody/nbody.ptx")});
  EXPECT_EQ(result.code, 0) << result.out << result.err;
  EXPECT_EQ(result.out.find("latent"), std::string::npos) << result.out;
}

TEST_F(fermi_program, is_shown_with_the_occupancy_of_a_chip_that_runs_it) {
  ASSERT_EQ(gt200_run({"asm", source(), "-o", path("saxpy.cubin")}).code, 0);
  const outcome info = gt200_run({"info", path("saxpy.cubin")});
  ASSERT_EQ(info.code, 0) << info.err;
  EXPECT_NE(info.out.find("chip gtx480: 15 SMs"), std::string::npos) << info.out;
  EXPECT_NE(info.out.find("\n               1024 "), std::string::npos) << info.out;
  const outcome other = gt200_run({"info", path("saxpy.cubin"), "--config=gt200"});
  EXPECT_NE(other.out.find("does not execute the machine code of this program"), std::string::npos) << other.out;
}

TEST_F(fermi_program, that_faults_in_the_emulator_is_reported_with_its_line) {
  const std::string program = file("wild.s",
                                   ".target sm_20\n.entry k\n  mov b32 $r1 0x10\n  st b32 wb g[$r1] $r1\n"
                                   "  exit\n.end\n");
  const outcome result = gt200_run({"emulate", program, "--grid=1", "--block=1"});
  EXPECT_EQ(result.code, 4) << result.err;
  EXPECT_NE(result.out.find("unmapped address in kernel 'k' at 0x8 (line 4), block (0, 0), warp 0"),
            std::string::npos)
      << result.out;
}

// The highest barrier has number 15.
TEST_F(fermi_program, that_uses_all_barriers_runs_from_its_cubin) {
  const std::string ptx = file("b15.ptx", ".version 3.0\n.target sm_20\n.entry k() { bar.sync 15; exit; }\n");
  ASSERT_EQ(gt200_run({"compile", ptx, "-o", path("b15.cubin"), "--arch=sm_20"}).code, 0);
  for (const char* command : {"run", "emulate"}) {
    arguments all = {command, path("b15.cubin"), "--grid=1", "--block=64"};
    if (command == std::string("run")) all.push_back("--config=gtx480");
    const outcome result = gt200_run(all);
    EXPECT_EQ(result.code, 0) << result.out << result.err;
  }
}

TEST_F(fermi_program, leaves_no_text_cubin) {
  const outcome result = gt200_run({"asm", source(), "-o", path("saxpy.cubin"), "--format", "text"});
  EXPECT_NE(result.code, 0);
  EXPECT_NE(result.err.find("text cubins hold code for sm_10 to sm_13"), std::string::npos) << result.err;
}

}  // namespace
}  // namespace gt200::cli
