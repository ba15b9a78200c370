#include "apps/study/slurm/slurm_engine.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "apps/study/plan_file.h"
#include "apps/study/point_store.h"
#include "apps/study/sha256.h"
#include "apps/study/slurm/commands.h"
#include "apps/study/slurm/rounds.h"
#include "toolchain/error.h"
#include "toolchain/output_file.h"

namespace gt200::apps::study {
namespace {

namespace fs = std::filesystem;

// Between two empty answers of the queue a job may be on its way back into it, and a shared file system may show
// results late.
constexpr int empty_answers = 2;

std::string job_name_of(const std::string& folder) {
  return "gt200-" + sha256_of(fs::absolute(folder).lexically_normal().string()).substr(0, 12);
}

std::string in_quotes(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

slurm::state_counts queue_or_throw(const std::string& job_name) {
  if (const auto queue = slurm::queue_of(job_name)) return *queue;
  throw input_error("Slurm's controller does not answer (squeue failed)");
}

// Reasons of sbatch that pass when jobs end.
bool is_limit(const std::string& reason) {
  return reason.find("imit") != std::string::npos || reason.find("temporarily") != std::string::npos;
}

std::vector<std::size_t> without(const std::vector<std::size_t>& numbers, const std::vector<std::size_t>& others) {
  std::vector<std::size_t> result;
  std::set_difference(numbers.begin(), numbers.end(), others.begin(), others.end(), std::back_inserter(result));
  return result;
}

bool was_killed(const ending& end) { return end.exit_code > 128; }

}  // namespace

slurm_engine::slurm_engine(const study& work)
    : work_(work),
      folder_(fs::absolute(work.folder).lexically_normal().string()),
      job_name_(job_name_of(work.folder)) {}

void slurm_engine::require_same_plan(const study& work) {
  std::error_code error;
  if (!fs::exists(plan_path(work.folder), error)) return;
  stored_plan before;
  try {
    before = read_plan(work.folder);
  } catch (const input_error&) {
    return;  // damaged, and written anew
  }
  if (before.work.how.engine != "slurm" || before.hash == hash_of_plan(work)) return;
  if (slurm::total_of(queue_or_throw(job_name_of(work.folder))) != 0)
    throw input_error(
        work.folder, 0,
        "jobs of another plan of this study are in the queue of Slurm; wait for them, or cancel them with "
        "gt200 sweep cancel");
}

std::vector<std::pair<std::string, std::size_t>> slurm_engine::queue() const { return queue_or_throw(job_name_); }

std::size_t slurm_engine::cancel() {
  // First: a process that waits for the tasks must not submit them again.
  if (fs::exists(folder_ + "/slurm")) write_file(cancelled_file(), "");
  const std::size_t count = slurm::total_of(queue_or_throw(job_name_));
  if (count != 0) slurm::cancel(job_name_);
  return count;
}

void slurm_engine::run(const std::vector<std::size_t>& numbers, const volatile std::sig_atomic_t* stop,
                       progress& done, const progress_function& changed) {
  std::vector<std::size_t> missing = numbers;
  failed_before_ = done.failed;
  const auto wait_for_all = [&] { return wait(numbers, stop, done, changed) == wait_end::finished; };
  const auto leave = [&] {
    done.submitted = slurm::queue_of(job_name_).value_or(slurm::state_counts{{"", 1}}) != slurm::state_counts();
  };
  const auto cancelled = [&] {
    if (!fs::exists(cancelled_file())) return false;
    done.note = "the study was cancelled";
    return true;
  };
  take_from_cache(missing, done, changed);
  if (missing.empty()) return;
  remove_file(cancelled_file());
  if (slurm::total_of(queue_or_throw(job_name_)) != 0) {  // a killed process left them
    done.note = "waits for jobs of this study that are in the queue";
    if (!wait_for_all()) return leave();
  }
  missing = to_submit_again(missing);
  const auto pilot = slurm::pilot_points(work_, missing, work_.how.slurm.pilot);
  const slurm::measurements known = measure();
  const bool measured = std::all_of(missing.begin(), missing.end(), [&](std::size_t number) {
    return known.count(work_.points[number].group) != 0;
  });
  if (!measured && work_.how.slurm.pilot != 0 && work_.how.slurm.point_seconds == 0 &&
      pilot.size() < missing.size()) {
    done.note = fmt::format("measures time and memory of {} points", pilot.size());
    if (!submit(slurm::plan_chunks(work_, pilot, {}, pilot, 0), stop, done, changed) || !wait_for_all())
      return leave();
    missing = to_submit_again(missing);
    if (cancelled()) return;
  }
  for (unsigned attempt = 0; attempt < work_.how.slurm.rounds && !missing.empty(); ++attempt) {
    done.note = attempt == 0
                    ? ""
                    : fmt::format("submits {} points again, whose tasks ended without a result", missing.size());
    const auto plan = slurm::plan_chunks(work_, missing, measure(), died_in(missing), attempt);
    for (const std::size_t number : missing) {
      point_store(work_).forget(work_.points[number]);
      ended_.erase(number);
    }
    if (!submit(plan, stop, done, changed)) return leave();
    if (!work_.how.slurm.wait || !wait_for_all()) return leave();
    missing = to_submit_again(missing);
    if (!missing.empty() && cancelled()) return;
  }
  done.note = missing.empty() ? ""
                              : fmt::format(
                                    "{} points have no result after {} attempts; messages of their tasks are in "
                                    "{}/slurm{}",
                                    missing.size(), work_.how.slurm.rounds, work_.folder, last_message());
  finish(stop);
}

// Tasks that are left only repeat what has a result: requeued ones beside an orphan on a lost node. Folders of
// tasks that died are removed when no task can write them any more.
void slurm_engine::finish(const volatile std::sig_atomic_t* stop) const {
  constexpr int patience = 20;
  for (int look = 0; look < patience && *stop == 0; ++look) {
    const auto queue = slurm::queue_of(job_name_);
    if (queue && queue->empty()) return point_store(work_).clean(true);
    if (queue && look == 0) slurm::cancel(job_name_);
    pause(stop);
  }
}

// Results that the cache has need no task.
void slurm_engine::take_from_cache(std::vector<std::size_t>& numbers, progress& done,
                                   const progress_function& changed) const {
  const point_store store(work_);
  std::vector<std::size_t> taken;
  for (const std::size_t number : numbers) {
    const point& of = work_.points[number];
    const auto cached = store.from_cache(of);
    if (cached.folder.empty()) continue;
    store.publish(of, cached.folder, cached.end);
    taken.push_back(number);
    ++done.cached;
    if (cached.end.exit_code != 0) ++done.failed;
  }
  numbers = without(numbers, taken);
  if (!taken.empty() && changed) changed(done);
}

// Points without any ending. Counts the others.
std::vector<std::size_t> slurm_engine::look(const std::vector<std::size_t>& numbers, progress& done) {
  std::vector<std::size_t> missing;
  progress seen;
  for (const std::size_t number : numbers) {
    auto found = ended_.find(number);
    if (found == ended_.end()) {
      const auto end = ending_of(work_, work_.points[number]);
      if (!end) {
        missing.push_back(number);
        continue;
      }
      found = ended_.emplace(number, *end).first;
    }
    ++(found->second.cached ? seen.cached : seen.ran);
    if (found->second.exit_code != 0) ++seen.failed;
  }
  done.cached = seen.cached;
  done.ran = seen.ran;
  done.failed = seen.failed + failed_before_;
  return missing;
}

// Points whose task ended before they did, and those that were killed.
std::vector<std::size_t> slurm_engine::to_submit_again(const std::vector<std::size_t>& numbers) const {
  std::vector<std::size_t> result;
  for (const std::size_t number : numbers) {
    const auto end = ending_of(work_, work_.points[number]);
    if (!end || was_killed(*end)) result.push_back(number);
  }
  return result;
}

slurm::measurements slurm_engine::measure() const {
  slurm::measurements result;
  for (const point& p : work_.points)
    if (const auto end = ending_of(work_, p); end && is_result(end->exit_code)) {
      result[p.group].add(*end);
      result[""].add(*end);
    }
  return result;
}

std::vector<std::size_t> slurm_engine::died_in(const std::vector<std::size_t>& numbers) const {
  const std::vector<std::string> names = point_store(work_).unfinished();
  std::vector<std::size_t> result;
  for (const std::size_t number : numbers) {
    const auto end = ending_of(work_, work_.points[number]);
    if ((end && was_killed(*end)) || std::binary_search(names.begin(), names.end(), work_.points[number].name))
      result.push_back(number);
  }
  return result;
}

// ": MESSAGE", the last line that a task wrote; empty when none did.
std::string slurm_engine::last_message() const {
  std::error_code error;
  fs::file_time_type newest = fs::file_time_type::min();
  std::string message;
  for (const auto& entry : fs::directory_iterator(folder_ + "/slurm", error)) {
    if (entry.path().extension() != ".txt" || entry.file_size(error) == 0 || entry.last_write_time(error) < newest)
      continue;
    newest = entry.last_write_time(error);
    std::ifstream lines(entry.path());
    for (std::string line; std::getline(lines, line);)
      if (!line.empty()) message = ": " + line;
  }
  return message;
}

void slurm_engine::write_script() const {
  const std::string program = fs::read_symlink("/proc/self/exe").string();
  if (!fs::exists(program))
    throw input_error(program, 0, "has been replaced since it was started; start the study again");
  write_file(folder_ + "/slurm/task.sh",
             "#!/bin/sh\n# A task of a study: the points of one element of the array.\nexec " + in_quotes(program) +
                 " sweep task \"$@\"\n");
}

bool slurm_engine::submit(const slurm::chunk_plan& plan, const volatile std::sig_atomic_t* stop, progress& done,
                          const progress_function& changed) const {
  const std::string round = slurm::next_round(folder_);
  slurm::write_round(folder_, round, {hash_of_plan(work_), plan.chunks});
  write_script();
  const slurm_options& options = work_.how.slurm;
  const std::size_t allowed = slurm::max_array_size();
  const std::size_t most = options.max_array == 0 ? allowed : std::min<std::size_t>(options.max_array, allowed);
  const unsigned jobs = std::max(1u, work_.how.jobs);
  for (std::size_t first = 0; first < plan.chunks.size(); first += most) {
    const std::size_t last = std::min(plan.chunks.size(), first + most) - first - 1;
    words command = {
        "sbatch",
        "--parsable",
        "--job-name=" + job_name_,
        fmt::format("--array=0-{}{}", last, options.max_tasks == 0 ? "" : fmt::format("%{}", options.max_tasks)),
        "--requeue",
        "--open-mode=append",
        fmt::format("--output={}/slurm/{}.{}.%a.txt", folder_, round, first),
        fmt::format("--time={}", plan.minutes),
        fmt::format("--mem={}M", plan.mib),
        "--ntasks=1",
        fmt::format("--cpus-per-task={}", jobs * std::max(1u, work_.how.threads)),
        "--chdir=" + fs::current_path().string()};
    command.insert(command.end(), options.sbatch.begin(), options.sbatch.end());
    command.insert(command.end(), {folder_ + "/slurm/task.sh", folder_, round, std::to_string(first)});
    while (true) {
      const slurm::answer answer = slurm::call(command);
      if (answer.exit_code == 0) break;
      if (!is_limit(answer.err)) throw input_error("sbatch: " + answer.first_line_of_err());
      done.obstacle = done.note = "waits for a limit of the queue: " + answer.first_line_of_err();
      if (changed) changed(done);
      pause(stop);
      if (*stop != 0) return false;
      done.obstacle.clear();
    }
  }
  return true;
}

slurm_engine::wait_end slurm_engine::wait(const std::vector<std::size_t>& numbers,
                                          const volatile std::sig_atomic_t* stop, progress& done,
                                          const progress_function& changed) {
  const std::string note = done.note;
  for (int empty = 0; empty < empty_answers;) {
    const bool finished = look(numbers, done).empty();
    const auto queue = slurm::queue_of(job_name_);
    done.note = queue ? note : "Slurm's controller does not answer; waits for it";
    done.obstacle = queue ? slurm::obstacle_in(*queue) : done.note;
    if (changed) changed(done);
    if (finished) break;
    if (*stop != 0) return wait_end::stopped;
    if (queue) empty = slurm::total_of(*queue) == 0 ? empty + 1 : 0;
    if (empty < empty_answers) pause(stop);
  }
  done.note = note;
  done.obstacle.clear();
  return wait_end::finished;
}

void slurm_engine::pause(const volatile std::sig_atomic_t* stop) const {
  using clock = std::chrono::steady_clock;
  const auto until = clock::now() + std::chrono::duration<double>(work_.how.slurm.poll_seconds);
  while (clock::now() < until && *stop == 0) usleep(50'000);
}

}  // namespace gt200::apps::study
