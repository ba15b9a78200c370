// A short, repeatable run of every fuzz target: all prefixes of some seeds, then random changes.
#include <gtest/gtest.h>

#include "testbenches/fuzz/short_run.h"
#include "testbenches/fuzz/targets.h"
#include "toolchain/launch/description.h"

namespace gt200::fuzz {
namespace {

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
