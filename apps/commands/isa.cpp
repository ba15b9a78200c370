#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <algorithm>
#include <cctype>
#include <iostream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "apps/commands/commands.h"
#include "toolchain/error.h"
#include "toolchain/isa/fermi/reference.h"
#include "toolchain/isa/tesla/condition.h"
#include "toolchain/isa/tesla/opcode_table.h"
#include "toolchain/isa/tesla/reference.h"
#include "toolchain/isa/volta/reference.h"

namespace gt200::apps {
namespace {

const char* const legend =
    "[x] may be left out; {x | y} one of them; T: u8, u16, s16 or b32, how s[] is read; #: result is dropped\n"
    "$r 32 bits, $rl half ($r1l or $r1h), $rd pair, $rq quad; c[]: c0 .. c15; g[]: g14 is all of global memory\n"
    "In front: short (4 bytes), exit, join (or .S behind the mnemonic), a condition such as (lg $c0). sm_1x: needs "
    "this target or a later "
    "one\n";

struct isa_options {
  std::vector<std::string> mnemonics;
  std::string architecture = "sm_13";
};

// A line of the list, and the name under which it is found.
struct listed_form {
  std::string name;
  std::string text;
};

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  return text;
}

std::string conditions() {
  std::string names;
  for (const char* name : isa::tesla::condition_names)
    if (name != nullptr) names += std::string(" ") + name;
  return "conditions:" + names + "\n";
}

std::vector<listed_form> forms_of_tesla() {
  std::vector<listed_form> all;
  for (const isa::tesla::row& r : isa::tesla::opcode_table()) {
    const std::string needs = r.capability > 10 ? fmt::format("  // sm_{}", r.capability) : "";
    all.push_back({r.mnemonic, isa::tesla::pattern_of(r) + needs});
  }
  return all;
}

template <class Forms>
std::vector<listed_form> examples_of(const Forms& forms) {
  std::vector<listed_form> all;
  for (const auto& f : forms) all.push_back({lower_case(f.name), f.example});
  return all;
}

std::vector<listed_form> forms_of(const std::string& architecture) {
  if (architecture == "sm_20") return examples_of(isa::fermi::forms());
  if (architecture == "sm_70") return examples_of(isa::volta::forms());
  return forms_of_tesla();
}

std::string head_of(const std::string& architecture) {
  if (architecture == "sm_13") return legend + conditions() + "\n";
  return "An example of every form; other registers, numbers and modifiers: docs/isa.md\n\n";
}

bool knows(const std::vector<listed_form>& forms, const std::string& name) {
  return std::any_of(forms.begin(), forms.end(), [&](const listed_form& f) { return f.name == name; });
}

[[noreturn]] void refuse_unknown(const std::string& name, const std::string& architecture) {
  std::string others;
  for (const char* other : {"sm_13", "sm_20", "sm_70"})
    if (other != architecture && knows(forms_of(other), name))
      others += fmt::format("{}{}", others.empty() ? "" : " and ", other);
  if (others.empty())
    throw input_error(
        fmt::format("no instruction is called '{}'; gt200 isa --arch {} lists all", name, architecture));
  throw input_error(fmt::format("'{}' is an instruction of {}, not of {} (--arch)", name, others, architecture));
}

exit_code list_instructions(const isa_options& options) {
  const std::vector<listed_form> forms = forms_of(options.architecture);
  std::set<std::string> wanted;
  for (const std::string& name : options.mnemonics) {
    const std::string known_as = options.architecture == "sm_13" ? name : lower_case(name);
    if (!knows(forms, known_as)) refuse_unknown(name, options.architecture);
    wanted.insert(known_as);
  }
  std::cout << head_of(options.architecture);
  for (const listed_form& f : forms)
    if (wanted.empty() || wanted.count(f.name) != 0) std::cout << f.text << "\n";
  return exit_code::ok;
}

}  // namespace

void add_isa(CLI::App& program, action& chosen) {
  auto* command = program.add_subcommand("isa", "list the instructions and how they are written");
  const auto options = std::make_shared<isa_options>();
  command->add_option("mnemonic", options->mnemonics, "only these; default: all");
  command->add_option("--arch", options->architecture, "instruction set: that of Tesla, Fermi or Volta")
      ->check(CLI::IsMember({"sm_13", "sm_20", "sm_70"}))
      ->capture_default_str();
  command->callback([&chosen, options] { chosen = [options] { return list_instructions(*options); }; });
}

}  // namespace gt200::apps
