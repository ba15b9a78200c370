#include "testbenches/system/register_sharing/shared_series.h"

#include <deque>

#include "testbenches/support/pressure_program.h"
#include "toolchain/assembler/assembler.h"
#include "toolchain/register_sharing/share_registers.h"

namespace gt200::support {
namespace {

class shared_series : public program_series {
 public:
  using program_series::program_series;

  series_outcome finish() {
    series_outcome outcome;
    std::deque<cubin::module> modules;  // must outlive the board's launches
    const std::uint64_t last = settings().first_seed + 2 * std::uint64_t{settings().count};
    for (std::uint64_t seed = settings().first_seed; outcome.programs < settings().count; ++seed) {
      if (seed == last) {
        outcome.error = "more than half of the programs cannot share registers";
        break;
      }
      const pressure_program p = make_pressure_program(seed);
      const std::string text = checked_program(p.body);
      const cubin::module original = assembler::assemble(text, "random.s");
      cubin::module shared = original;
      const unsigned base = 10 + static_cast<unsigned>(seed % 8);
      if (base >= original.kernels[0].registers) continue;
      if (register_sharing::share_registers(shared, shared.kernels[0], base, {}).base == 0) continue;
      ++outcome.programs;
      modules.push_back(std::move(shared));
      outcome.error = error_of(modules.back(), original, p.blocks, p.threads, seed, text);
      if (!outcome.error.empty()) break;
    }
    if (!board) return outcome;
    outcome.instructions = checker->counts().instructions;
    for (model::sm_if* each : board->chip().sms()) outcome.events += tesla(*each).section_pool->given.value();
    return outcome;
  }
};

}  // namespace

series_outcome run_shared_programs(const series_settings& settings) { return shared_series(settings).finish(); }

}  // namespace gt200::support
