// Instructions for a comparison with another disassembler, one per line:
//   decoded <row> <format> <words>\t<text>     how our table decodes words, at least `per_row` times per row
//   encoded <row> <format> <words>\t<text>     how our assembler encodes that text, where it differs
//   refused - - <words>\t<reason>              random words that the table refuses
// Words are hexadecimal, `row` is the number in the opcode table; a summary of the table comes first:
//   table <rows> <operations> <formats>
#include <cinttypes>
#include <cstdio>
#include <exception>
#include <set>
#include <stdexcept>
#include <string>

#include "testbenches/toolchain/isa/random_encodings.h"

namespace gt200::isa::tesla {
namespace {

constexpr int per_row = 24;
constexpr int refused_words = 400000;

const char* name_of(encoding_format format) {
  switch (format) {
    case encoding_format::short_: return "short";
    case encoding_format::short_control: return "short_control";
    case encoding_format::long_: return "long";
    case encoding_format::immediate: return "immediate";
    case encoding_format::control: return "control";
    case encoding_format::control_plain: return "control_plain";
  }
  return "?";
}

void print(const std::string& head, std::uint64_t words, int length, const std::string& text) {
  std::printf("%s 0x%08" PRIx32, head.c_str(), static_cast<std::uint32_t>(words));
  if (length == 8) std::printf(" 0x%08" PRIx32, static_cast<std::uint32_t>(words >> 32));
  std::printf("\t%s\n", text.c_str());
}

// Other tools do not know the instructions for registers shared over time.
bool exists_on_a_chip(const row& r) { return r.op != opcode::regacquire && r.op != opcode::regrelease; }

void print_instructions() {
  const row* const first_row = opcode_table().data();
  std::set<std::uint64_t> seen;
  for (const encoded& e : random_instructions(per_row)) {
    if (!exists_on_a_chip(*e.from)) continue;
    const auto i = decoded(e.words);
    if (!i) throw std::runtime_error("words of the random walk do not decode");
    const auto row_number = static_cast<std::size_t>(e.from - first_row);
    const std::string head =
        " " + std::to_string(row_number) + " " + name_of(e.from->format) + " " + std::to_string(i->capability);
    const std::string text = disassemble(*i);
    if (seen.insert(e.words).second) print("decoded" + head, e.words, i->length, text);
    std::string label;
    decode_error error;
    const auto assembled = parse(text, label, error);
    if (!assembled) throw std::runtime_error(text + ": " + error.reason);
    const std::uint64_t words = joined(assembled->words.data());
    if (seen.insert(words).second) print("encoded" + head, words, assembled->length, text);
  }
}

// Random words: the fixed bits of a random row with all other bits random, and entirely random words.
void print_refused() {
  std::mt19937_64 random(11);
  for (int k = 0; k < refused_words; ++k) {
    const row& r = opcode_table()[random() % opcode_table().size()];
    std::uint64_t words = random();
    if (!exists_on_a_chip(r)) continue;
    if (k % 4 != 0) words = plain_words(r) ^ (random() & random() & random() & ~std::uint64_t{3});
    decode_error error;
    const auto low = static_cast<std::uint32_t>(words);
    if (!decode(low, static_cast<std::uint32_t>(words >> 32), error))
      print("refused - - -", words, length_of(low), error.reason);
  }
}

}  // namespace
}  // namespace gt200::isa::tesla

int main() {
  using namespace gt200::isa::tesla;
  try {
    std::set<opcode> operations;
    std::set<encoding_format> formats;
    std::size_t rows = 0;
    for (const row& r : opcode_table()) {
      if (!exists_on_a_chip(r)) continue;
      operations.insert(r.op);
      formats.insert(r.format);
      ++rows;
    }
    std::printf("table %zu %zu %zu\n", rows, operations.size(), formats.size());
    print_instructions();
    print_refused();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "encoding_samples: %s\n", error.what());
    return 2;
  }
  return 0;
}
