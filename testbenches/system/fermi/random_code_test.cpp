// Random machine code of sm_20 on the chip: every row of the opcode table that computes something, with random
// operands, guards, modifiers and constants. The checker compares collected operands, results, and all registers at
// the end of each block with the emulator.
#include <gtest/gtest.h>

#include <random>

#include "driver/device.h"
#include "observe/checker/checker.h"
#include "testbenches/support/assembly_run.h"
#include "testbenches/toolchain/isa/fermi/random_encodings.h"
#include "toolchain/arch_state/initial_state.h"
#include "toolchain/cubin/limits.h"
#include "toolchain/isa/fermi/semantics/semantics.h"
#include "toolchain/isa/fermi/special_register.h"

namespace gt200::support {
namespace {

constexpr unsigned programs = 300;
constexpr unsigned instructions = 80;
constexpr std::uint32_t constant_bytes = 65536;
constexpr std::uint8_t user_constants = 2;

// What it does is defined by registers and constants alone.
bool computes(const isa::fermi::instruction& i) {
  using isa::unit_class;
  const bool on_unit = i.unit == unit_class::sp || i.unit == unit_class::sp_half || i.unit == unit_class::sfu ||
                       i.unit == unit_class::dp || i.unit == unit_class::none;
  const bool reads_place = i.op == isa::fermi::opcode::s2r &&
                           (i.special == isa::fermi::special::clock || i.special == isa::fermi::special::physid);
  return on_unit && !i.concerns_divergence() && !reads_place && isa::fermi::is_executable(i);
}

// Bank 2 in place of any other, and addresses within it.
std::uint64_t with_bound_constants(std::uint64_t words) {
  constexpr std::uint64_t bank = std::uint64_t{15} << 42 | std::uint64_t{1} << 26;
  constexpr std::uint64_t highest_offset = std::uint64_t{1} << 41;
  return (words & ~bank & ~highest_offset) | std::uint64_t{user_constants} << 42;
}

std::uint64_t random_instruction(std::mt19937_64& random) {
  const auto& table = isa::fermi::opcode_table();
  for (;;) {
    const isa::fermi::row& row = table[random() % table.size()];
    const auto words = isa::fermi::random_words(row, random);
    if (!words) continue;
    auto i = isa::fermi::decoded(*words);
    if (i->constant_count != 0) i = isa::fermi::decoded(with_bound_constants(*words));
    if (!i || !computes(*i)) continue;
    bool bound = true;
    for (unsigned c = 0; c < i->constant_count; ++c)
      bound = bound && i->constants[c].bank == user_constants && !i->constants[c].indexed &&
              i->constants[c].offset % 4 == 0;
    if (bound) return isa::fermi::words_of(i->words);
  }
}

cubin::module random_module() {
  std::mt19937_64 random(20);
  cubin::module m;
  m.source_file = "random";
  m.capability = 20;
  cubin::constant_segment constants;
  constants.space = user_constants;
  constants.size = constant_bytes;
  for (std::uint32_t i = 0; i < constant_bytes; ++i)
    constants.data.push_back(static_cast<std::uint8_t>(arch_state::mix_bits(i)));
  m.constants.push_back(constants);
  isa::fermi::decode_error error;
  std::string label;
  const auto exit = isa::fermi::parse("exit", 0, label, error);
  for (unsigned n = 0; n < programs; ++n) {
    cubin::kernel k;
    k.name = "random_" + std::to_string(n);
    k.registers = 63;
    k.parameter_base = cubin::fermi_parameter_base;
    for (unsigned i = 0; i < instructions; ++i) {
      const std::uint64_t words = random_instruction(random);
      k.code.push_back(static_cast<std::uint32_t>(words));
      k.code.push_back(static_cast<std::uint32_t>(words >> 32));
    }
    k.code.push_back(exit->words[0]);
    k.code.push_back(exit->words[1]);
    m.kernels.push_back(std::move(k));
  }
  return m;
}

class fermi_random_code : public testing::TestWithParam<const char*> {};

TEST_P(fermi_random_code, runs_on_the_chip_like_in_the_emulator) {
  const cubin::module m = random_module();
  const std::string detail = std::string("tpc.sm.units.detail=") + GetParam();
  device board(configuration("gtx480", {"chip.tpcs=1", "chip.partitions=2", detail}), explaining({}));
  board.load(m, {});
  observe::checker checker(board);
  for (const cubin::kernel& k : m.kernels) {
    launch::launch_parameters parameters;
    parameters.kernel = &k;
    parameters.grid = {3};
    parameters.block = {80, 1, 1};  // the last warp has 16 lanes
    const launch_result result = board.launch(parameters);
    checker.launch_ended(result);
    ASSERT_FALSE(checker.difference()) << observe::describe(*checker.difference());
    ASSERT_EQ(result.reason, end_reason::done) << arch_state::describe(result.fault) << result.explanation;
  }
  EXPECT_EQ(checker.counts().instructions, std::uint64_t{programs} * 3 * 3 * (instructions + 1));
}

INSTANTIATE_TEST_SUITE_P(detail, fermi_random_code, testing::Values("warp", "lane"));

}  // namespace
}  // namespace gt200::support
