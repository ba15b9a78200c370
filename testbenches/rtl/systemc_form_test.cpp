// RTL as a SystemC module with signals at its ports (`systemc = true`): the same class around the pins, the same
// cycles.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "testbenches/rtl/cosimulated_run.h"

namespace gt200 {
namespace {

namespace fs = std::filesystem;
using support::kernel_case;
using support::run;

// Descriptions of the reference RTL in that form.
class systemc_form : public ::testing::Test {
 protected:
  systemc_form() { fs::create_directories(folder_); }
  ~systemc_form() override { fs::remove_all(folder_); }

  // The file rtl_ref/FOLDER/NAME.toml with the key added.
  std::string description(const std::string& folder, const std::string& name) const {
    const fs::path source = fs::path(GT200_SOURCE_DIR) / "rtl_ref" / folder;
    std::ostringstream text;
    text << std::ifstream(source / (name + ".toml")).rdbuf();
    const std::string with_folders =
        std::regex_replace(text.str(), std::regex(R"re("(\w+\.(sv|h))")re"), '"' + source.string() + "/$1\"");
    const std::string file = (folder_ / (name + ".toml")).string();
    std::ofstream(file) << "systemc = true\n" << with_folders;
    return file;
  }
  std::vector<std::string> all_blocks() const {
    return {"tpc.sm.scoreboard.rtl=" + description("scoreboard", "scoreboard"),
            "tpc.sm.scheduler.rtl=" + description("issue_arbiter", "issue_arbiter"),
            "tpc.memory.coalescer.rtl=" + description("coalescer", "coalescer"),
            "tpc.sm.sp.rtl=" + description("sp", "sp")};
  }
  // With all blocks in this form, the SPs as well.
  kernel_case with_signals(kernel_case of, const std::string& sp_model) const {
    for (const std::string& o : all_blocks()) of.overrides.push_back(o);
    of.overrides.push_back("tpc.sm.sp.model=" + sp_model);
    return of;
  }
  void expect_the_same(const kernel_case& of) const {
    const std::string expected = run(of, "systemc");
    ASSERT_NE(expected.find(" cycles"), std::string::npos) << expected;
    EXPECT_EQ(run(with_signals(of, "rtl"), "rtl"), expected);
    EXPECT_EQ(run(with_signals(of, "lockstep"), "lockstep"), expected);
  }

  const fs::path folder_ = fs::temp_directory_path() / ("gt200-systemc-form." + std::to_string(getpid()));
};

TEST_F(systemc_form, of_all_blocks_takes_the_same_cycles_and_shows_no_difference) {
  expect_the_same({"matrix_mul", "matrix_mul", {"N=32"}});
}

TEST_F(systemc_form, with_a_clock_that_runs_freely_takes_the_same_cycles) {
  expect_the_same({"reduce0", "reduce0", {"N=512"}, "gt200_small", {"tpc.sm.rtl.clock=free_running"}});
}

TEST_F(systemc_form, of_two_arbiters_in_one_module_takes_the_same_cycles) {
  expect_the_same({"bfs", "bfs", {"N=64"}, "gt200_small", {"tpc.sm.scheduler.schedulers=2"}});
}

TEST_F(systemc_form, under_injected_stalls_takes_the_same_cycles) {
  expect_the_same({"reduce0", "reduce0", {"N=512"}, "gt200_small", {"simulation.stalls_per_1024=50"}});
}

TEST_F(systemc_form, of_a_scoreboard_that_takes_entries_at_issue_takes_the_same_cycles) {
  kernel_case k{"reduce0", "reduce0", {"N=512"}, "gt200_small", {"tpc.sm.scoreboard.allocate=at_issue"}};
  const std::string expected = run(k, "systemc");
  k.overrides.push_back("tpc.sm.scoreboard.rtl=" + description("scoreboard_at_issue", "scoreboard_at_issue"));
  EXPECT_EQ(run(k, "rtl"), expected);
  EXPECT_EQ(run(k, "lockstep"), expected);
}

TEST_F(systemc_form, serves_a_class_with_other_port_names) {
  kernel_case k{"reduce0", "reduce0", {"N=512"}};
  const std::string expected = run(k, "systemc");
  k.overrides = {"tpc.sm.scoreboard.rtl=" + description("template", "hazard_unit")};
  EXPECT_EQ(run(k, "lockstep"), expected);
}

}  // namespace
}  // namespace gt200
