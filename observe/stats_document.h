// Assembles stats.json: which program ran, how it ended, and all figures of its launches. The command `gt200 run`
// writes the file (apps/commands/run.cpp). The schema is in stats_version.h.
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

// Facts that only the program that runs the launches knows.
struct run_facts {
  std::string source;              // the program, as the launch description names it
  std::string launch_description;  // file
  std::uint64_t seed = 0;
  launch::named_values parameters;
  std::string source_file;  // the file to which the program's line table refers; empty: none or several

  end_reason end = end_reason::done;
  std::size_t checks = 0;      // number of compared expectations
  std::optional<bool> passed;  // empty if nothing was compared
  double worst_error = 0;
  std::string message;

  double wall_seconds = 0;  // time of the host
  double cpu_seconds = 0;
  unsigned threads = 1;                // of the host, that ran the chip
  std::uint64_t shared_windows = 0;    // windows in which several of them had work (docs/threads.md)
  std::uint64_t windows = 0;           // in which a TPC had work; 0 if the chip ran in the order of time
  double cluster_seconds = 0;          // of the host, for the TPCs in these windows
  double longest_cluster_seconds = 0;  // for the TPC of each window that took longest
  std::vector<std::string> command_line;
  nlohmann::ordered_json provenance;  // what it takes to repeat the run; null: unknown
  std::vector<std::string> trust;     // how the configuration stands against silicon, in lines
  std::vector<std::string> hints;     // on the configuration (sc_models/config/hints.h)
};

class stats_document {
 public:
  // Create it before the first launch; the statistics and their device must outlive it.
  explicit stats_document(const statistics& figures);

  // Call it after the last launch.
  nlohmann::ordered_json assemble(const run_facts& run);

 private:
  nlohmann::ordered_json source_lines_of(const std::string& file) const;

  const statistics& figures_;
  over_time over_time_;
};

}  // namespace gt200::observe
