// docs/virtual_platform.md shows the format of page tables as the models have it, and its example is right.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>

#include "sc_models/memory_path/page_entries.h"

namespace {

namespace pages = gt200::model::page_entries;

std::string content_of(const std::string& name) {
  std::ifstream file(std::string(GT200_SOURCE_DIR) + "/" + name);
  EXPECT_TRUE(file) << name;
  return {std::istreambuf_iterator<char>(file), {}};
}

void expect_in_page(const std::string& table) {
  EXPECT_NE(content_of("docs/virtual_platform.md").find("\n" + table), std::string::npos)
      << "docs/virtual_platform.md shall contain\n"
      << table;
}

// A row for each field of an entry: what page_entries.h says beside it.
std::string fields_of(const std::string& entry) {
  const std::string header = content_of("sc_models/memory_path/page_entries.h");
  const std::regex one("inline constexpr bit_field " + entry + R"(_(\w+) = \{(\d+), (\d+)\};\s*// ([^\n]*))");
  std::string table = "| bits | " + entry + " | |\n|---|---|---|\n";
  for (auto f = std::sregex_iterator(header.begin(), header.end(), one); f != std::sregex_iterator(); ++f) {
    const std::string first = (*f)[3], last = (*f)[2];
    std::string name = (*f)[1];
    std::replace(name.begin(), name.end(), '_', ' ');
    table += "| " + (first == last ? first : last + ":" + first) + " | " + name + " | " + (*f)[4].str() + " |\n";
  }
  return table;
}

std::string hexadecimal(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

TEST(page_tables, of_the_documentation_have_the_fields_of_the_chip) {
  for (const auto& [entry, rows] : {std::pair<std::string, int>{"directory", 4}, {"page", 8}}) {
    const std::string table = fields_of(entry);
    EXPECT_EQ(std::count(table.begin(), table.end(), '\n'), rows) << table;
    expect_in_page(table);
  }
}

// Virtual addresses from 0x40000000 on: four pages of 4 KB in one piece from 0x3000000 on, then one elsewhere that
// may only be read.
TEST(page_tables, of_the_example_are_what_the_chip_reads) {
  constexpr std::uint64_t directory = 0x100000, table = 0x200000, address = 0x40000000;
  const pages::directory_entry of_table{table, pages::small_page};
  std::string rows = "| address | 8 bytes | |\n|---|---|---|\n";
  const auto row = [&rows](std::uint64_t at, std::uint64_t word, const std::string& text) {
    rows += "| " + hexadecimal(at) + " | " + hexadecimal(word) + " | " + text + " |\n";
  };
  row(directory + (address >> pages::directory_shift) * pages::entry_bytes, of_table.encode(), "table at 0x200000");
  for (unsigned page = 0; page < 4; ++page)
    row(of_table.entry_of(address + page * pages::small_page),
        pages::page_entry{true, false, 2, 0x3000000, false}.encode(),
        "page " + std::to_string(page) + " of the block");
  row(of_table.entry_of(address + 4 * pages::small_page),
      pages::page_entry{true, true, 0, 0x5000000, false}.encode(), "one page, only to be read");
  expect_in_page(rows);
}

}  // namespace
