// The fuzz targets of sm_70, and their seeds.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "testbenches/fuzz/seeds.h"
#include "testbenches/fuzz/targets.h"
#include "testbenches/toolchain/isa/volta/random_encodings.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/isa/volta/control_codes.h"
#include "toolchain/isa/volta/lint.h"

namespace gt200::fuzz {
namespace {

using isa::volta::instruction;

constexpr isa::code_address somewhere = 0x4000000;
constexpr int encodings_per_row = 3;
constexpr std::size_t instruction_words = 4;
constexpr std::size_t most_instructions = 32;  // whose paths are followed: more take long and show little

std::string text_of(const instruction& i) {
  return isa::volta::control_text(i.codes) + " " + isa::volta::disassemble(i, somewhere);
}

instruction parsed(const std::string& text) {
  std::string label;
  isa::volta::decode_error error;
  const auto i = isa::volta::parse(text, somewhere, label, error);
  if (!i) throw finding("'" + text + "' is refused: " + error.reason);
  return *i;
}

void check_instruction(const instruction& i) {
  const std::string text = text_of(i);
  instruction encoded = i;
  isa::volta::decode_error error;
  if (!isa::volta::encode(encoded, error)) throw finding("'" + text + "' is not encoded: " + error.reason);
  if (!isa::volta::same_operation(i, encoded))
    throw finding("'" + text + "' is encoded as '" + text_of(encoded) + "'");
  const instruction again = parsed(text);
  // Reuse bits of sources that are no registers have no text.
  encoded.codes.reuse = again.codes.reuse;
  if (!isa::volta::same_operation(encoded, again)) throw finding("'" + text + "' becomes '" + text_of(again) + "'");
}

// The same instruction with codes that are right wherever it stands.
instruction made_serial(instruction i) {
  i.codes = isa::volta::serial_codes(i);
  for (isa::volta::operand& o : i.source) o.reuse = false;
  isa::volta::decode_error error;
  if (!isa::volta::encode(i, error)) throw finding("'" + text_of(i) + "' is not encoded: " + error.reason);
  return i;
}

// True if lint reports that a path has left the code or has met words that are no instruction.
bool is_end_of_path(const std::vector<std::uint32_t>& code, isa::code_address at) {
  const std::size_t word = at / 4;
  if (word % instruction_words != 0 || at % 4 != 0 || word + instruction_words > code.size()) return true;
  isa::volta::decode_error error;
  return !isa::volta::decode(isa::volta::words_of({code[word], code[word + 1], code[word + 2], code[word + 3]}),
                             error);
}

void expect_ordered(const std::vector<isa::volta::lint_finding>& findings) {
  const auto is_before = [](const auto& a, const auto& b) { return a.at < b.at; };
  if (!std::is_sorted(findings.begin(), findings.end(), is_before)) throw finding("findings are not in order");
  for (const isa::volta::lint_finding& f : findings)
    if (f.reason.empty()) throw finding("a finding without a reason");
}

std::vector<std::uint32_t> every_row() {
  std::vector<std::uint32_t> words;
  for (const isa::volta::encoded& e : isa::volta::random_instructions(encodings_per_row))
    for (unsigned w = 0; w < instruction_words; ++w) words.push_back(static_cast<std::uint32_t>(e.words >> 32 * w));
  return words;
}

std::string bytes_of(const std::vector<std::uint32_t>& words) {
  return std::string(reinterpret_cast<const char*>(words.data()), words.size() * sizeof words[0]);
}

}  // namespace

void volta_decoder(std::string_view input) {
  for (std::size_t at = 0; at + isa::volta::instruction_bytes <= input.size();
       at += isa::volta::instruction_bytes) {
    isa::uint128 words = 0;
    std::memcpy(&words, input.data() + at, sizeof words);
    isa::volta::decode_error error;
    if (const auto i = isa::volta::decode(words, error))
      check_instruction(*i);
    else if (error.reason.empty())
      throw finding("refused without a reason");
  }
}

void volta_assembler(std::string_view input) {
  std::istringstream lines{std::string(input)};
  for (std::string line; std::getline(lines, line);) {
    std::string label;
    isa::volta::decode_error error;
    const auto i = isa::volta::parse(line, somewhere, label, error);
    if (!i && error.reason.empty()) throw finding("refused without a reason: '" + line + "'");
    if (i && label.empty() && isa::volta::words_of(parsed(text_of(*i)).words) != isa::volta::words_of(i->words))
      throw finding("'" + line + "' has other words after its listing '" + text_of(*i) + "'");
  }
}

void volta_lint(std::string_view input) {
  std::vector<std::uint32_t> code(std::min(input.size() / isa::volta::instruction_bytes, most_instructions) *
                                  instruction_words);
  if (code.empty()) return;
  std::memcpy(code.data(), input.data(), code.size() * sizeof code[0]);
  expect_ordered(isa::volta::lint(code));
  expect_ordered(isa::volta::longer_than_needed(code));
  for (std::size_t word = 0; word < code.size(); word += instruction_words) {
    isa::volta::decode_error error;
    const auto i = isa::volta::decode(
        isa::volta::words_of({code[word], code[word + 1], code[word + 2], code[word + 3]}), error);
    if (!i) continue;
    const isa::instruction_words& words = made_serial(*i).words;
    std::copy(words.begin(), words.end(), code.begin() + static_cast<std::ptrdiff_t>(word));
  }
  for (const isa::volta::lint_finding& f : isa::volta::lint(code))
    if (!is_end_of_path(code, f.at)) throw finding("codes that are always right: " + f.reason);
}

std::vector<seed> volta_decoder_seeds() { return {{"every_row", bytes_of(every_row())}}; }

std::vector<seed> volta_assembler_seeds() {
  seed text = {"every_row", {}};
  for (const isa::volta::encoded& e : isa::volta::random_instructions(encodings_per_row))
    if (const auto i = isa::volta::decoded(e.words)) text.content += text_of(*i) + "\n";
  return {text};
}

std::vector<seed> volta_lint_seeds() {
  const std::string folder = std::string(GT200_SOURCE_DIR) + "/kernels/";
  std::vector<seed> seeds = {{"every_row", bytes_of(every_row())}};
  for (const std::string name : {"reduce0", "vector_add", "matrix_mul", "texture_filter"})
    for (const cubin::kernel& k : assembler::assemble_file(folder + name + "/" + name + "_sm_70.s").kernels)
      seeds.push_back({name + "_" + k.name, bytes_of(k.code)});
  return seeds;
}

}  // namespace gt200::fuzz
