#include "apps/commands/replicate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <map>

#include "apps/commands/study_progress.h"
#include "apps/study/cache.h"
#include "apps/study/study.h"
#include "apps/support/interrupt.h"
#include "apps/support/kernels.h"
#include "apps/support/scratch_folder.h"
#include "apps/sweep/comparison.h"
#include "apps/sweep/definition.h"
#include "apps/sweep/statistics.h"
#include "apps/sweep/sweep_folder.h"
#include "observe/summary.h"
#include "toolchain/error.h"

namespace gt200::apps {
namespace {

namespace fs = std::filesystem;

sweep::axis one_value(const char* option, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) throw input_error(std::string(option) + " " + text, 0, "expected key=value");
  return {option, text.substr(0, equals), {text.substr(equals + 1)}, {}, {}};
}

sweep::definition definition_of(const replicate_options& options, const std::string& folder) {
  sweep::definition what;
  what.axes.push_back({"kernel", "", {options.target}, {{find_kernel(options.target)}}, {}});
  for (const std::string& text : options.overrides) what.axes.push_back(one_value("--set", text));
  for (const std::string& text : options.parameters) what.axes.push_back(one_value("--param", text));
  what.axes.push_back({"--config", "", {options.config}, {}, {}});
  what.run_options = options.passed_on;
  what.out = folder;
  const std::string cache = study::default_cache_folder();
  if (!cache.empty() && study::check_cache(fs::absolute(cache).string()).empty())
    what.how.cache = fs::absolute(cache).lexically_normal().string();
  add_replicates({options.count, options.count}, what);
  return what;
}

// Means of the shares of the issue slots, the largest first.
std::string cause_lines(const std::vector<const sweep::row*>& runs) {
  std::map<std::string, std::vector<double>> shares;
  for (const sweep::row* run : runs)
    for (const auto& [name, value] : sweep::numbers_of(*run, {}))
      if (const std::size_t end = name.rfind("_share"); end != std::string::npos && end + 6 == name.size())
        shares[name.substr(0, end)].push_back(100 * value);
  std::vector<std::pair<std::string, sweep::sample_mean>> lines;
  for (const auto& [cause, values] : shares) lines.emplace_back(cause, sweep::mean_of(values));
  std::stable_sort(lines.begin(), lines.end(),
                   [](const auto& a, const auto& b) { return a.second.mean > b.second.mean; });
  std::string text;
  for (const auto& [cause, mean] : lines)
    if (mean.mean >= 0.5)
      text += observe::labelled(text.empty() ? "issue slots" : "",
                                fmt::format("{:5.1f} +- {:4.1f} %  {}", mean.mean, mean.half_width, cause));
  return text;
}

std::string summary_of(const std::vector<const sweep::row*>& runs) {
  std::vector<double> cycles;
  for (const sweep::row* run : runs) cycles.push_back(run->figures.at("core_cycles").get<double>());
  const sweep::sample_mean mean = sweep::mean_of(cycles);
  const auto [least, most] = std::minmax_element(cycles.begin(), cycles.end());
  const auto whole = [](double value) { return observe::grouped(static_cast<std::uint64_t>(value)); };
  std::string text = observe::labelled(
      "core cycles", fmt::format("{}; {} to {}", sweep::text_of(mean), whole(*least), whole(*most)));
  text += cause_lines(runs);
  if (!mean.has_interval() || mean.mean <= 0) return text;
  const std::size_t wanted = sweep::count_for(mean.deviation, 0.01 * mean.mean);
  return text + observe::labelled(
                    "noise", fmt::format("{:.2g} % of a single run; {}", 100 * mean.deviation / mean.mean,
                                         wanted == 0 ? "the mean to 1 % takes more than 100,000 replicates"
                                                     : fmt::format("{} replicates give the mean to 1 %", wanted)));
}

// How often replicates ended with a code other than 0, and why.
using failures = std::map<std::pair<int, std::string>, std::size_t>;
failures failures_of(const study::study& work) {
  failures found;
  for (const study::point& p : work.points)
    if (const auto end = study::ending_of(work, p); end && end->exit_code != 0)
      ++found[{end->exit_code, end->reason}];
  return found;
}

// A run that ends by its program leaves no message but what its report says.
std::string meaning_of(int code) {
  switch (static_cast<exit_code>(code)) {
    case exit_code::check_failed: return "the result is not the expected one";
    case exit_code::fault: return "the program faulted";
    case exit_code::hang: return "the program hangs";
    case exit_code::limit: return "a limit of cycles, instructions or repetitions is used up";
    default: return "no reason is known";
  }
}

std::string failure_lines(const failures& found) {
  std::string text;
  for (const auto& [end, count] : found)
    text += observe::labelled(text.empty() ? "failed" : "",
                              fmt::format("{} with exit code {}: {}", count, end.first,
                                          end.second.empty() ? meaning_of(end.first) : end.second));
  return text;
}

}  // namespace

exit_code run_replicates(const replicate_options& options) {
  const scratch_folder folder(options.out);
  sweep::planned_sweep planned = sweep::plan(definition_of(options, folder.path()));
  const study::progress done = study::run(
      planned.work, catch_interrupts(),
      [](const study::progress& now) {
        show_study(now, fmt::format("{} of {} replicates", now.points - now.unfinished(), now.points));
      },
      [&] { sweep::write_plan(planned); });
  clear_study();
  const sweep::table_counts table = sweep::write_table(planned);
  const std::vector<sweep::row> rows = sweep::rows_of(planned);
  std::vector<const sweep::row*> runs;
  for (const sweep::row& r : rows)
    if (r.exit_code == 0 && !r.figures.is_null()) runs.push_back(&r);
  std::string text = observe::labelled("program", options.target);
  text += observe::labelled(
      "replicates", fmt::format("{} with other input seeds and jitter; means with 95 % intervals", runs.size()));
  if (!runs.empty()) text += summary_of(runs);
  text += observe::labelled("result", fmt::format("{} of {} correct or unchecked, {} failed",
                                                  table.rows - table.failed, rows.size(), table.failed));
  const failures failed = failures_of(planned.work);
  fmt::print("{}{}", text, failure_lines(failed));
  if (!options.out.empty()) fmt::print("{}", observe::labelled("table", sweep::table_path(planned.work.folder)));
  if (done.stopped) return exit_code::interrupted;
  if (table.failed == 0) return exit_code::ok;
  // If all ended in one way, it is that of a run.
  const bool all_alike =
      table.failed == rows.size() && !failed.empty() && failed.begin()->first.first == failed.rbegin()->first.first;
  return all_alike ? static_cast<exit_code>(failed.begin()->first.first) : exit_code::check_failed;
}

}  // namespace gt200::apps
