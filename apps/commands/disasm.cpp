#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <system_error>
#include <vector>

#include "apps/commands/commands.h"
#include "apps/support/command_files.h"
#include "toolchain/assembler/disassembler.h"
#include "toolchain/assembler/program.h"
#include "toolchain/error.h"
#include "toolchain/isa/tesla/codec.h"
#include "toolchain/output_file.h"

namespace gt200::apps {
namespace {

struct disasm_options {
  std::vector<std::string> inputs;  // one file, or machine words
  std::string output;
};

std::optional<std::uint32_t> machine_word(std::string_view text) {
  if (text.substr(0, 2) == "0x" || text.substr(0, 2) == "0X") text.remove_prefix(2);
  std::uint32_t word = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), word, 16);
  if (text.empty() || text.size() > 8 || error != std::errc() || end != text.data() + text.size())
    return std::nullopt;
  return word;
}

// One line per instruction. Words that do not decode are an error, because the user asked for nothing else.
std::string disassemble_words(const std::vector<std::uint32_t>& words) {
  std::string text;
  for (std::size_t i = 0; i < words.size();) {
    const std::size_t length = static_cast<std::size_t>(isa::tesla::length_of(words[i])) / 4;
    if (i + length > words.size())
      throw input_error(fmt::format("word {:08x}: a long instruction needs a second word", words[i]));
    isa::tesla::decode_error error;
    const auto instruction = isa::tesla::decode(words[i], length == 2 ? words[i + 1] : 0, error);
    if (!instruction) throw input_error(fmt::format("word {:08x}: {}", words[i], error.reason));
    text += isa::tesla::disassemble(*instruction) + "\n";
    i += length;
  }
  return text;
}

std::string listing(const std::vector<std::string>& inputs) {
  std::error_code error;
  if (!std::filesystem::exists(inputs.front(), error)) {
    std::vector<std::uint32_t> words;
    for (const std::string& input : inputs)
      if (const auto word = machine_word(input)) words.push_back(*word);
    if (words.size() == inputs.size()) return disassemble_words(words);
  }
  if (inputs.size() != 1)
    throw input_error("disasm takes one file, or machine words of up to 8 hexadecimal digits");
  std::ostringstream text;
  assembler::disassemble_module(program::load(inputs.front()), text);
  return text.str();
}

}  // namespace

void add_disasm(CLI::App& program, action& chosen) {
  auto* command = program.add_subcommand("disasm", "list a program, or machine words, as assembly source");
  const auto options = std::make_shared<disasm_options>();
  command
      ->add_option("input", options->inputs,
                   "program (cubin, listing, assembly source), or machine words such as 10008001 00000003")
      ->required();
  command->add_option("-o,--output", options->output, "file to write; default: standard output")->type_name("FILE");
  command->callback([&chosen, options] {
    chosen = [options] {
      command_files files;
      for (const std::string& input : options->inputs) files.reads(input);
      files.writes("--output", options->output);
      files.check();
      const std::string text = listing(options->inputs);
      if (options->output.empty())
        std::cout << text;
      else
        write_file(options->output, text);
      return exit_code::ok;
    };
  });
}

}  // namespace gt200::apps
