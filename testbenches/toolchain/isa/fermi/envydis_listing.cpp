#include "testbenches/toolchain/isa/fermi/envydis_listing.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "toolchain/isa/fermi/codec.h"

namespace gt200::isa::fermi {
namespace {

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

struct replacement {
  std::regex pattern;
  const char* by;
};

std::string normalised(std::string text, bool has_relative_target) {
  static const std::vector<replacement> everywhere = {
      {std::regex("\\s+"), " "},        {std::regex("^ | $"), ""},
      {std::regex("\\blong "), ""},     {std::regex("\\$r63(?!d|q|[0-9])"), "0x0"},
      {std::regex("\\$p7"), "0x1"},     {std::regex("\\batom (exch|cas)"), "$1"},
      {std::regex("\\batom\\b"), "ld"}, {std::regex("\\bred add u64"), "add u64"},
  };
  static const std::vector<replacement> wide_sums = {
      {std::regex("(add u64 )\\$r([0-9]+)d"), "$1$$r$2"},
      {std::regex("\\$r([0-9]+)d$"), "$$r$1"},
      {std::regex("\\$r63(?!d|q|[0-9])"), "0x0"},
  };
  static const std::vector<replacement> textures = {
      {std::regex(" \\$r[0-9]+$"), " ()"},
      {std::regex("0x0"), "$$r63"},
  };
  const auto replace_all = [&text](const std::vector<replacement>& replacements) {
    for (const replacement& r : replacements) text = std::regex_replace(text, r.pattern, r.by);
  };
  replace_all(everywhere);
  if (text.find("add u64") != std::string::npos) replace_all(wide_sums);
  if (text.find("tex") != std::string::npos) replace_all(textures);
  return with_64_bit_numbers(text, has_relative_target);
}

bool is(const predicate_operand& p, std::uint8_t index, bool negate) {
  return p.index == index && p.negate == negate;
}

}  // namespace

std::vector<std::string> listed_by_envydis(const std::string& program,
                                           const std::vector<std::uint64_t>& instructions) {
  const std::string file =
      (std::filesystem::temp_directory_path() / ("fermi_words_" + std::to_string(::getpid()))).string();
  std::ofstream out(file, std::ios::binary);
  for (const std::uint64_t& words : instructions) out.write(reinterpret_cast<const char*>(&words), sizeof words);
  out.close();
  std::vector<std::string> lines;
  FILE* pipe = popen(("'" + program + "' -m gf100 -V gf100 -i -n " + file).c_str(), "r");
  if (pipe == nullptr) return lines;
  std::array<char, 512> line;
  static const std::regex start("^[0-9a-f]{8}: [0-9a-f]{8} [0-9a-f]{8}[ BC]*");
  while (std::fgets(line.data(), line.size(), pipe) != nullptr)
    if (std::regex_search(line.data(), start)) lines.push_back(std::regex_replace(line.data(), start, ""));
  pclose(pipe);
  std::filesystem::remove(file);
  return lines;
}

std::string comparable_listing(std::uint64_t words, std::uint32_t at) {
  static const std::regex first_predicate(" and \\$p0");
  static const std::regex not_true(" and not \\$p7$");
  decode_error error;
  const auto i = decode(words, error);
  if (!i) return "";
  const bool relative = has_target(*i) && i->op != opcode::jmp && i->op != opcode::jcal;
  std::string text = disassemble(*i, at);
  const bool is_pset = i->op == opcode::pset || i->op == opcode::psetp;
  if (is_pset && i->logic == logic_op::and_ && is(i->predicate_source[1], 0, false))
    text = std::regex_replace(text, first_predicate, "", std::regex_constants::format_first_only);
  if (i->combine == logic_op::and_ && is(i->predicate_source[2], true_predicate, true))
    text = std::regex_replace(text, not_true, "");
  return normalised(text, relative);
}

std::string comparable_envydis(const std::string& line) {
  static const std::regex not_true(" *\\[unknown: 00000000 00100000\\]");
  return normalised(std::regex_replace(line, not_true, ""), false);
}

}  // namespace gt200::isa::fermi
