// RTL of a user, in a shared object, that throws, oscillates or never returns: one line says so, and the run ends.
#include <csignal>
#include <filesystem>
#include <regex>
#include <string>

#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

class wrong_rtl : public cli_test {
 protected:
  static arguments words() {
    return {"run",      source_path("kernels/reduce0"),
            "--param",  "N=1024",
            "--config", "gt200_small",
            "--rtl",    GT200_WRONG_ARBITER};
  }
  static std::string ending(const std::string& way) {
    const outcome result = gt200_run(words(), {"GT200_TEST_WAY=" + way});
    EXPECT_EQ(result.code, 70) << result.err;
    EXPECT_TRUE(is_one_clear_line(result.err)) << result.err;
    return result.err;
  }
  static void expect(const std::string& way, const std::string& pattern) {
    const std::string text = ending(way);
    EXPECT_TRUE(std::regex_match(text, std::regex(pattern))) << text;
  }
};

const std::string on_signals = "gt200: RTL of the issue arbiter is a SystemC module with signals at its ports: ";

TEST_F(wrong_rtl, that_throws_is_named_with_the_module_and_its_cycle) {
  expect(
      "throws",
      "gt200: fault of RTL .*wrong_arbiter\\.so: gt200\\.tpc_0\\.sm_[01]\\.issue at cycle [0-9]+ of .*: no grant "
      "\\(at [0-9.]+ [a-z]+\\)\n");
}
TEST_F(wrong_rtl, that_begins_to_oscillate_between_two_edges_ends_the_run) {
  expect("oscillates between edges",
         on_signals + "signals do not come to rest, after 10000 delta cycles in one instant \\(at .*\\)\n");
}
TEST_F(wrong_rtl, whose_time_hardly_passes_ends_the_run) {
  expect("is active in each femtosecond",
         on_signals +
             "a process is active more often than once in a picosecond: 1000000 times from .* on \\(at .*\\)\n");
}
TEST_F(wrong_rtl, that_never_returns_is_ended_by_one_interrupt) {
  const std::string out = path("out");
  ::setenv("GT200_TEST_WAY", "never returns", 1);
  arguments all = words();
  all.insert(all.end(), {"--out", out});
  const outcome result = gt200_run_interrupted(
      all, [&] { return std::filesystem::is_directory(out); }, SIGINT);
  EXPECT_EQ(result.code, 130);
  EXPECT_EQ(
      result.err,
      "gt200: interrupted: for 10 seconds no simulated time has passed, as if code of RTL or of a plug-in never "
      "returned; nothing is written\n");
}
// A worker cannot stop it: it gives the launch up, and ends.
TEST_F(wrong_rtl, that_never_returns_is_given_up_at_the_limit_of_a_launch) {
  const std::string source =
      file("k.cu",
           "__global__ void k(int* a) { a[0] = 1; }\n"
           "int main() {\n  int* a;\n  if (cudaMalloc(&a, 256)) return 9;\n  k<<<1, 1>>>(a);\n"
           "  return cudaThreadSynchronize() ? 0 : 8;\n}\n");
  ASSERT_EQ(gt200_run({"nvcc", source, "-o", path("k")}).code, 0);
  const outcome result =
      gt200_run({"exec", "--config", "gt200_small", "--set", "tpc.sm.scheduler.model=lockstep", "--set",
                 std::string("tpc.sm.scheduler.rtl=") + GT200_WRONG_ARBITER, "--max-seconds", "1", path("k")},
                {"GT200_TEST_WAY=never returns"});
  EXPECT_EQ(result.code, 6) << result.err;
  EXPECT_NE(result.err.find("gt200: kernel 'k', launch 1 has not ended 10 seconds behind its limit"),
            std::string::npos)
      << result.err;
}

}  // namespace
}  // namespace gt200::cli
