// Encodings of sm_70 for comparison with other sources (scripts/validate volta_encodings).
//
//   volta_encodings rows      one line per row of the table: mnemonic, opcode and its mask, bits that have a
//   meaning volta_encodings compare   reads lines "WORDS<tab>ADDRESS<tab>TEXT"; writes for each what the words
//   mean, what the
//                             text encodes to, and, if something is refused, why: "TEXT<tab>WORDS<tab>REASON"
#include <cstdio>
#include <iostream>
#include <string>

#include "testbenches/toolchain/isa/volta/random_encodings.h"
#include "toolchain/isa/volta/control_codes.h"

namespace {

using namespace gt200::isa::volta;
using gt200::isa::uint128;

std::string hex(uint128 words) {
  std::string text;
  for (int shift = 124; shift >= 0; shift -= 4)
    text += "0123456789abcdef"[static_cast<unsigned>(words >> shift) & 15];
  return text;
}

uint128 parse_hex(const std::string& text) {
  uint128 value = 0;
  for (const char c : text) value = value * 16 + static_cast<unsigned>(std::stoi(std::string(1, c), nullptr, 16));
  return value;
}

void print_rows() {
  std::mt19937_64 random(70);
  for (const row& r : opcode_table()) {
    uint128 used = r.mask;
    for (int k = 0; k < 200; ++k) {
      const auto words = random_words(r, random);
      if (words) used |= *words;
    }
    std::cout << r.name << " " << hex(r.value) << " " << hex(r.mask) << " " << hex(used) << "\n";
  }
}

void compare() {
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t first = line.find('\t');
    const std::size_t second = line.find('\t', first + 1);
    const uint128 words = parse_hex(line.substr(0, first));
    const auto at = static_cast<gt200::isa::code_address>(std::stoul(line.substr(first + 1, second - first - 1)));
    decode_error error;
    const auto i = decode(words, error);
    std::string label;
    decode_error text_error;
    const std::string codes = control_text(decode_control(static_cast<std::uint32_t>(words >> 105)));
    const auto from_text = parse(codes + " " + line.substr(second + 1), at, label, text_error);
    std::cout << (i ? disassemble(*i, at) : "") << "\t" << (from_text ? hex(words_of(from_text->words)) : "")
              << "\t" << (i ? text_error.reason : error.reason) << "\n";
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc == 2 ? argv[1] : "";
  if (mode == "rows")
    print_rows();
  else if (mode == "compare")
    compare();
  else
    std::cerr << "usage: volta_encodings rows | compare\n";
  return mode == "rows" || mode == "compare" ? 0 : 2;
}
