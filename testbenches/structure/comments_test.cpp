// Comments begin with a subject: a reader who sees "Of the chip, ..." has to guess what it is that is of the chip.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <istream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path root = GT200_SOURCE_DIR;

// The first lines of comments that begin with a word that is no subject.
std::vector<std::string> openings_without_subject(std::istream& source) {
  const std::regex comment(R"(\s*//.*)"), without_subject(R"(\s*// (What|Where|Of) .*)");
  std::vector<std::string> found;
  std::string line;
  for (bool inside = false; std::getline(source, line);) {
    const bool is_comment = std::regex_match(line, comment);
    if (is_comment && !inside && std::regex_match(line, without_subject)) found.push_back(line);
    inside = is_comment;
  }
  return found;
}

TEST(comments, begin_with_a_subject) {
  for (const char* folder : {"apps", "observe", "toolchain"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
      std::ifstream source(entry.path());
      for (const std::string& line : openings_without_subject(source))
        ADD_FAILURE() << fs::relative(entry.path(), root) << ": " << line;
    }
}

TEST(comments, without_a_subject_are_found_at_their_beginning_only) {
  std::istringstream source(
      "// Of the chip.\nint a;\n  // A row\n  // Of the table\n// What it is.\nint b; // Of c\n");
  EXPECT_EQ(openings_without_subject(source), std::vector<std::string>{"// Of the chip."});
}

}  // namespace
