// A short, repeatable run of every fuzz target: all prefixes of some seeds, then random changes.
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <random>

#include "testbenches/fuzz/seeds.h"
#include "testbenches/fuzz/targets.h"
#include "toolchain/launch/description.h"

namespace gt200::fuzz {
namespace {

using target = void (*)(std::string_view);

void expect_no_finding(target run, const std::string& input, const std::string& what) {
  try {
    run(input);
  } catch (const std::exception& error) {
    ADD_FAILURE() << what << ": " << error.what();
  }
}

// Makes one to four changes: flips bits, overwrites, removes, repeats or moves pieces.
std::string changed(std::string input, std::mt19937& random) {
  const auto below = [&](std::size_t limit) { return limit == 0 ? 0 : random() % limit; };
  for (std::size_t changes = 1 + below(4); changes != 0 && !input.empty(); --changes) {
    const std::size_t at = below(input.size());
    const std::size_t length = 1 + below(std::min<std::size_t>(16, input.size() - at));
    switch (below(6)) {
      case 0: input[at] = static_cast<char>(input[at] ^ 1 << below(8)); break;
      case 1: input[at] = static_cast<char>(below(256)); break;
      case 2: input.erase(at, length); break;
      case 3: input.insert(below(input.size()), input.substr(at, length)); break;
      case 4: input.replace(at, 1, std::to_string(below(100000))); break;
      case 5: std::fill_n(input.begin() + static_cast<std::ptrdiff_t>(at), length, '\xff'); break;
    }
  }
  return input;
}

void run_changes(target run, const std::vector<seed>& seeds, int runs) {
  std::mt19937 random(2008);
  for (int i = 0; i < runs; ++i) {
    const seed& s = seeds[random() % seeds.size()];
    expect_no_finding(run, changed(s.content, random), s.name + ", change " + std::to_string(i));
  }
}

// Runs every prefix of the smallest seed whose name has this ending.
void run_prefixes(target run, const std::vector<seed>& seeds, const std::string& ending) {
  const seed* smallest = nullptr;
  for (const seed& s : seeds) {
    const bool fits = s.name.size() >= ending.size() && s.name.substr(s.name.size() - ending.size()) == ending;
    if (fits && (smallest == nullptr || s.content.size() < smallest->content.size())) smallest = &s;
  }
  ASSERT_NE(smallest, nullptr) << ending;
  for (std::size_t length = 0; length <= smallest->content.size(); ++length)
    expect_no_finding(run, smallest->content.substr(0, length),
                      smallest->name + ", first " + std::to_string(length));
}

TEST(fuzz, decoder) {
  for (const seed& s : decoder_seeds()) expect_no_finding(decoder, s.content, s.name);
  run_changes(decoder, decoder_seeds(), 300);
}

TEST(fuzz, cubin_loader) {
  const std::vector<seed> seeds = cubin_loader_seeds();
  for (const char* ending : {".elf", ".text", ".sass", ".hex"}) run_prefixes(cubin_loader, seeds, ending);
  run_changes(cubin_loader, seeds, 3000);
}

TEST(fuzz, assembler) {
  const std::vector<seed> seeds = assembler_seeds();
  for (const seed& s : seeds) expect_no_finding(assembler, s.content, s.name);
  run_prefixes(assembler, seeds, "declarations");
  run_changes(assembler, seeds, 60);
}

TEST(fuzz, launch_description) {
  const std::vector<seed> seeds = launch_description_seeds();
  for (const seed& s : seeds) {
    EXPECT_NO_THROW(launch::parse(s.content, s.name));  // a refused seed would test little
    expect_no_finding(launch_description, s.content, s.name);
  }
  run_prefixes(launch_description, seeds, "all_keys");
  run_changes(launch_description, seeds, 1000);
}

TEST(fuzz, configuration) {
  const std::vector<seed> seeds = configuration_seeds();
  for (const seed& s : seeds) expect_no_finding(configuration, s.content, s.name);
  for (const char* ending : {"set_number", "set_word", "set_unit"}) run_prefixes(configuration, seeds, ending);
  run_changes(configuration, seeds, 100);
}

TEST(fuzz, ptx) {
  const std::vector<seed> seeds = ptx_seeds();
  for (const seed& s : seeds) expect_no_finding(ptx, s.content, s.name);
  run_prefixes(ptx, seeds, "reduce0");
  run_changes(ptx, seeds, 60);
}

TEST(fuzz, fermi_decoder) {
  const std::vector<seed> seeds = fermi_decoder_seeds();
  for (const seed& s : seeds) expect_no_finding(fermi_decoder, s.content, s.name);
  run_changes(fermi_decoder, seeds, 100);
}

TEST(fuzz, fermi_assembler) {
  const std::vector<seed> seeds = fermi_assembler_seeds();
  for (const seed& s : seeds) expect_no_finding(fermi_assembler, s.content, s.name);
  run_changes(fermi_assembler, seeds, 20);
}

TEST(fuzz, fermi_loader) {
  const std::vector<seed> seeds = fermi_loader_seeds();
  for (const char* ending : {"elf32", "elf64"}) run_prefixes(fermi_loader, seeds, ending);
  run_changes(fermi_loader, seeds, 3000);
}

TEST(fuzz, volta_decoder) {
  const std::vector<seed> seeds = volta_decoder_seeds();
  for (const seed& s : seeds) expect_no_finding(volta_decoder, s.content, s.name);
  run_changes(volta_decoder, seeds, 100);
}

TEST(fuzz, volta_assembler) {
  const std::vector<seed> seeds = volta_assembler_seeds();
  for (const seed& s : seeds) expect_no_finding(volta_assembler, s.content, s.name);
  run_changes(volta_assembler, seeds, 20);
}

TEST(fuzz, volta_lint) {
  const std::vector<seed> seeds = volta_lint_seeds();
  for (const seed& s : seeds) expect_no_finding(volta_lint, s.content, s.name);
  run_changes(volta_lint, seeds, 100);
}

}  // namespace
}  // namespace gt200::fuzz
