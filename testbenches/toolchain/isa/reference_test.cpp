// The reference of the assembly language is derived from the opcode table.
#include "toolchain/isa/tesla/reference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>

#include "toolchain/isa/tesla/codec.h"

namespace gt200::isa::tesla {
namespace {

std::vector<std::string> patterns_of(const std::string& mnemonic) {
  std::vector<std::string> patterns;
  for (const row& r : opcode_table())
    if (mnemonic == r.mnemonic) patterns.push_back(pattern_of(r));
  return patterns;
}

bool has(const std::vector<std::string>& patterns, const std::string& pattern) {
  return std::find(patterns.begin(), patterns.end(), pattern) != patterns.end();
}

TEST(reference, shows_what_may_be_written) {
  EXPECT_TRUE(has(patterns_of("bra"), "bra LABEL"));
  EXPECT_TRUE(has(patterns_of("bar"), "bar [inc] [wait] BARRIER MASK"));
  EXPECT_TRUE(has(patterns_of("set"),
                  "set [$c] $r|# {never | l | e | le | g | lg | ge | always} {s32 | u32} "
                  "{$r | T s[]} {$r | c[]}"));
  EXPECT_TRUE(has(patterns_of("ld"), "ld lock $c {$r | $rl}|# b32 s[]"))
      << testing::PrintToString(patterns_of("ld"));
}

// "add [sat] b32 $r {$r
// T s[]} NUMBER" -> "add b32 $r4 $r4 0x4": drops optional parts and takes the first of several alternatives.
std::string simplest_line(const std::string& pattern) {
  const std::map<std::string, std::string> operands = {{"$rd|#", "$r4d"},
                                                       {"$rq|#", "$r4q"},
                                                       {"$rl|#", "$r4l"},
                                                       {"$r|#", "$r4"},
                                                       {"$rd", "$r4d"},
                                                       {"$rq", "$r4q"},
                                                       {"$rl", "$r4l"},
                                                       {"$r", "$r4"},
                                                       {"$a", "$a1"},
                                                       {"$c", "$c0"},
                                                       {"$t", "$t0"},
                                                       {"$s", "$s0"},
                                                       {"s[]", "s[0x10]"},
                                                       {"c[]", "c0[0x10]"},
                                                       {"l[]", "l[0x10]"},
                                                       {"g[$r]", "g14[$r4]"},
                                                       {"NUMBER", "0x4"},
                                                       {"$special", "$clock"},
                                                       {"LABEL", "0x10"},
                                                       {"$r:$r:$r:$r", "$r4:$r5:$r6:$r7"},
                                                       {"$r:$r:$r", "$r4:$r5:$r6"},
                                                       {"OFFSET", "0x0"},
                                                       {"BARRIER", "0x0"},
                                                       {"COUNT", "0x1"},
                                                       {"MASK", "0xfff"}};
  std::string plain;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '[' && (i == 0 || pattern[i - 1] == ' ')) {
      i = pattern.find(']', i);
    } else if (pattern[i] == '{') {
      plain += pattern.substr(i + 1, pattern.find(" | ", i) - i - 1);
      i = pattern.find('}', i);
      if (i + 1 < pattern.size() && pattern[i + 1] == '|') i += 2;  // {..}|#
    } else if (pattern[i] == '(' || pattern[i] == ')') {
      plain += std::string(" ") + pattern[i] + " ";
    } else {
      plain += pattern[i];
    }
  }
  std::istringstream tokens(plain);
  std::string line;
  for (std::string token; tokens >> token;) {
    const auto operand = operands.find(token);
    line += (line.empty() ? "" : " ") + (operand == operands.end() ? token : operand->second);
  }
  return line;
}

TEST(reference, every_pattern_assembles) {
  for (const row& r : opcode_table()) {
    const std::string line = simplest_line(pattern_of(r));
    std::string label;
    decode_error error;
    EXPECT_TRUE(parse(line, label, error)) << pattern_of(r) << "\n" << line << "\n" << error.reason;
  }
}

}  // namespace
}  // namespace gt200::isa::tesla
