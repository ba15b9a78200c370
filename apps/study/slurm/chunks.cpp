#include "apps/study/slurm/chunks.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace gt200::apps::study::slurm {
namespace {

constexpr std::size_t max_groups = 64;
constexpr unsigned jobs_of_task = 1;
// A point may take longer than those measured, and a busy node slows it down.
constexpr double time_margin = 3;
constexpr double fixed_seconds = 120;  // start of the task, reading and compiling programs
constexpr unsigned unknown_minutes = 60;
constexpr double memory_margin = 1.5;
constexpr std::uint64_t fixed_mib = 256;  // the parent of the runs
constexpr std::uint64_t unknown_mib = 2048;

const measured* of_group(const measurements& known, const std::string& group) {
  for (const std::string& name : {group, std::string()})
    if (const auto found = known.find(name); found != known.end() && found->second.count != 0)
      return &found->second;
  return nullptr;
}

}  // namespace

void measured::add(const ending& end) {
  ++count;
  sum_seconds += end.seconds;
  longest_seconds = std::max(longest_seconds, end.seconds);
  peak_kib = std::max(peak_kib, end.peak_kib);
}

std::vector<std::size_t> pilot_points(const study& work, const std::vector<std::size_t>& numbers,
                                      std::size_t count) {
  std::vector<std::size_t> result;
  std::set<std::string> groups;
  for (const std::size_t number : numbers)
    if (groups.size() < max_groups && groups.insert(work.points[number].group).second) result.push_back(number);
  for (std::size_t i = 0; i < count && result.size() < count && !numbers.empty(); ++i) {
    // From the end on: the first points of the groups are often those with the smallest values.
    const std::size_t number = numbers[numbers.size() - 1 - i * numbers.size() / count];
    if (std::find(result.begin(), result.end(), number) == result.end()) result.push_back(number);
  }
  std::sort(result.begin(), result.end());
  return result;
}

chunk_plan plan_chunks(const study& work, const std::vector<std::size_t>& numbers, const measurements& known,
                       const std::vector<std::size_t>& alone, unsigned attempt) {
  const unsigned jobs = std::max(jobs_of_task, work.how.jobs);
  const double wanted = work.how.slurm.chunk_seconds * jobs;
  chunk_plan result;
  double longest = 0, open_seconds = 0, open_longest = 0;
  std::uint64_t peak_kib = 0;
  bool all_known = true;
  std::vector<std::size_t> open;
  const auto close = [&] {
    if (!open.empty()) result.chunks.push_back(std::move(open));
    longest = std::max(longest, open_longest);
    open.clear();
    open_seconds = open_longest = 0;
  };
  for (const std::size_t number : numbers) {
    const measured* const m = of_group(known, work.points[number].group);
    double seconds = work.how.slurm.point_seconds, most = seconds;
    if (m != nullptr) {
      peak_kib = std::max(peak_kib, m->peak_kib);
      if (seconds == 0) seconds = m->mean_seconds();
      most = std::max(seconds, m->longest_seconds);
    } else {
      all_known = false;
    }
    const bool by_itself =
        (m == nullptr && seconds == 0) || std::find(alone.begin(), alone.end(), number) != alone.end();
    if (by_itself) {
      close();
      open = {number};
      open_longest = most;
      close();
      continue;
    }
    if (open_seconds + seconds > wanted * 1.0001) close();
    open.push_back(number);
    open_seconds += seconds;
    open_longest += most / jobs;
  }
  close();
  const double factor = std::pow(2.0, attempt);
  const double minutes = longest == 0 ? unknown_minutes : std::ceil((fixed_seconds + time_margin * longest) / 60);
  result.minutes = static_cast<unsigned>(factor * minutes);
  const double mib =
      all_known ? static_cast<double>(fixed_mib) + memory_margin * jobs * static_cast<double>(peak_kib) / 1024
                : static_cast<double>(unknown_mib);
  result.mib = static_cast<std::uint64_t>(std::ceil(factor * mib));
  return result;
}

}  // namespace gt200::apps::study::slurm
