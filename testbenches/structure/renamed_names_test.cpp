// The map of names that scripts/validate same_output applies before it compares: an entry may rename only.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

namespace fs = std::filesystem;

// Exit code of the script that reads the file.
int code_for(const fs::path& names) {
  const std::string script = GT200_SOURCE_DIR "/scripts/validate.d/same_output";
  const int status = std::system(
      (script + " --check-names " + names.string() + " 2>" + names.filename().string() + ".complaint").c_str());
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

class renamed_names : public testing::Test {
 protected:
  renamed_names() {
    fs::create_directories(folder_);
    fs::current_path(folder_);
  }
  ~renamed_names() override {
    fs::current_path(folder_.parent_path());
    fs::remove_all(folder_);
  }
  // What the script says about a file with this text; nothing if it takes it.
  std::string complaint(const std::string& text) {
    std::ofstream(folder_ / "names") << text;
    const int code = code_for(folder_ / "names");
    std::ifstream file("names.complaint");
    std::string line;
    std::getline(file, line);
    EXPECT_EQ(code, line.empty() ? 0 : 1) << line;
    return line;
  }

 private:
  fs::path folder_ = fs::temp_directory_path() / ("gt200_renamed_names_" + std::to_string(::getpid()));
};

TEST_F(renamed_names, the_ones_of_the_project_only_rename) {
  EXPECT_EQ(code_for(GT200_SOURCE_DIR "/scripts/validate.d/renamed_names"), 0);
}

TEST_F(renamed_names, renaming_is_taken) {
  EXPECT_EQ(complaint("# a comment\n\nto_sp to_unit_0  # why\nissue.port issue.way.out\na b\nb a\n"), "");
}

TEST_F(renamed_names, what_drops_or_merges_is_refused) {
  EXPECT_EQ(complaint("to_sp\n"), "same_output: names:1: an entry is 'OLD NEW', two names");
  EXPECT_EQ(complaint("to_sp \"\"\n"), "same_output: names:1: '\"\"' is not a name");
  EXPECT_EQ(complaint("a one\nb one\n"), "same_output: names:2: two names become 'one'");
  EXPECT_EQ(complaint("a one\na two\n"), "same_output: names:2: 'a' is renamed twice");
  EXPECT_EQ(complaint("issue.port port\n"), "same_output: names:1: 'port' drops a level of 'issue.port'");
  EXPECT_EQ(complaint("a.* b\n"), "same_output: names:1: 'a.*' is not a name");
  EXPECT_EQ(complaint("a a\n"), "same_output: names:1: 'a' keeps its name");
}

}  // namespace
