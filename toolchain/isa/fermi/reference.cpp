#include "toolchain/isa/fermi/reference.h"

#include <random>

#include "toolchain/isa/fermi/codec.h"
#include "toolchain/isa/fermi/opcode_table.h"

namespace gt200::isa::fermi {
namespace {

// The row's fixed bits, executed always.
std::uint64_t plain_words(const row& r) {
  constexpr std::uint64_t guard_true = std::uint64_t{7} << 10;
  constexpr std::uint64_t condition_true = std::uint64_t{15} << 5;
  if (r.format == encoding_format::control_plain) return r.value;
  return r.value | (guard_true & ~r.mask) | (r.format == encoding_format::control ? condition_true & ~r.mask : 0);
}

// Some fields have no meaning when they are 0, so other values are tried.
std::string example_of(const row& r) {
  constexpr std::uint64_t length_bit = 8;
  constexpr int attempts = 4096;
  std::mt19937_64 random(20);
  std::uint64_t words = plain_words(r);
  decode_error error;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const auto i = decode(words, error);
    if (i && find_row(words) == &r) return disassemble(*i);
    words = plain_words(r) | (random() & random() & random() & ~r.mask & ~length_bit);
  }
  return r.name;
}

}  // namespace

std::vector<form> forms() {
  std::vector<form> all;
  for (const row& r : opcode_table()) all.push_back({r.name, example_of(r)});
  return all;
}

}  // namespace gt200::isa::fermi
