#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "apps/commands/commands.h"
#include "toolchain/assembler/code_walk.h"
#include "toolchain/assembler/instruction_sets.h"
#include "toolchain/assembler/program.h"
#include "toolchain/cubin/limits.h"
#include "toolchain/cubin/load.h"
#include "toolchain/error.h"

namespace gt200::apps {
namespace {

namespace fs = std::filesystem;

struct corpus_count {
  std::size_t programs = 0;
  std::size_t instructions = 0;
  std::size_t decoded = 0;
  std::size_t refused = 0;  // programs
};

// Skips hidden files and folders: version control keeps second copies there.
std::vector<std::string> files_below(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) throw input_error(folder, 0, "no such folder");
  std::vector<std::string> files;
  fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
  for (const fs::recursive_directory_iterator end; !error && entry != end; entry.increment(error)) {
    std::error_code ignored;
    const bool hidden = entry->path().filename().string().front() == '.';
    if (hidden && entry->is_directory(ignored)) entry.disable_recursion_pending();
    if (!hidden && entry->is_regular_file(ignored)) files.push_back(entry->path().string());
  }
  if (error) throw input_error(folder, 0, error.message());
  std::sort(files.begin(), files.end());
  return files;
}

bool holds_machine_code(program::format f) {
  return f != program::format::assembly && f != program::format::unknown;
}

// Instructions of one size.
template <class instruction_set>
void count_code(const std::string& file, const cubin::kernel& k, corpus_count& count) {
  constexpr std::size_t length = instruction_set::bytes / 4;
  for (std::size_t word = 0; word + length <= k.code.size(); word += length) {
    ++count.instructions;
    isa::instruction_words words = {};
    std::copy_n(k.code.begin() + static_cast<std::ptrdiff_t>(word), length, words.begin());
    std::string reason;
    if (instruction_set::decode(words, reason)) {
      ++count.decoded;
      continue;
    }
    std::string text;
    for (std::size_t w = 0; w < length; ++w) text += fmt::format(" {:08x}", words[w]);
    std::cout << fmt::format("{}: {} +0x{:x}:{}: {}\n", file, k.name, 4 * word, text, reason);
  }
}

void count_program(const std::string& file, const std::string& content, corpus_count& count) {
  const cubin::module module = program::read(content, file);
  ++count.programs;
  const cubin::architecture& made_for = cubin::architecture_of_sm(module.capability);
  if (&made_for == &cubin::kepler_to_pascal) {
    --count.programs;
    throw input_error(file, 0, fmt::format("is for sm_{}, whose instructions are not known", module.capability));
  }
  for (const cubin::kernel& k : module.kernels) {
    if (&made_for == &cubin::fermi) count_code<assembler::fermi_set>(file, k, count);
    if (&made_for == &cubin::volta) count_code<assembler::volta_set>(file, k, count);
  }
  if (&made_for != &cubin::tesla) return;
  for (const cubin::kernel& k : module.kernels) {
    assembler::walk_code(k.code, [&](const assembler::code_step& step) {
      ++count.instructions;
      if (step.instruction) {
        ++count.decoded;
        return;
      }
      std::string words;
      for (const std::uint32_t word : step.words) words += fmt::format(" {:08x}", word);
      std::cout << fmt::format("{}: {} +0x{:x}:{}: {}\n", file, k.name, step.address, words, step.reason);
    });
  }
}

exit_code decode_corpus(const std::string& folder) {
  corpus_count count;
  for (const std::string& file : files_below(folder)) {
    try {
      const std::string content = cubin::read_file(file);
      if (holds_machine_code(program::recognise(content))) count_program(file, content, count);
    } catch (const input_error& error) {
      ++count.refused;
      std::cout << error.what() << "\n";
    }
  }
  std::cout << fmt::format("{} of {} instructions decoded in {} programs; {} programs refused\n", count.decoded,
                           count.instructions, count.programs, count.refused);
  return exit_code::ok;
}

}  // namespace

void add_corpus(CLI::App& program, action& chosen) {
  auto* command = program.add_subcommand(
      "corpus", "decode every cubin and listing below a folder and list the words that do not decode");
  const auto folder = std::make_shared<std::string>();
  command->add_option("folder", *folder, "folder with text or ELF cubins, SASS or hex listings")
      ->required()
      ->type_name("FOLDER");
  command->callback([&chosen, folder] { chosen = [folder] { return decode_corpus(*folder); }; });
}

}  // namespace gt200::apps
