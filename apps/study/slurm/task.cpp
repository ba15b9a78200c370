// A task of Slurm: runs the points of one element of an array.
#include <unistd.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "apps/exit_code.h"
#include "apps/study/plan_file.h"
#include "apps/study/program_hash.h"
#include "apps/study/slurm/rounds.h"
#include "apps/study/worker.h"
#include "toolchain/error.h"

namespace gt200::apps::study {

int run_task(const std::string& folder, const std::string& round, unsigned element,
             const volatile std::sig_atomic_t* stop) {
  prepare_runs();
  const stored_plan plan = read_plan(folder);
  const study& work = plan.work;
  const slurm::round submitted = slurm::read_round(folder, round);
  if (submitted.plan_hash != plan.hash)
    throw input_error(folder, 0, "the study has been planned anew since this task was submitted");
  if (element >= submitted.chunks.size())
    throw input_error(folder, 0, fmt::format("{} has no task {}", round, element));
  std::vector<std::size_t> numbers;
  for (const std::size_t number : submitted.chunks[element]) {
    const auto end = ending_of(work, work.points.at(number));
    if (!end || !is_result(end->exit_code)) numbers.push_back(number);  // a requeued task finds results
  }
  if (numbers.empty()) return static_cast<int>(exit_code::ok);
  if (hash_of_this_program() != work.program_hash)
    throw input_error("this program, or a shared object that it loads, is not the one that planned the study");
  std::filesystem::current_path(plan.working_folder);
  std::size_t ended = 0;
  run_points(work, numbers, std::max(1u, work.how.jobs), stop, [&](std::size_t, const ending&) { ++ended; });
  return static_cast<int>(ended == numbers.size() ? exit_code::ok : exit_code::interrupted);
}

}  // namespace gt200::apps::study
