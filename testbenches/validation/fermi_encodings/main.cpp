// Encodings of sm_20 for comparison with other sources (scripts/validate fermi_encodings).
//
//   fermi_encodings generated PER_ROW   random words of every row of the table, one per line, and the same without
//                                       the register or the offset of an address
//   fermi_encodings cubins FOLDER       the distinct words of all kernels in the cubins below the folder; a line
//                                       "kernels N" comes first
//   fermi_encodings list                reads words, one per line; the first are at address 0, the next at 8.
//   Writes
//                                       "ROW<tab>NAME<tab>TEXT<tab>WORDS<tab>REASON": the row of the table and its
//                                       name, the listing, what that text assembles to, or why it is refused
//   fermi_encodings envydis PROGRAM     reads words in the same way. Writes our listing and envydis's, in a
//   spelling
//                                       in which they should be equal: "OURS<tab>THEIRS"
#include <algorithm>
#include <exception>
#include <filesystem>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "testbenches/toolchain/isa/fermi/envydis_listing.h"
#include "testbenches/toolchain/isa/fermi/random_encodings.h"
#include "toolchain/cubin/elf_reader.h"
#include "toolchain/cubin/load.h"

namespace {

using namespace gt200::isa::fermi;

std::string hex(std::uint64_t words) {
  std::ostringstream text;
  text << std::hex << std::setfill('0') << std::setw(16) << words;
  return text.str();
}

std::vector<std::uint64_t> words_read() {
  std::vector<std::uint64_t> all;
  for (std::string line; std::getline(std::cin, line);) all.push_back(std::stoull(line, nullptr, 16));
  return all;
}

constexpr std::uint32_t address_of(std::size_t number) {
  return static_cast<std::uint32_t>(instruction_bytes * number);
}

// Random bits rarely make the zero register of an address or no offset.
void print_generated(int per_row) {
  constexpr std::uint64_t base = std::uint64_t{zero_register} << 20;
  constexpr std::uint64_t offset = 0x03fffffffc000000;
  for (const encoded& e : random_instructions(per_row)) {
    std::cout << hex(e.words) << "\n";
    for (const std::uint64_t other : {e.words | base, e.words & ~offset, (e.words | base) & ~offset})
      if (other != e.words && find_row(other) == e.from && decoded(other)) std::cout << hex(other) << "\n";
  }
}

void print_cubins(const std::string& folder) {
  std::size_t kernels = 0;
  std::vector<std::uint64_t> all;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".cubin") continue;
    const std::string file = entry.path().string();
    const auto module = gt200::cubin::read_elf_cubin(gt200::cubin::read_file(file), file, gt200::cubin::fermi);
    kernels += module.kernels.size();
    for (const auto& kernel : module.kernels)
      for (std::size_t word = 0; word + 1 < kernel.code.size(); word += 2)
        all.push_back(kernel.code[word] | std::uint64_t{kernel.code[word + 1]} << 32);
  }
  std::sort(all.begin(), all.end());
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::cout << "kernels " << kernels << "\n";
  for (const std::uint64_t words : all) std::cout << hex(words) << "\n";
}

void list() {
  const std::vector<std::uint64_t> all = words_read();
  for (std::size_t k = 0; k < all.size(); ++k) {
    decode_error error;
    const auto i = decode(all[k], error);
    if (!i) {
      std::cout << "\t\t\t\t" << error.reason << "\n";
      continue;
    }
    const row* const r = find_row(all[k]);
    const std::string text = disassemble(*i, address_of(k));
    std::string label;
    const auto again = parse(text, address_of(k), label, error);
    std::cout << r - opcode_table().data() << "\t" << r->name << "\t" << text << "\t"
              << (again ? hex(words_of(again->words)) : "") << "\t" << (again ? "" : error.reason) << "\n";
  }
}

void print_envydis(const std::string& program) {
  const std::vector<std::uint64_t> all = words_read();
  const std::vector<std::string> theirs = listed_by_envydis(program, all);
  if (theirs.size() != all.size()) throw std::runtime_error(program + " does not list every instruction");
  for (std::size_t k = 0; k < all.size(); ++k)
    std::cout << comparable_listing(all[k], address_of(k)) << "\t" << comparable_envydis(theirs[k]) << "\n";
}

}  // namespace

int main(int argc, char** argv) {
  const std::string mode = argc > 1 ? argv[1] : "";
  try {
    if (mode == "generated" && argc == 3)
      print_generated(std::stoi(argv[2]));
    else if (mode == "cubins" && argc == 3)
      print_cubins(argv[2]);
    else if (mode == "list" && argc == 2)
      list();
    else if (mode == "envydis" && argc == 3)
      print_envydis(argv[2]);
    else
      throw std::invalid_argument(
          "usage: fermi_encodings generated PER_ROW | cubins FOLDER | list | envydis PROGRAM");
  } catch (const std::exception& error) {
    std::cerr << "fermi_encodings: " << error.what() << "\n";
    return 2;
  }
  return 0;
}
