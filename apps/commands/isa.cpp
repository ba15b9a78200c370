#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "apps/commands/commands.h"
#include "toolchain/error.h"
#include "toolchain/isa/tesla/condition.h"
#include "toolchain/isa/tesla/opcode_table.h"
#include "toolchain/isa/tesla/reference.h"

namespace gt200::apps {
namespace {

const char* const legend =
    "[x] may be left out; {x | y} one of them; T: u8, u16, s16 or b32, how s[] is read; #: result is dropped\n"
    "$r 32 bits, $rl half ($r1l or $r1h), $rd pair, $rq quad; c[]: c0 .. c15; g[]: g14 is all of global memory\n"
    "In front: short (4 bytes), exit, join (or .S behind the mnemonic), a condition such as (lg $c0). sm_1x: needs "
    "this target or a later "
    "one\n";

std::string conditions() {
  std::string names;
  for (const char* name : isa::tesla::condition_names)
    if (name != nullptr) names += std::string(" ") + name;
  return "conditions:" + names + "\n";
}

exit_code list_instructions(const std::vector<std::string>& mnemonics) {
  for (const std::string& name : mnemonics) {
    bool known = false;
    for (const isa::tesla::row& r : isa::tesla::opcode_table()) known = known || name == r.mnemonic;
    if (!known) throw input_error("no instruction is called '" + name + "'; gt200 isa lists all");
  }
  std::cout << legend << conditions() << "\n";
  for (const isa::tesla::row& r : isa::tesla::opcode_table()) {
    bool wanted = mnemonics.empty();
    for (const std::string& name : mnemonics) wanted = wanted || name == r.mnemonic;
    if (!wanted) continue;
    const std::string needs = r.capability > 10 ? fmt::format("  // sm_{}", r.capability) : "";
    std::cout << isa::tesla::pattern_of(r) << needs << "\n";
  }
  return exit_code::ok;
}

}  // namespace

void add_isa(CLI::App& program, action& chosen) {
  auto* command = program.add_subcommand("isa", "list the instructions and how they are written");
  const auto mnemonics = std::make_shared<std::vector<std::string>>();
  command->add_option("mnemonic", *mnemonics, "only these; default: all");
  command->callback([&chosen, mnemonics] { chosen = [mnemonics] { return list_instructions(*mnemonics); }; });
}

}  // namespace gt200::apps
