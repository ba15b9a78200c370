// The configuration commands, and where configurations are found.
#include <filesystem>

#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

class config : public cli_test {};

TEST_F(config, what_show_prints_is_a_configuration_with_the_same_hash) {
  const std::string shown = file("shown.toml", gt200_run({"config", "show", "gtx260"}).out);
  const outcome check = gt200_run({"config", "check", "gtx260", shown});
  EXPECT_EQ(check.code, 0) << check.err;
  const auto hash_in = [](const std::string& line) { return line.substr(line.find("hash ")); };
  const std::size_t end = check.out.find('\n');
  EXPECT_EQ(hash_in(check.out.substr(0, end + 1)), hash_in(check.out.substr(end + 1)));
}

TEST_F(config, a_preset_is_found_with_and_without_its_suffix) {
  EXPECT_EQ(gt200_run({"config", "show", "g80"}).out, gt200_run({"config", "show", "g80.toml"}).out);
}

// In a build folder the program is called like the default preset.
TEST_F(config, a_preset_comes_before_a_file_of_its_bare_name) {
  file("gt200", "no configuration");
  std::filesystem::current_path(path(""));
  EXPECT_EQ(gt200_run({"config", "check", "gt200"}).code, 0);
  EXPECT_EQ(gt200_run({"config", "check", "./gt200"}).code, 1);
}

TEST_F(config, the_folder_of_the_presets_can_be_set) {
  std::filesystem::copy(source_path("configs/gt200.toml"), path("mine.toml"));
  EXPECT_EQ(gt200_run({"config", "check", "mine"}).code, 1);
  EXPECT_EQ(gt200_run({"config", "check", "mine"}, {"GT200_CONFIG_DIR=" + path("")}).code, 0);
  const outcome wrong = gt200_run({"config", "check", "mine"}, {"GT200_CONFIG_DIR=" + path("none")});
  EXPECT_EQ(wrong.code, 1);
  EXPECT_TRUE(is_one_clear_line(wrong.err));
}

TEST_F(config, explain_shows_overrides_with_their_origin) {
  const outcome text =
      gt200_run({"config", "explain", "tpc.sm.scheduler.policy", "--set", "tpc.sm.scheduler.policy=gto"});
  EXPECT_EQ(text.code, 0);
  EXPECT_NE(text.out.find("tpc.sm.scheduler.policy = \"gto\""), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("set at   --set"), std::string::npos) << text.out;
}

TEST_F(config, diff_lists_exactly_the_keys_that_differ) {
  EXPECT_EQ(gt200_run({"config", "diff", "gt200", "gt200"}).out, "");
  const outcome one = gt200_run({"config", "diff", "gt200", "gt200", "--set", "chip.tpcs=3"});
  EXPECT_EQ(one.code, 0);
  EXPECT_EQ(one.out, "chip.tpcs                                        10 -> 3\n");
}

}  // namespace
}  // namespace gt200::cli
