// docs/virtual_platform.md shows the register map as the models have it.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

namespace {

std::string content_of(const std::string& name) {
  std::ifstream file(std::string(GT200_SOURCE_DIR) + "/" + name);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

// A row for each register: what registers.h says beside it, and on the comment lines that follow.
std::string register_table() {
  const std::string header = content_of("sc_models/distribution/registers.h");
  static const std::regex one(
      R"(inline constexpr std::uint32_t (\w+) =\s*(0x[0-9a-f]{4});[ ]*((?://[^\n]*)?(?:\n\s+//[^\n]*)*))");
  std::string table = "| offset | register | |\n|---|---|---|\n";
  for (auto r = std::sregex_iterator(header.begin(), header.end(), one); r != std::sregex_iterator(); ++r) {
    std::string name = (*r)[1];
    if (name == "space_bytes") continue;
    std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
    std::string text = std::regex_replace((*r)[3].str(), std::regex(R"(\s*//\s*)"), " ");
    text = std::regex_replace(text, std::regex(R"(\|)"), " or ");
    if (!text.empty() && text.front() == ' ') text.erase(0, 1);
    table += "| " + (*r)[2].str() + " | " + name + " | " + text + " |\n";
  }
  return table;
}

TEST(registers, of_the_documentation_are_those_of_the_chip) {
  const std::string table = register_table();
  EXPECT_GT(std::count(table.begin(), table.end(), '\n'), 45) << table;
  EXPECT_NE(content_of("docs/virtual_platform.md").find("\n" + table), std::string::npos)
      << "docs/virtual_platform.md shall contain\n"
      << table;
}

}  // namespace
