// Links of the pages lead somewhere, sources name pages that exist, and docs/README.md lists every page.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

const fs::path root = GT200_SOURCE_DIR;

std::string content_of(const fs::path& file) {
  std::ifstream in(file);
  EXPECT_TRUE(in) << file;
  return {std::istreambuf_iterator<char>(in), {}};
}

// Code says nothing of links.
std::string without_code(const std::string& text) {
  return std::regex_replace(std::regex_replace(text, std::regex("```[^`]*```"), ""), std::regex("`[^`\n]*`"), "");
}

// As the host of the repository makes it of a heading: [text](link) and marks give their text, other signs go.
std::string anchor_of(std::string heading) {
  heading = std::regex_replace(heading, std::regex(R"(\[([^\]]*)\]\([^)]*\))"), "$1");
  std::string anchor;
  for (const char c : heading) {
    if (c == ' ' || c == '-')
      anchor += '-';
    else if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || static_cast<signed char>(c) < 0)
      anchor += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return anchor;
}

std::set<std::string> anchors_of(const fs::path& page) {
  const std::string text = content_of(page);
  const std::regex heading("(^|\n)#+ ([^\n]*)");
  std::set<std::string> anchors;
  for (auto h = std::sregex_iterator(text.begin(), text.end(), heading); h != std::sregex_iterator(); ++h)
    anchors.insert(anchor_of((*h)[2]));
  return anchors;
}

// Why the link of `page` leads nowhere; empty if it leads somewhere.
std::string complaint(const fs::path& page, const std::string& link) {
  const std::size_t mark = std::min(link.find('#'), link.size());
  const fs::path file = mark == 0 ? page : page.parent_path() / link.substr(0, mark);
  if (!fs::exists(file)) return "no such file";
  if (mark == link.size() || file.extension() != ".md") return {};
  return anchors_of(file).count(link.substr(mark + 1)) != 0 ? "" : "no such heading";
}

std::vector<std::string> complaints(const fs::path& page, const std::string& content) {
  const std::string text = without_code(content);
  const std::regex one(R"(\]\(([^)\s]+)\))");
  std::vector<std::string> result;
  for (auto l = std::sregex_iterator(text.begin(), text.end(), one); l != std::sregex_iterator(); ++l) {
    const std::string link = (*l)[1];
    if (link.find("://") != std::string::npos || link.rfind("mailto:", 0) == 0) continue;
    const std::string why = complaint(page, link);
    if (!why.empty()) result.push_back(link + ": " + why);
  }
  return result;
}

std::vector<fs::path> pages() {
  std::vector<fs::path> all;
  for (const auto& entry : fs::directory_iterator(root))
    if (entry.path().extension() == ".md") all.push_back(entry.path());
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") all.push_back(entry.path());
  std::sort(all.begin(), all.end());
  return all;
}

TEST(pages, have_links_that_lead_somewhere) {
  for (const fs::path& page : pages())
    for (const std::string& bad : complaints(page, content_of(page)))
      ADD_FAILURE() << fs::relative(page, root) << " links " << bad;
}

TEST(pages, a_link_that_leads_nowhere_is_found) {
  const fs::path page = root / "docs/README.md";
  EXPECT_EQ(complaints(page, "[a](no_page.md)"), std::vector<std::string>{"no_page.md: no such file"});
  EXPECT_EQ(complaints(page, "[a](#nowhere)"), std::vector<std::string>{"#nowhere: no such heading"});
  EXPECT_TRUE(complaints(page, "[a](#start) `[b](c)` [d](https://example.org/e)").empty());
}

TEST(pages, of_the_documentation_are_all_in_its_list) {
  const std::string list = content_of(root / "docs/README.md");
  for (const auto& entry : fs::directory_iterator(root / "docs")) {
    const std::string name = entry.path().filename().string();
    if (entry.path().extension() != ".md" || name == "README.md") continue;
    EXPECT_NE(list.find("](" + name + ")"), std::string::npos) << name << " is not in docs/README.md";
  }
}

// Pages that a source, a script, a message or a configuration names, and that are not there.
std::set<std::string> missing_pages(const std::string& text) {
  std::set<std::string> missing;
  for (std::size_t at = text.find("docs/"); at != std::string::npos; at = text.find("docs/", at + 1)) {
    const std::size_t end = text.find_first_not_of("abcdefghijklmnopqrstuvwxyz_/", at);
    if (end == std::string::npos || text.compare(end, 3, ".md") != 0) continue;
    const std::string page = text.substr(at, end + 3 - at);
    if (!fs::exists(root / page)) missing.insert(page);
  }
  return missing;
}

TEST(pages, that_the_sources_name_exist) {
  const std::set<std::string> texts = {"",    ".cmake", ".cpp", ".def", ".h",    ".in", ".json",
                                       ".md", ".py",    ".s",   ".sv",  ".toml", ".txt"};
  int files = 0;
  for (const char* folder :
       {"apps", "cmake", "configs", "cuda", "docs", "driver", "examples", "inject", "kernels", "observe", "python",
        "rtl_ref", "sc_models", "scripts", "testbenches", "tlm_bus", "toolchain"})
    for (const auto& entry : fs::recursive_directory_iterator(root / folder)) {
      // This file names a page that is not there.
      if (!entry.is_regular_file() || texts.count(entry.path().extension().string()) == 0 ||
          entry.path().filename() == "pages_test.cpp")
        continue;
      ++files;
      for (const std::string& page : missing_pages(content_of(entry.path())))
        ADD_FAILURE() << fs::relative(entry.path(), root) << " names " << page;
    }
  EXPECT_GT(files, 1000);
}

TEST(pages, a_source_that_names_a_missing_one_is_found) {
  EXPECT_EQ(missing_pages("// docs/memory.md, docs/no_page.md\n"), std::set<std::string>{"docs/no_page.md"});
}

TEST(pages, the_readme_is_short) {
  const std::string text = without_code(content_of(root / "README.md"));
  const std::regex word(R"(\S+)");
  const auto words = std::distance(std::sregex_iterator(text.begin(), text.end(), word), std::sregex_iterator());
  EXPECT_LT(words, 700);
}

}  // namespace
