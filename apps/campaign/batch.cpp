#include "apps/campaign/batch.h"

#include <fmt/format.h>

#include <algorithm>

#include "apps/campaign/faulty_run.h"
#include "apps/support/isolated.h"

namespace gt200::apps::campaign {
namespace {

injection_result result_of(const run_end& end) {
  injection_result r;
  r.what = end.what;
  r.message = end.message;
  r.cycles = end.cycles;
  if (end.injections.size() != 1 || !end.injections[0].done) {
    r.what = outcome::defect;
    r.message = "the run ended before the injection";
    return r;
  }
  const inject::injection& i = end.injections[0];
  r.place = i.place;
  r.occupied = i.occupied;
  r.before = i.before;
  r.after = i.after;
  if (r.before == r.after) {
    r.what = outcome::defect;
    r.message = "the bit has not changed";
  }
  return r;
}

std::string text_of_difference(const run_end& end) {
  if (!end.difference) return "none: no instruction differs from the emulator's";
  const observe::mismatch& m = *end.difference;
  const std::string what = fmt::format("{}: {} instead of {}", m.what, m.got, m.expected);
  if (!m.has_instruction) return fmt::format("cycle {}: {}", m.cycle, what);
  return fmt::format("cycle {}: {:#06x} {} of block ({}, {}), warp {}{}: {}", m.cycle, m.pc, m.disassembly,
                     m.block_x, m.block_y, m.warp, m.lane >= 0 ? fmt::format(", lane {}", m.lane) : "", what);
}

}  // namespace

std::vector<injection_result> run_batch(const plan& p, workload& work, const config::gpu_config& config,
                                        std::size_t first, std::size_t count, const batch_options& options,
                                        const volatile std::sig_atomic_t* stop) {
  const std::uint64_t limit = hang_factor * p.golden.cycles + 1;
  std::vector<injection_result> results;
  for (std::size_t n = first; n < std::min(first + count, p.injections.size()); ++n) {
    const std::vector<inject::site> sites = {p.injections[n].at};
    const isolated_end ran = run_isolated(
        [&] { return text_of({result_of(faulty_run(work, config, limit).run(sites, p.golden, false))}); },
        options.seconds, stop);
    if (ran.stopped) break;
    injection_result r;
    if (ran.ok)
      r = parse_results(ran.text, "a run").front();
    else
      r.message = ran.reason;
    r.number = n;
    if (r.what == outcome::silent && options.rerun) {
      const isolated_end again = run_isolated(
          [&] { return text_of_difference(faulty_run(work, config, limit).run(sites, p.golden, true)); },
          options.seconds, stop);
      if (again.stopped) break;
      if (!again.ok) {
        r.what = outcome::defect;
        r.message = "with the checker: " + again.reason;
      }
      r.first_wrong = again.text;
    }
    results.push_back(r);
  }
  return results;
}

}  // namespace gt200::apps::campaign
