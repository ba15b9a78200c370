// Which points a task of Slurm runs, and what it asks for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "apps/study/study.h"

namespace gt200::apps::study::slurm {

// Costs of the points of one group, from their endings.
struct measured {
  std::size_t count = 0;
  double sum_seconds = 0;
  double longest_seconds = 0;
  std::uint64_t peak_kib = 0;

  void add(const ending& end);
  double mean_seconds() const { return count == 0 ? 0 : sum_seconds / static_cast<double>(count); }
};

// By group; the entry "" is over all groups.
using measurements = std::map<std::string, measured>;

// The points to run alone at first, so that every group is measured: spread over the study, `count` of them, and at
// least one of each group (at most 64 groups).
std::vector<std::size_t> pilot_points(const study& work, const std::vector<std::size_t>& numbers,
                                      std::size_t count);

struct chunk_plan {
  std::vector<std::vector<std::size_t>> chunks;
  unsigned minutes = 0;   // of the longest chunk, with room to spare
  std::uint64_t mib = 0;  // of the largest point, with room to spare
};

// Puts points together, in their order, until a chunk lasts `chunk_seconds`. Points in `alone` get chunks of their
// own. `attempt` 0, 1, 2 ...: doubles time and memory each time. Without any measurement a point makes a chunk.
chunk_plan plan_chunks(const study& work, const std::vector<std::size_t>& numbers, const measurements& known,
                       const std::vector<std::size_t>& alone, unsigned attempt);

}  // namespace gt200::apps::study::slurm
