// The fuzz targets of sm_20, and their seeds.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <string>

#include "testbenches/fuzz/seeds.h"
#include "testbenches/fuzz/targets.h"
#include "testbenches/toolchain/isa/fermi/random_encodings.h"
#include "testbenches/toolchain/module_difference.h"
#include "toolchain/cubin/elf_reader.h"
#include "toolchain/cubin/elf_writer.h"
#include "toolchain/error.h"

namespace gt200::fuzz {
namespace {

constexpr isa::code_address somewhere = 0x4000000;
constexpr int encodings_per_row = 3;

isa::fermi::instruction through_text(const isa::fermi::instruction& i) {
  const std::string text = isa::fermi::disassemble(i, somewhere);
  std::string label;
  isa::fermi::decode_error error;
  const auto again = isa::fermi::parse(text, somewhere, label, error);
  if (!again) throw finding("'" + text + "' is refused: " + error.reason);
  return *again;
}

void check_instruction(const isa::fermi::instruction& i) {
  const std::string text = isa::fermi::disassemble(i, somewhere);
  isa::fermi::instruction encoded = i;
  isa::fermi::decode_error error;
  if (!isa::fermi::encode(encoded, error)) throw finding("'" + text + "' is not encoded: " + error.reason);
  for (const isa::fermi::instruction& again : {encoded, through_text(i)})
    if (!isa::fermi::same_operation(i, again))
      throw finding("'" + text + "' becomes '" + isa::fermi::disassemble(again, somewhere) + "'");
}

std::string bytes_of(std::uint64_t words) {
  return std::string(reinterpret_cast<const char*>(&words), sizeof words);
}

cubin::module sample(unsigned address_bytes) {
  cubin::module m;
  m.name = "sample";
  m.capability = 20;
  m.address_bytes = address_bytes;
  m.constants = {{"table", 2, 0, 8, {1, 2, 3, 4}}};
  m.globals = {{"counter", 8, 256, {}}, {"primes", 12, 256, {2, 0, 0, 0, 3}}};
  m.relocations = {{"primes", 14, 0}, {"counter", 14, address_bytes}};
  cubin::kernel k;
  k.name = "_Z6kernelPf";
  k.code = {0x00005de4, 0x28004404, 0x00001de7, 0x80000000};
  k.registers = 63;
  k.shared_bytes = 1024;
  k.local_bytes = 64;
  k.barriers = 1;
  k.parameter_base = cubin::fermi_parameter_base;
  k.parameters = {{0, address_bytes}, {address_bytes, 4}};
  k.constants = {{"", 16, 0, 8, {1, 2, 3, 4, 5, 6, 7, 8}}};
  m.kernels = {k};
  return m;
}

}  // namespace

void fermi_decoder(std::string_view input) {
  for (std::size_t at = 0; at + 8 <= input.size(); at += 8) {
    std::uint64_t words = 0;
    std::memcpy(&words, input.data() + at, sizeof words);
    isa::fermi::decode_error error;
    if (const auto i = isa::fermi::decode(words, error))
      check_instruction(*i);
    else if (error.reason.empty())
      throw finding("refused without a reason");
  }
}

void fermi_assembler(std::string_view input) {
  std::istringstream lines{std::string(input)};
  for (std::string line; std::getline(lines, line);) {
    std::string label;
    isa::fermi::decode_error error;
    const auto i = isa::fermi::parse(line, somewhere, label, error);
    if (!i && error.reason.empty()) throw finding("refused without a reason: '" + line + "'");
    if (i && label.empty() && isa::fermi::words_of(through_text(*i).words) != isa::fermi::words_of(i->words))
      throw finding("'" + line + "' has other words after its listing");
  }
}

void fermi_loader(std::string_view input) {
  cubin::module module;
  try {
    module = cubin::read_elf_cubin(input, "input", cubin::fermi);
  } catch (const input_error&) {
    return;
  }
  std::ostringstream image;
  cubin::write_elf_cubin(module, image);
  try {
    const std::string difference =
        cubin::difference(module, cubin::read_elf_cubin(image.str(), "written", cubin::fermi));
    if (!difference.empty()) throw finding("through ELF: " + difference);
  } catch (const input_error& error) {
    throw finding(std::string("our own ELF cubin is refused: ") + error.what());
  }
}

std::vector<seed> fermi_decoder_seeds() {
  seed words = {"every_row", {}};
  for (const isa::fermi::encoded& e : isa::fermi::random_instructions(encodings_per_row))
    words.content += bytes_of(e.words);
  return {words};
}

std::vector<seed> fermi_assembler_seeds() {
  seed text = {"every_row", {}};
  for (const isa::fermi::encoded& e : isa::fermi::random_instructions(encodings_per_row))
    if (const auto i = isa::fermi::decoded(e.words)) text.content += isa::fermi::disassemble(*i, somewhere) + "\n";
  return {text};
}

std::vector<seed> fermi_loader_seeds() {
  std::vector<seed> result;
  for (const unsigned address_bytes : {4u, 8u}) {
    std::ostringstream image;
    cubin::write_elf_cubin(sample(address_bytes), image);
    result.push_back({"elf" + std::to_string(8 * address_bytes), image.str()});
  }
  return result;
}

}  // namespace gt200::fuzz
