// The options of `gt200 sweep`, and the sweep that they say.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "apps/support/watch_option.h"
#include "apps/sweep/definition.h"

namespace CLI {
class App;
}

namespace gt200::apps {

struct sweep_options {
  std::string target;                   // kernel or study file
  std::vector<std::string> settings;    // of --set
  std::vector<std::string> parameters;  // of --param
  std::string configs;
  std::vector<std::string> plugins;
  std::vector<std::string> passed_on;  // further words for every `gt200 run`
  std::vector<std::string> constraints;
  std::string sample;
  unsigned replicates = 0;
  std::optional<unsigned> noise;
  std::vector<std::string> baseline;
  std::vector<std::string> counters;
  std::string keep;
  std::string engine;
  std::vector<std::string> sbatch;
  std::optional<unsigned> jobs;
  std::string threads;
  std::string cache;
  bool no_cache = false;
  bool no_wait = false;
  std::string out;
  // Options of the commands for a study that exists.
  std::string folder;
  std::string round;
  unsigned first_element = 0;
  std::string csv;  // of compare: which table
  watch_options watch;
  double width = 1;  // of compare: wanted half width of intervals, percent
};

// --set, --param and what else says which points there are.
void add_axis_options(CLI::App& command, const std::shared_ptr<sweep_options>& options);
// How points run, and where results go.
void add_engine_options(CLI::App& command, const std::shared_ptr<sweep_options>& options);

// From the options alone, or from the study file that they name. Throws input_error.
sweep::definition definition_of(const sweep_options& options);

}  // namespace gt200::apps
