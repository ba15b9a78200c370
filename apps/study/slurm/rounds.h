// Submissions to Slurm: a file DIR/slurm/NAME.json per round, with the points of every task.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gt200::apps::study::slurm {

struct round {
  std::string plan_hash;                         // of the study it belongs to
  std::vector<std::vector<std::size_t>> chunks;  // numbers of points, by task
};

// The name of the next round of the study: round_1, round_2, ...
std::string next_round(const std::string& folder);

// Both throw input_error.
void write_round(const std::string& folder, const std::string& name, const round& what);
round read_round(const std::string& folder, const std::string& name);

}  // namespace gt200::apps::study::slurm
