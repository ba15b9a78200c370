#include "toolchain/isa/volta/reference.h"

#include <random>

#include "toolchain/isa/volta/codec.h"
#include "toolchain/isa/volta/opcode_table.h"

namespace gt200::isa::volta {
namespace {

// The row's fixed bits, executed always.
uint128 plain_words(const row& r) {
  constexpr uint128 guard_true = uint128{7} << 12;
  return r.value | (guard_true & ~r.mask);
}

// Some fields have no meaning when they are 0, so other values are tried.
std::string example_of(const row& r) {
  constexpr int attempts = 4096;
  constexpr uint128 instruction_bits = (uint128{1} << 105) - 1;  // control codes lie above
  std::mt19937_64 random(70);
  const auto some_bits = [&random] { return uint128{random() & random()} << 64 | (random() & random()); };
  uint128 words = plain_words(r);
  decode_error error;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const auto i = decode(words, error);
    if (i && find_row(words) == &r) return disassemble(*i);
    words = plain_words(r) | (some_bits() & instruction_bits & ~r.mask);
  }
  return r.name;
}

}  // namespace

std::vector<form> forms() {
  std::vector<form> all;
  for (const row& r : opcode_table()) all.push_back({r.name, example_of(r)});
  return all;
}

}  // namespace gt200::isa::volta
