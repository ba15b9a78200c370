// The programs of Slurm that an engine calls: sbatch, squeue, scancel, scontrol.
//
// Nothing here needs accounting (sacct). What the queue does not know any more is no failure: results are files.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace gt200::apps::study::slurm {

struct answer {
  int exit_code = 0;
  std::string out;
  std::string err;

  std::string first_line_of_err() const { return err.substr(0, err.find('\n')); }
};

// Runs a program found on PATH and waits for it. Throws input_error when it cannot be started.
answer call(const std::vector<std::string>& command);

// Array elements of the user's jobs with this name that wait or run, by state; of those that wait, also by reason:
// "RUNNING", "PENDING (JobHeldUser)". Nothing when the controller does not answer.
using state_counts = std::vector<std::pair<std::string, std::size_t>>;
std::optional<state_counts> queue_of(const std::string& job_name);
std::size_t total_of(const state_counts& counts);
// When all of them wait, and for something else than room and their turn: "3 tasks PENDING (JobHeldUser)". Else
// empty.
std::string obstacle_in(const state_counts& counts);

// Cancels all jobs of the user with this name. Throws input_error when the controller refuses.
void cancel(const std::string& job_name);

// MaxArraySize of the cluster: indices of an array are below it. 1001, Slurm's default, when it cannot be asked.
unsigned max_array_size();

}  // namespace gt200::apps::study::slurm
