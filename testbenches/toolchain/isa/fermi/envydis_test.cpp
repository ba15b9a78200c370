// Our listing of sm_20 code agrees with envydis (envytools) on random instructions of every row of the table.
//
// envydis is not part of this repository. The environment variable GT200_ENVYDIS names the program; without it the
// test says that it was skipped. Explained differences are removed before the comparison:
//   - envydis writes register 63 as 0x0 and predicate 7 as 0x1; "long" marks our forms with 32-bit immediates
//   - numbers: envydis writes negative 64-bit numbers, and targets below zero, with 64 bits
//   - atom: envydis writes ld, or nothing for exch and cas, and single registers for add u64; red add u64: add u64
//   - pset: envydis leaves "and $p0" out; combinations with "not $p7" show there as unknown bits
#include <gtest/gtest.h>

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "testbenches/toolchain/isa/fermi/random_encodings.h"

namespace gt200::isa::fermi {
namespace {

std::vector<std::string> listed_by_envydis(const std::string& program, const std::vector<encoded>& instructions) {
  const std::string file =
      (std::filesystem::temp_directory_path() / ("fermi_words_" + std::to_string(::getpid()))).string();
  std::ofstream out(file, std::ios::binary);
  for (const encoded& e : instructions) out.write(reinterpret_cast<const char*>(&e.words), sizeof e.words);
  out.close();
  std::vector<std::string> lines;
  FILE* pipe = popen((program + " -m gf100 -V gf100 -i -n " + file).c_str(), "r");
  if (pipe == nullptr) return lines;
  std::array<char, 512> line;
  static const std::regex start("^[0-9a-f]{8}: [0-9a-f]{8} [0-9a-f]{8}[ BC]*");
  while (std::fgets(line.data(), line.size(), pipe) != nullptr)
    if (std::regex_search(line.data(), start)) lines.push_back(std::regex_replace(line.data(), start, ""));
  pclose(pipe);
  std::filesystem::remove(file);
  return lines;
}

std::string with_64_bit_numbers(const std::string& text, bool extend) {
  static const std::regex number("-?0x[0-9a-f]+");
  std::string result;
  auto last = text.begin();
  for (std::sregex_iterator it(text.begin(), text.end(), number), end; it != end; ++it) {
    result.append(last, (*it)[0].first);
    std::string digits = it->str();
    const bool negative = digits[0] == '-';
    std::uint64_t value = std::strtoull(digits.c_str() + (negative ? 1 : 0), nullptr, 16);
    if (negative) value = 0 - value;
    if (extend && value >> 31 == 1) value |= 0xffffffff00000000;
    std::ostringstream hex;
    hex << "0x" << std::hex << value;
    result += hex.str();
    last = (*it)[0].second;
  }
  return result.append(last, text.end());
}

std::string normalised(std::string text, bool has_relative_target) {
  const auto replace = [&text](const char* pattern, const char* by) {
    text = std::regex_replace(text, std::regex(pattern), by);
  };
  replace("\\s+", " ");
  replace("^ | $", "");
  replace("\\blong ", "");
  replace("\\$r63(?!d|q|[0-9])", "0x0");
  replace("\\$p7", "0x1");
  replace("\\batom (exch|cas)", "$1");
  replace("\\batom\\b", "ld");
  replace("\\bred add u64", "add u64");
  if (text.find("add u64") != std::string::npos) {
    replace("(add u64 )\\$r([0-9]+)d", "$1$$r$2");
    replace("\\$r([0-9]+)d$", "$$r$1");
    replace("\\$r63(?!d|q|[0-9])", "0x0");
  }
  if (text.find("tex") != std::string::npos) {
    replace(" \\$r[0-9]+$", " ()");
    replace("0x0", "$$r63");
  }
  replace(" (and|or|xor) not 0x1$", "");
  return with_64_bit_numbers(text, has_relative_target);
}

TEST(envydis, lists_the_same_as_we) {
  const char* program = std::getenv("GT200_ENVYDIS");
  if (program == nullptr) GTEST_SKIP() << "GT200_ENVYDIS does not name envydis of envytools";
  const std::vector<encoded> instructions = random_instructions(60);
  ASSERT_GE(instructions.size(), 10000u);
  const std::vector<std::string> theirs = listed_by_envydis(program, instructions);
  ASSERT_EQ(theirs.size(), instructions.size());
  for (std::size_t k = 0; k < instructions.size(); ++k) {
    const auto i = decoded(instructions[k].words);
    ASSERT_TRUE(i);
    const bool relative = has_target(*i) && i->op != opcode::jmp && i->op != opcode::jcal;
    std::string ours = disassemble(*i, static_cast<code_address>(8 * k));
    const predicate_operand& right = i->predicate_source[1];
    const bool is_pset = i->op == opcode::pset || i->op == opcode::psetp;
    if (is_pset && i->logic == logic_op::and_ && right.index == 0 && !right.negate)
      ours = std::regex_replace(ours, std::regex(" and \\$p0"), "", std::regex_constants::format_first_only);
    ours = normalised(ours, relative);
    std::string their = theirs[k];
    their = normalised(std::regex_replace(their, std::regex(" \\[unknown: 00000000 00100000\\]"), ""), false);
    EXPECT_EQ(ours, their) << std::hex << instructions[k].words;
  }
}

}  // namespace
}  // namespace gt200::isa::fermi
