// RTL in the chip, as a user meets it: made on first use or ahead, listed, cleared, described in a configuration,
// and with an installed program that knows no source tree.
#include <algorithm>
#include <chrono>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

const std::string small_kernel = source_path("kernels/reduce0");

class rtl : public cli_test {
 protected:
  arguments own_cache() const { return {"GT200_RTL_CACHE=" + path("cache")}; }
  static arguments lockstep(const std::string& target = small_kernel) {
    return {"run",      target,        "--param", "N=512",
            "--config", "gt200_small", "--set",   "tpc.sm.scoreboard.model=lockstep"};
  }
};

TEST_F(rtl, is_made_on_first_use_with_one_line_of_progress_outside_the_run_time) {
  arguments args = lockstep();
  args.push_back("--json");
  const auto began = std::chrono::steady_clock::now();
  const outcome first = gt200_run(args, own_cache());
  const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_EQ(first.err.find("verilating scoreboard 32x6 ... "), 0u) << first.err;
  EXPECT_EQ(std::count(first.err.begin(), first.err.end(), '\n'), 1) << first.err;
  const auto host = nlohmann::json::parse(first.out).at("host");
  EXPECT_LT(host.at("wall_seconds").get<double>(), took / 2) << "of " << took << " s";
  const outcome second = gt200_run(args, own_cache());
  EXPECT_EQ(second.code, 0) << second.err;
  EXPECT_EQ(second.err, "");
}

TEST_F(rtl, is_made_ahead_listed_and_cleared) {
  const arguments build = {"rtl",
                           "build",
                           "gt200_small",
                           "--set",
                           "tpc.sm.limits.warps=9",
                           "--set",
                           "tpc.sm.limits.threads=288",
                           "--set",
                           "tpc.sm.limits.threads_per_block=288"};
  const outcome built = gt200_run(build, own_cache());
  EXPECT_EQ(built.code, 0) << built.err;
  EXPECT_NE(built.err.find("verilating issue_arbiter 9-lrr ... "), std::string::npos) << built.err;
  EXPECT_NE(built.err.find("verilating coalescer 1.2 ... "), std::string::npos) << built.err;
  EXPECT_EQ(built.out.find(path("cache") + "/scoreboard-9x6-"), 0u) << built.out;
  EXPECT_EQ(gt200_run(build, own_cache()).err, "");

  const std::string list = gt200_run({"rtl", "list"}, own_cache()).out;
  EXPECT_EQ(list.find(path("cache") + "\n"), 0u) << list;
  EXPECT_NE(list.find("  scoreboard-9x6-"), std::string::npos) << list;
  EXPECT_NE(list.find("/rtl_ref/issue_arbiter/issue_arbiter.toml\n"), std::string::npos) << list;

  EXPECT_NE(gt200_run({"rtl", "clear"}, own_cache()).out.find(" kB removed"), std::string::npos);
  EXPECT_EQ(gt200_run({"rtl", "list"}, own_cache()).out, path("cache") + "\n");
}

TEST_F(rtl, is_not_made_for_a_run_without_it) {
  const outcome plain = gt200_run({"run", small_kernel, "--param", "N=512", "--config", "gt200_small"},
                                  {"PATH=" + path(""), "GT200_RTL_CACHE=/dev/null/nowhere"});
  EXPECT_EQ(plain.code, 0) << plain.err;
}

TEST_F(rtl, that_cannot_be_made_ends_the_run_with_one_line) {
  for (const arguments& environment :
       {arguments{"PATH=" + path("")}, arguments{"CXX=" + path("none")},
        arguments{"GT200_RTL_CACHE=/dev/null/nowhere"}, arguments{"GT200_RTL_DIR=" + path("none")}}) {
    const outcome refused = gt200_run(lockstep(), environment);
    EXPECT_EQ(refused.code, 1) << environment.front();
    EXPECT_TRUE(is_one_clear_line(refused.err)) << environment.front();
  }
}

TEST_F(rtl, of_ones_own_is_named_relative_to_the_configuration_that_names_it) {
  file("chips/rtl/wrong.toml", "sources = []\n");
  file("chips/mine.toml", "base = \"" + source_path("configs/gt200_small.toml") +
                              "\"\n[tpc.sm.scoreboard]\nmodel = \"rtl\"\nrtl = \"rtl/wrong.toml\"\n");
  const outcome refused = gt200_run({"run", small_kernel, "--config", path("chips/mine.toml")});
  EXPECT_EQ(refused.code, 1);
  EXPECT_TRUE(is_one_clear_line(refused.err));
  EXPECT_NE(refused.err.find(path("chips/rtl/wrong.toml") + ":1: 'sources' names no file"), std::string::npos)
      << refused.err;

  arguments args = lockstep();
  args.insert(args.end(), {"--set", "tpc.sm.scoreboard.rtl=" + source_path("rtl_ref/template/hazard_unit.toml")});
  const outcome done = gt200_run(args);
  EXPECT_EQ(done.code, 0) << done.err;
}

// A difference at a port that a kernel never uses would not be seen.
TEST_F(rtl, in_lockstep_says_what_was_compared_and_which_ports_were_not_used) {
  const outcome done = gt200_run(lockstep());
  ASSERT_EQ(done.code, 0) << done.err;
  std::smatch line;
  ASSERT_TRUE(std::regex_search(
      done.out, line,
      std::regex("\nlockstep +([0-9,]+) answers compared on ([0-9]+) ports, of these never used: (.+)\n")))
      << done.out;
  EXPECT_GT(line[1].str().size(), 4u) << "thousands of them";
  EXPECT_EQ(line[2], "12") << "look-ups and releases";
  const std::string unused = line[3];
  EXPECT_NE(unused.find("scoreboard.release_8"), std::string::npos) << unused;
  EXPECT_EQ(unused.find("scoreboard.enter_0"), std::string::npos) << unused;
  EXPECT_EQ(unused.find("scoreboard.release_0"), std::string::npos) << unused;

  arguments alone = lockstep();
  alone.back() = "tpc.sm.scoreboard.model=rtl";
  EXPECT_EQ(gt200_run(alone).out.find("\nlockstep"), std::string::npos) << "nothing is compared";
}

TEST_F(rtl, comes_with_an_installed_program) {
  const std::string install =
      GT200_CMAKE " --install " GT200_BUILD " --component runtime --prefix " + path("there") + " > " + path("log");
  ASSERT_EQ(std::system(install.c_str()), 0) << content_of(path("log"));
  const auto installed = [&](const std::string& more) {
    const std::string command = "cd / && " + path("there/bin/gt200") + " rtl build gt200_small" + more + " > " +
                                path("out") + " 2> " + path("err");
    return std::system(command.c_str());
  };
  EXPECT_EQ(installed(""), 0) << content_of(path("err"));
  EXPECT_EQ(content_of(path("out")), gt200_run({"rtl", "build", "gt200_small"}).out)
      << "the same sources, so the same libraries as those of the source tree";
  // Only the files of the installation are read.
  std::ofstream(path("there/share/gt200/rtl/rtl_ref/scoreboard/scoreboard.sv")) << "module nothing; endmodule\n";
  EXPECT_NE(installed(""), 0);
  EXPECT_NE(
      content_of(path("err")).find("gt200: " + path("there/share/gt200/rtl/rtl_ref/scoreboard/scoreboard.toml")),
      std::string::npos)
      << content_of(path("err"));
}

}  // namespace
}  // namespace gt200::cli
