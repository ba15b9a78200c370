// Random programs whose warps share registers, checked in every instruction, with each way of sharing, and with
// stalls and another order of the modules; they leave in memory what they leave without sharing.
#include <cstring>

#include "testbenches/support/assembly_run.h"
#include "testbenches/support/pressure_program.h"
#include "testbenches/system/register_sharing/sharing_board.h"
#include "toolchain/arch_state/initial_state.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/emulator/constant_memory.h"
#include "toolchain/emulator/grid_run.h"
#include "toolchain/register_sharing/share_registers.h"

namespace gt200 {
namespace {

constexpr unsigned programs = 200;
constexpr std::uint32_t words = 1024;

struct way {
  const char* name;
  std::vector<std::string> overrides;
  std::uint64_t shuffle;
};
void PrintTo(const way& w, std::ostream* out) { *out << w.name; }

class programs_with_sections : public support::checked_board, public ::testing::WithParamInterface<way> {
 protected:
  // What the program leaves in `out` without sharing, from the emulator, at the addresses of the board.
  std::vector<std::uint32_t> expected_of(const cubin::module& program, const support::pressure_program& p) const {
    const cubin::kernel& k = program.kernels[0];
    launch::launch_parameters launch{&k, {p.blocks, 1}, {p.threads, 1, 1}, 0, std::vector<std::uint8_t>(8), 0};
    std::memcpy(launch.parameter_bytes.data(), &out, 4);
    std::memcpy(launch.parameter_bytes.data() + 4, &in, 4);
    arch_state::memory global;
    EXPECT_TRUE(global.map(out, 4 * buffer_words) && global.map(in, 4 * buffer_words));
    for (std::uint32_t i = 0; i < words; ++i) {
      const std::uint32_t value = arch_state::mix_bits(i + 1);
      EXPECT_TRUE(global.write(in + 4 * i, &value, 4));
    }
    const emulator::code_image code(k);
    const emulator::constant_memory constants(program, k, {});
    EXPECT_EQ(arch_state::describe(emulator::run(launch, code, constants, global, {}).fault), "no fault") << p.body;
    std::vector<std::uint32_t> result(words);
    EXPECT_TRUE(global.read(out, result.data(), 4 * words));
    return result;
  }
};

TEST_P(programs_with_sections, leave_what_they_leave_without) {
  std::vector<cubin::module> modules(programs);  // must outlive the board's launches
  std::vector<std::uint32_t> zeros(words), got(words);
  unsigned shared = 0;
  device_options options;
  options.clocking.shuffle_seed = GetParam().shuffle;
  for (unsigned seed = 0; seed < programs; ++seed) {
    const support::pressure_program p = support::make_pressure_program(1000 + seed);
    const std::string text = support::checked_program(p.body);
    if (!board) build(text, GetParam().overrides, options);
    const cubin::module original = assembler::assemble(text, "random.s");
    modules[seed] = original;
    const unsigned base = 10 + seed % 8;
    if (base >= original.kernels[0].registers) continue;
    if (register_sharing::share_registers(modules[seed], modules[seed].kernels[0], base, {}).base == 0) continue;
    ++shared;
    board->load(modules[seed], {});
    kernel = &modules[seed].kernels[0];
    board->poke(out, reinterpret_cast<const std::uint8_t*>(zeros.data()), 4 * words);
    const launch_result result = run(p.blocks, p.threads);
    ASSERT_EQ(difference(), "no difference") << "seed " << seed << "\n" << p.body;
    ASSERT_EQ(result.reason, end_reason::done)
        << arch_state::describe(result.fault) << result.explanation << p.body;
    board->peek(out, reinterpret_cast<std::uint8_t*>(got.data()), 4 * words);
    ASSERT_EQ(got, expected_of(original, p)) << "seed " << seed << "\n" << p.body;
  }
  EXPECT_GT(shared, programs / 2);
}

// Few registers, so that warps wait for sections.
const std::string few = "tpc.sm.limits.registers=5120";

INSTANTIATE_TEST_SUITE_P(
    with, programs_with_sections,
    ::testing::Values(
        way{"regmutex", {"tpc.sm.register_file.sharing=regmutex", few}, 0},
        way{"regmutex_stalls_and_shuffled_order",
            {"tpc.sm.register_file.sharing=regmutex", few, "simulation.stalls_per_1024=100"},
            7},
        way{"regmutex_pdom", {"tpc.sm.register_file.sharing=regmutex", few, "tpc.sm.simt_stack.mechanism=pdom"}, 0},
        way{"paired_warps", {"tpc.sm.register_file.sharing=paired_warps"}, 0},
        way{"paired_warps_stalls_and_shuffled_order",
            {"tpc.sm.register_file.sharing=paired_warps", "simulation.stalls_per_1024=100"},
            9}),
    [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace gt200
