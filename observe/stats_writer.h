// Assembles stats.json: what ran, how it ended, and all figures of its launches. The schema is in stats_version.h.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "observe/over_time.h"
#include "observe/statistics.h"
#include "toolchain/launch/expression.h"

namespace gt200::observe {

// What the program that runs the launches knows and the chip does not.
struct run_facts {
  std::string source;              // of the program, as the launch description names it
  std::string launch_description;  // file
  std::uint64_t seed = 0;
  launch::named_values parameters;
  std::string source_file;  // to which the program's line table refers

  end_reason end = end_reason::done;
  std::size_t checks = 0;      // expectations that were compared
  std::optional<bool> passed;  // nothing: nothing was compared
  double worst_error = 0;
  std::string message;

  double wall_seconds = 0;  // of the host
  double cpu_seconds = 0;
  std::vector<std::string> command_line;
};

class stats_writer {
 public:
  // Before the first launch; the statistics and their device must outlive it.
  explicit stats_writer(const statistics& figures);

  // After the last launch.
  nlohmann::ordered_json document(const run_facts& run) const;

 private:
  nlohmann::ordered_json source_lines_of(const std::string& file) const;

  const statistics& figures_;
  over_time over_time_;
};

}  // namespace gt200::observe
