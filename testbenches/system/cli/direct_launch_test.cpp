// A program without a launch description: grid, block and arguments come from the command line.
#include <cstdint>
#include <cstring>

#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

class direct_launch : public cli_test, public testing::WithParamInterface<const char*> {
 protected:
  static std::string program() { return source_path("kernels/vector_add/vector_add.s"); }
  arguments add(const arguments& more) const {
    arguments all = {GetParam(),        program(), "--grid",          "4",     "--block",    "64",    "--arg",
                     "A:f32[256]=iota", "--arg",   "B:f32[256]=iota", "--arg", "C:f32[256]", "--arg", "s32=256"};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
};

TEST_P(direct_launch, runs_and_leaves_its_buffers_in_files) {
  const outcome result = gt200_run(add({"--dump", "C=" + path("c")}));
  ASSERT_EQ(result.code, 0) << result.err;
  const std::string bytes = content_of(path("c"));
  ASSERT_EQ(bytes.size(), 1024u);
  for (unsigned i = 0; i < 256; ++i) {
    float value = 0;
    std::memcpy(&value, bytes.data() + 4 * i, 4);
    EXPECT_EQ(value, 2.0f * static_cast<float>(i));
  }
}

TEST_P(direct_launch, takes_content_of_files) {
  ASSERT_EQ(gt200_run(add({"--dump", "C=" + path("c")})).code, 0);
  const outcome again =
      gt200_run({GetParam(), program(), "--grid=4", "--block=64", "--arg=f32[256]=@" + path("c"), "--arg=f32[256]",
                 "--arg=f32[256]", "--arg=s32=256", "--dump", "arg2=" + path("d")});
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(content_of(path("c")), content_of(path("d")));
}

TEST_P(direct_launch, a_buffer_that_is_too_small_is_a_fault) {
  const outcome result = gt200_run({GetParam(), program(), "--grid=64", "--block=256", "--arg=f32[1]",
                                    "--arg=f32[1]", "--arg=f32[1]", "--arg=s32=16384"});
  EXPECT_EQ(result.code, 4) << result.out << result.err;
}

TEST_P(direct_launch, each_mistake_gives_one_line) {
  const auto refused = [&](const arguments& args, const std::string& reason) {
    arguments all = {GetParam()};
    all.insert(all.end(), args.begin(), args.end());
    const outcome result = gt200_run(all);
    EXPECT_NE(result.code, 0);
    EXPECT_TRUE(is_one_clear_line(result.err));
    EXPECT_NE(result.err.find(reason), std::string::npos) << result.err;
  };
  const std::string p = program();
  refused({p, "--grid", "4"}, "--block");
  refused({p, "--block", "x"}, "--block 'x' is not numbers");
  refused({p, "--block", "64,"}, "--block '64,' is not numbers");
  refused({p, "--block", "64", "--arg", "f33=1"}, "--arg 'f33=1' is neither");
  refused({p, "--block", "64", "--arg", "f32=abc"}, "--arg 'f32=abc' has no number");
  refused({p, "--block", "64", "--arg", "f32[4"}, "--arg 'f32[4' is neither");
  refused({p, "--block", "64", "--arg", "f32[4]=ones"}, "starts with none of zeros");
  refused({p, "--block=64", "--arg=f32[4]=@nowhere", "--arg=f32[4]", "--arg=f32[4]", "--arg=s32=4"}, "nowhere");
  refused({p, "--block", "64", "--arg", "f32[0]"}, "'count' is 0");
  refused({p, "--block", "64", "--arg", "u8=300"}, "command line: ");
  for (const char* too_large : {"f32=1e999", "f32=-1e39", "f64=1e999"}) {
    const std::string text = too_large;
    refused({p, "--block", "64", "--arg", text}, "does not fit the type " + text.substr(0, 3));
  }
  refused({p, "--block", "64", "--arg", "u32=4294967296"}, "'value': 4294967296 does not fit the type u32");
  refused({p, "--block", "64"}, "VecAdd");
  refused({p, "--block", "64", "--entry", "Vec"}, "Vec");
  refused({p, "--block", "64", "--param", "N=4"}, "--param goes with a launch description");
  refused({p, "--block", "64", "--dump", "nothing=x"}, "--dump names the unknown buffer 'nothing'");
  refused({source_path("kernels/vector_add"), "--block", "64"}, "--block goes with a program");
  refused({"no.cubin", "--block", "64"}, "no such file");
}

TEST_P(direct_launch, infinity_is_what_is_written_so) {
  const std::string store = file("store.s",
                                 ".entry k\n.param u32 out\n.param u32 value\n  mov b32 $r1 b32 s[out]\n"
                                 "  mov b32 $r2 b32 s[value]\n  exit st b32 g14[$r1] $r2\n.end\n");
  for (const auto& [text, bits] : {std::pair{"inf", 0x7f800000u}, std::pair{"-inf", 0xff800000u},
                                   std::pair{"3.4028235e38", 0x7f7fffffu}, std::pair{"1e-60", 0u}}) {
    const outcome result = gt200_run({GetParam(), store, "--grid=1", "--block=1", "--arg=out:u32[1]",
                                      std::string("--arg=f32=") + text, "--dump", "out=" + path("bits")});
    ASSERT_EQ(result.code, 0) << result.err;
    std::uint32_t found = 0;
    const std::string bytes = content_of(path("bits"));
    ASSERT_EQ(bytes.size(), 4u);
    std::memcpy(&found, bytes.data(), 4);
    EXPECT_EQ(found, bits) << text;
  }
}

// A kernel that votes, on a chip that forms warps anew.
TEST_F(cli_test, a_direct_launch_says_that_its_kernel_is_warp_synchronous) {
  const std::string votes = file("votes.s",
                                 ".entry k\n.param u32 out\n"
                                 "  cvt u32 $r1 u16 $r0l\n"
                                 "  shl b32 $r2 $r1 0x2\n"
                                 "  add b32 $r4 b32 s[out] $r2\n"
                                 "  mov b32 $r7 0x0\n"
                                 "  set $c0 # lg u32 $r1 $r7\n"
                                 "  (lg $c0) vote any $c1\n"
                                 "  exit st b32 g14[$r4] $r1\n"
                                 ".end\n");
  arguments words = {"run", votes,   "--config", "gt200_small", "--block",
                     "32",  "--arg", "u32[32]",  "--set",       "tpc.sm.warp_formation=dynamic"};
  const outcome refused = gt200_run(words);
  EXPECT_EQ(refused.code, 1) << refused.out;
  EXPECT_TRUE(is_one_clear_line(refused.err));
  EXPECT_NE(refused.err.find("with --warp-synchronous"), std::string::npos) << refused.err;
  words.push_back("--warp-synchronous");
  const outcome run = gt200_run(words);
  EXPECT_EQ(run.code, 0) << run.err;
}

INSTANTIATE_TEST_SUITE_P(of, direct_launch, testing::Values("run", "emulate"),
                         [](const auto& command) { return std::string(command.param); });

}  // namespace
}  // namespace gt200::cli
