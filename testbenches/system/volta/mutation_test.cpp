// Wrong control codes, at random: what goes wrong in a run is found by lint, what lint calls clean runs right.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "testbenches/support/own_process.h"
#include "testbenches/system/volta/volta_board.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/isa/volta/control_codes.h"
#include "toolchain/isa/volta/lint.h"

namespace gt200::support {
namespace {

// Of the environment, or what a quick test takes.
unsigned number(const char* variable, unsigned otherwise) {
  const char* given = std::getenv(variable);
  return given != nullptr ? static_cast<unsigned>(std::atoi(given)) : otherwise;
}
constexpr unsigned words_per_instruction = 4;
constexpr unsigned control_word = 3;
constexpr unsigned control_low = 9;  // bits 105 to 125 of the instruction

isa::control_codes codes_of(const cubin::kernel& kernel, std::size_t instruction) {
  return isa::volta::decode_control(kernel.code[words_per_instruction * instruction + control_word] >> control_low &
                                    ((1u << isa::volta::control_bits) - 1));
}
void set_codes(cubin::kernel& kernel, std::size_t instruction, const isa::control_codes& codes) {
  std::uint32_t& word = kernel.code[words_per_instruction * instruction + control_word];
  word &= ~(((1u << isa::volta::control_bits) - 1) << control_low);
  word |= isa::volta::encode_control(codes) << control_low;
}

// Changes one thing; returns what, empty if nothing could be changed there.
std::string mutate(isa::control_codes& codes, std::mt19937& random) {
  switch (random() % 4) {
    case 0:
      if (codes.stall_cycles < 2) return "";
      codes.stall_cycles = static_cast<std::uint8_t>(1 + random() % (codes.stall_cycles - 1u));
      return fmt::format("stall {}", codes.stall_cycles);
    case 1:
      if (codes.wait_mask == 0) return "";
      codes.wait_mask &= static_cast<std::uint8_t>(codes.wait_mask - 1);
      return "a wait less";
    case 2:
      if (codes.write_barrier == isa::control_codes::no_barrier) return "";
      codes.write_barrier = (codes.write_barrier + 1) % 6;
      return "another write barrier";
    default:
      if (codes.read_barrier == isa::control_codes::no_barrier) return "";
      codes.read_barrier = isa::control_codes::no_barrier;
      return "no read barrier";
  }
}

TEST(volta_mutation, lint_finds_what_goes_wrong) {
  const unsigned seed = number("GT200_SEED", 1);
  const unsigned mutations = number("GT200_MUTATIONS", 40);
  const unsigned memory_seeds = number("GT200_MEMORY_SEEDS", 2);
  std::mt19937 random(seed);
  const cubin::module original = assembler::assemble(block_sums, "test.s");
  ASSERT_TRUE(isa::volta::lint(original.kernels.front().code).empty());
  const std::size_t instructions = original.kernels.front().code.size() / words_per_instruction;
  unsigned detected = 0, latent = 0, clean = 0, lint_only = 0;
  for (unsigned n = 0; n < mutations;) {
    cubin::module module = original;
    cubin::kernel& kernel = module.kernels.front();
    const std::size_t at = random() % instructions;
    isa::control_codes codes = codes_of(kernel, at);
    const std::string what = mutate(codes, random);
    if (what.empty()) continue;
    ++n;
    set_codes(kernel, at, codes);
    const bool found = !isa::volta::lint(kernel.code).empty();
    bool wrong = false, hazard = false;
    for (unsigned s = 0; s < memory_seeds; ++s) {
      device_options options;
      if (s != 0) options.clocking.stalls = {s, 100};
      options.max_cycles = 300000;
      const volta_figures f = figures_of(in_own_process([&] {
        return run_on_volta(module, {{2}, {256, 1, 1}, 4}, options).text();
      }));
      wrong = wrong || !f.error.empty();
      hazard = hazard || f.hazards != 0;
      EXPECT_EQ(f.error.find("model fault"), std::string::npos) << f.error;
    }
    EXPECT_TRUE(found || (!wrong && !hazard))
        << "seed " << seed << ", instruction " << at << ": " << what << ": lint finds nothing";
    if (wrong)
      ++detected;
    else if (hazard)
      ++latent;
    else if (found)
      ++lint_only;
    else
      ++clean;
  }
  std::printf("%u mutations, seed %u: %u detected, %u latent, %u found by lint alone, %u clean\n", mutations, seed,
              detected, latent, lint_only, clean);
  EXPECT_GE(detected + latent, mutations / 4);
}

}  // namespace
}  // namespace gt200::support
