#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <string>

#include "apps/commands/commands.h"
#include "toolchain/assembler/program.h"
#include "toolchain/cubin/limits.h"
#include "toolchain/error.h"
#include "toolchain/isa/volta/codec.h"
#include "toolchain/isa/volta/control_codes.h"
#include "toolchain/isa/volta/lint.h"

namespace gt200::apps {
namespace {

std::string instruction_at(const cubin::kernel& kernel, isa::code_address at) {
  const std::size_t word = at / 4;
  if (word + 4 > kernel.code.size()) return {};
  isa::volta::decode_error error;
  const auto i = isa::volta::decode(isa::volta::words_of({kernel.code[word], kernel.code[word + 1],
                                                          kernel.code[word + 2], kernel.code[word + 3]}),
                                    error);
  return i ? isa::volta::control_text(i->codes) + " " + isa::volta::disassemble(*i, at) : std::string();
}

std::string place_of(const cubin::kernel& kernel, isa::code_address at) {
  for (const cubin::source_line& line : kernel.lines)
    if (line.offset == at) return fmt::format("{}+0x{:04x} (line {})", kernel.name, at, line.line);
  return fmt::format("{}+0x{:04x}", kernel.name, at);
}

void print(const cubin::kernel& kernel, const isa::volta::lint_finding& f) {
  std::cout << fmt::format("{}: {}: {}\n", place_of(kernel, f.at), f.reason, instruction_at(kernel, f.at));
}

exit_code lint(const std::string& file, bool longer) {
  const cubin::module module = program::load(file);
  if (module.capability < cubin::volta.first_sm)
    throw input_error(
        file, 0, fmt::format("control codes are checked for sm_70; this is code for sm_{}", module.capability));
  std::size_t findings = 0;
  std::size_t spare = 0;
  for (const cubin::kernel& kernel : module.kernels) {
    for (const isa::volta::lint_finding& f : isa::volta::lint(kernel.code)) {
      ++findings;
      print(kernel, f);
    }
    if (!longer) continue;
    for (const isa::volta::lint_finding& f : isa::volta::longer_than_needed(kernel.code)) {
      ++spare;
      print(kernel, f);
    }
  }
  std::cout << fmt::format("{} kernels, {} findings", module.kernels.size(), findings);
  if (longer) std::cout << fmt::format(", {} codes longer than needed", spare);
  std::cout << "\n";
  return findings == 0 ? exit_code::ok : exit_code::check_failed;
}

}  // namespace

void add_lint(CLI::App& program, action& chosen) {
  auto* command =
      program.add_subcommand("lint", "check the control codes of a program for sm_70 against latencies");
  const auto file = std::make_shared<std::string>();
  command->add_option("program", *file, "cubin or assembly source")->type_name("FILE")->required();
  const auto longer = std::make_shared<bool>(false);
  command->add_flag("--longer", *longer,
                    "also list codes that are longer than needed; the exit code says nothing of them");
  command->callback([&chosen, file, longer] { chosen = [file, longer] { return lint(*file, *longer); }; });
}

}  // namespace gt200::apps
