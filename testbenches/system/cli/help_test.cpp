// Help is complete without any other document, and goes to stdout.
#include <algorithm>
#include <sstream>

#include "testbenches/system/cli/program.h"

namespace gt200::cli {
namespace {

class every_command : public testing::TestWithParam<std::string> {};

TEST_P(every_command, has_a_help_text_with_its_options_and_the_exit_codes) {
  std::istringstream words(GetParam());
  arguments args;
  for (std::string word; words >> word;) args.push_back(word);
  args.push_back("--help");
  const outcome help = gt200_run(args);
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(help.err, "");
  EXPECT_NE(help.out.find("Usage: "), std::string::npos) << help.out;
  EXPECT_NE(help.out.find("Exit codes: 0 ok, 1 wrong input"), std::string::npos) << help.out;
}

std::string name_of(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param.empty() ? "gt200" : info.param;
  std::replace(name.begin(), name.end(), ' ', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(gt200, every_command,
                         testing::Values("", "run", "emulate", "asm", "disasm", "lint", "info", "corpus", "isa",
                                         "launch", "launch check", "config", "config show", "config explain",
                                         "config check", "config diff", "rtl", "rtl build", "rtl list", "rtl clear",
                                         "nvcc", "exec", "sweep", "sweep status", "sweep collect", "sweep resume",
                                         "sweep cancel"),
                         name_of);

TEST(help, names_every_command) {
  const std::string text = gt200_run({"--help"}).out;
  for (const char* command :
       {"run", "emulate", "asm", "disasm", "lint", "info", "corpus", "launch", "config", "rtl", "nvcc", "exec"})
    EXPECT_NE(text.find("\n  " + std::string(command) + " "), std::string::npos) << command;
}

TEST(help, the_version_is_one_line) {
  const outcome version = gt200_run({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(version.out.compare(0, 6, "gt200 "), 0);
}

}  // namespace
}  // namespace gt200::cli
