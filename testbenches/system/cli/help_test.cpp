// Help is complete without any other document, and goes to stdout.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
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
                                         "sweep cancel", "manual", "completion"),
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

// Both follow the declarations, so one option of a command stands for all.
TEST(help, is_a_manual_page_as_well) {
  const outcome manual = gt200_run({"manual"});
  EXPECT_EQ(manual.code, 0);
  EXPECT_EQ(manual.out.compare(0, 12, ".TH GT200 1 "), 0);
  for (const char* part :
       {"\n.SS gt200 config explain\n", "\\fB\\-\\-shuffle\\fR", "GT200_RTL_CACHE", "\n.SH EXIT STATUS\n"})
    EXPECT_NE(manual.out.find(part), std::string::npos) << part;
  // No man: nothing to compare with.
  if (std::system("command -v man > /dev/null") != 0) GTEST_SKIP() << "man is not there";
  EXPECT_EQ(
      std::system((gt200_program() + " manual | man --warnings -l - 2>&1 >/dev/null | grep -q . && exit 1; exit 0")
                      .c_str()),
      0);
}

TEST(help, completes_commands_and_options_in_bash) {
  const auto completed = [](const std::string& words, unsigned at) {
    const std::string script = "bash -c 'eval \"$(" + gt200_program() + " completion)\"; COMP_WORDS=(" + words +
                               "); COMP_CWORD=" + std::to_string(at) + "; _gt200; echo ${COMPREPLY[@]}' > " +
                               testing::TempDir() + "completed";
    EXPECT_EQ(std::system(script.c_str()), 0);
    std::ifstream file(testing::TempDir() + "completed");
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  EXPECT_EQ(completed("gt200 em", 1), "emulate\n");
  EXPECT_EQ(completed("gt200 config ex", 2), "explain\n");
  EXPECT_EQ(completed("gt200 run kernels/bfs --shuf", 3), "--shuffle\n");
  EXPECT_EQ(completed("gt200 config explain --js", 3), "--json\n");
}

}  // namespace
}  // namespace gt200::cli
