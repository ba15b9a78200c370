// Volta's SM with a scoreboard beside the control codes, or in their place (tpc.sm.dependencies).
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "testbenches/support/own_process.h"
#include "testbenches/system/volta/volta_board.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/isa/volta/control_codes.h"
#include "toolchain/isa/volta/latency.h"

namespace gt200::support {
namespace {

const std::vector<std::string> scoreboard = {"tpc.sm.dependencies=scoreboard"};
const std::vector<std::string> checked_stalls = {"tpc.sm.dependencies=checked_stalls"};
const volta_grid two_blocks = {{2}, {256, 1, 1}, 4};

constexpr unsigned words_per_instruction = 4;
constexpr unsigned control_word = 3;
constexpr unsigned control_low = 9;  // bits 105 to 125 of the instruction

// block_sums with codes of `of(instruction)`.
template <class Codes>
cubin::module block_sums_with(Codes of) {
  cubin::module module = assembler::assemble(block_sums, "test.s");
  std::vector<std::uint32_t>& code = module.kernels.front().code;
  for (std::size_t at = control_word; at < code.size(); at += words_per_instruction) {
    code[at] &= ~(((1u << isa::volta::control_bits) - 1) << control_low);
    code[at] |= isa::volta::encode_control(of()) << control_low;
  }
  return module;
}

volta_figures run(const cubin::module& module, const std::vector<std::string>& overrides,
                  const device_options& options = {}) {
  return figures_of(in_own_process([&] { return run_on_volta(module, two_blocks, options, overrides).text(); }));
}

// No waits, no barriers, stalls of 1, everything kept for reuse.
isa::control_codes no_care() {
  isa::control_codes codes;
  codes.stall_cycles = 1;
  codes.reuse = 7;
  return codes;
}

TEST(volta_scoreboard, code_without_any_care_runs_right) {
  const cubin::module careless = block_sums_with(no_care);
  EXPECT_NE(run(careless, {}).error.find("hazard"), std::string::npos) << "the hardware has no interlock";
  const volta_figures right = run(assembler::assemble(block_sums, "test.s"), {});
  ASSERT_EQ(right.error, "");
  for (const auto& rule : {scoreboard, checked_stalls}) {
    SCOPED_TRACE(rule.front());
    const volta_figures f = run(careless, rule);
    EXPECT_EQ(f.error, "");
    EXPECT_EQ(f.hazards, 0u);
    EXPECT_EQ(f.reuse_hits, 0u);
    EXPECT_EQ(f.out, right.out);
  }
}

TEST(volta_scoreboard, random_codes_run_right_with_every_memory) {
  std::mt19937 random(7);
  for (unsigned n = 0; n < 12; ++n) {
    const cubin::module module = block_sums_with([&] {
      isa::control_codes codes;
      codes.stall_cycles = static_cast<std::uint8_t>(random() % 12);
      codes.yield = random() % 2 != 0;
      codes.write_barrier = static_cast<std::uint8_t>(random() % 7);
      codes.read_barrier = static_cast<std::uint8_t>(random() % 7);
      codes.wait_mask = static_cast<std::uint8_t>(random() % 64);
      codes.reuse = static_cast<std::uint8_t>(random() % 8);
      if (codes.write_barrier == 6) codes.write_barrier = isa::control_codes::no_barrier;
      if (codes.read_barrier == 6) codes.read_barrier = isa::control_codes::no_barrier;
      return codes;
    });
    device_options options;
    if (n % 2 != 0) options.clocking.stalls = {n, 100};
    for (const auto& rule : {scoreboard, checked_stalls}) {
      SCOPED_TRACE(fmt::format("program {}, {}", n, rule.front()));
      EXPECT_EQ(run(module, rule, options).error, "");
    }
  }
}

TEST(volta_scoreboard, the_codes_change_nothing_with_a_scoreboard_alone) {
  EXPECT_EQ(run(block_sums_with(no_care), scoreboard).cycles,
            run(assembler::assemble(block_sums, "test.s"), scoreboard).cycles);
}

TEST(volta_scoreboard, every_order_and_way_is_alike) {
  expect_alike_in_every_way(block_sums, two_blocks, scoreboard);
  expect_alike_in_every_way(block_sums, two_blocks, checked_stalls);
}

// -- how far apart two instructions are --

// Cycles of a loop with `count` copies of the lines.
std::uint64_t cycles_of(const std::vector<std::string>& lines, const char* codes, unsigned count, unsigned rounds,
                        const std::vector<std::string>& overrides) {
  std::string body =
      "  [B------:R-:W-:Y:S15] MOV R8, 0x0\n  [B------:R-:W-:Y:S15] MOV R9, 0x0\n"
      "  [B------:R-:W-:Y:S15] MOV R4, 0x0\n  [B------:R-:W-:Y:S15] MOV R7, 0x0\nagain:\n";
  for (unsigned k = 0; k < count; ++k)
    for (const std::string& line : lines) body += fmt::format("  [B------:R-:W-:{}] {}\n", codes, line);
  body += fmt::format(
      "  [B------:R-:W-:Y:S15] IADD3 R7, R7, 0x1, RZ\n"
      "  [B------:R-:W-:Y:S15] ISETP.NE.AND P0, PT, R7, {:#x}, PT\n"
      "  [B------:R-:W-:-:S05] @P0 BRA again\n",
      rounds);
  const std::string program = volta_program(body + store_r4);
  const volta_figures f = figures_of(run_volta_apart(program, {{1}, {32, 1, 1}, 32}, {}, overrides));
  EXPECT_EQ(f.error, "") << lines.front();
  return f.cycles;
}
// Cycles of one round through the lines, each of which depends on the one before it, without what the loop and the
// caches cost.
double apart(const std::vector<std::string>& lines, const char* codes, const std::vector<std::string>& overrides) {
  constexpr unsigned few = 8, many = 56, rounds = 64;
  const auto of_rounds = [&](unsigned count) {
    return cycles_of(lines, codes, count, 2 * rounds, overrides) -
           cycles_of(lines, codes, count, rounds, overrides);
  };
  return static_cast<double>(of_rounds(many) - of_rounds(few)) / ((many - few) * rounds);
}

// What lines of the instruction cache may add, on average.
constexpr double some = 0.25;

const std::vector<std::string> dependent_ffma = {"FFMA R8, R8, R8, R8"};
const std::vector<std::string> dependent_dfma = {"DFMA R8, R8, R8, R8"};
const std::vector<std::string> imad_and_sum = {"IMAD R8, R8, R8, R8", "IADD3 R8, R8, R8, RZ"};

TEST(volta_scoreboard, dependent_instructions_are_as_far_apart_as_the_table_says_whatever_the_codes) {
  using isa::volta::reader_class;
  using isa::volta::register_latency;
  using isa::volta::result_class;
  for (const char* codes : {"-:S01", "Y:S15"}) {
    EXPECT_NEAR(apart(dependent_ffma, codes, scoreboard), 4, some) << codes;
    EXPECT_NEAR(apart(dependent_dfma, codes, scoreboard), 8, some) << codes;
    EXPECT_NEAR(apart(imad_and_sum, codes, scoreboard),
                register_latency(result_class::fma, reader_class::alu) +
                    register_latency(result_class::alu, reader_class::fma),
                some)
        << codes;
  }
}

TEST(volta_scoreboard, stalls_that_are_checked_hold_at_least_as_long_as_they_say) {
  EXPECT_NEAR(apart(dependent_ffma, "-:S01", checked_stalls), 4, some);
  EXPECT_NEAR(apart(dependent_ffma, "-:S09", checked_stalls), 9, some);
}

TEST(volta_scoreboard, a_slower_pipeline_is_awaited) {
  std::vector<std::string> slow = scoreboard;
  slow.push_back("tpc.sm.processing_block.late_result_cycles=2");
  EXPECT_NEAR(apart(dependent_ffma, "-:S01", slow), 6, some);
}

}  // namespace
}  // namespace gt200::support
