#include "testbenches/system/checked/formed_series.h"

#include "testbenches/system/checked/structured_program.h"
#include "toolchain/assembler/assembler.h"

namespace gt200::support {
namespace {

class formed_series : public program_series {
 public:
  using program_series::program_series;

  series_outcome finish(bool barriers) {
    series_outcome outcome;
    std::vector<cubin::module> modules(settings().count);  // must outlive the board's launches
    for (cubin::module& m : modules) {
      const std::uint64_t seed = settings().first_seed + outcome.programs++;
      const structured_program p =
          make_structured_program(seed, arch_state::tesla::divergence_semantics::join, barriers);
      m = assembler::assemble(p.text, "structured.s");
      outcome.error = error_of(m, m, p.blocks, p.threads, seed, p.text);
      if (!outcome.error.empty()) break;
    }
    outcome.instructions = checker->counts().instructions;
    for (model::sm_if* each : board->chip().sms()) outcome.events += tesla(*each).warp_former->regrouped.value();
    return outcome;
  }
};

}  // namespace

series_outcome run_formed_programs(const series_settings& settings, bool barriers) {
  series_settings dynamic = settings;
  dynamic.overrides.insert(dynamic.overrides.begin(), "tpc.sm.warp_formation=dynamic");
  return formed_series(dynamic).finish(barriers);
}

}  // namespace gt200::support
