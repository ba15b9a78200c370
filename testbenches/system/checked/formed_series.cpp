#include "testbenches/system/checked/formed_series.h"

#include <algorithm>

#include "testbenches/system/checked/structured_program.h"
#include "toolchain/assembler/assembler.h"

namespace gt200::support {
namespace {

class formed_series : public program_series {
 public:
  using program_series::program_series;

  series_outcome finish(bool barriers, unsigned times_blocks) {
    series_outcome outcome;
    std::vector<cubin::module> modules(settings().count);  // must outlive the board's launches
    for (cubin::module& m : modules) {
      const std::uint64_t seed = settings().first_seed + outcome.programs++;
      const structured_program p =
          make_structured_program(seed, arch_state::tesla::divergence_semantics::join, barriers);
      m = assembler::assemble(p.text, "structured.s");
      outcome.error = error_of(m, m, p.blocks * times_blocks, p.threads, seed, p.text);
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
  std::vector<std::string>& keys = dynamic.overrides;
  keys.insert(keys.begin(), "tpc.sm.warp_formation=dynamic");
  // Several blocks in one SM.
  const bool mixes_blocks =
      std::find(keys.begin(), keys.end(), "tpc.sm.warp_former.across_blocks=true") != keys.end();
  if (mixes_blocks) keys.insert(keys.end(), {"chip.sms_per_tpc=1", "tpc.texture.l1.instances=1"});
  return formed_series(dynamic).finish(barriers, mixes_blocks ? 3 : 1);
}

}  // namespace gt200::support
