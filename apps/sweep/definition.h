// Definition of a sweep, from the command line or a study file (docs/sweep.md).
#pragma once

#include <string>
#include <vector>

#include "apps/study/study.h"
#include "apps/sweep/axis.h"
#include "apps/sweep/place.h"
#include "apps/sweep/sampling.h"

namespace gt200::apps::sweep {

using words = std::vector<std::string>;

struct definition {
  std::vector<axis> axes;           // the first one: kernels; one of them: --config; replicates are the last
  std::vector<stated> constraints;  // constraint.h
  sampling sample;                  // of designs: every one of them runs all kernels and replicates
  words baseline;      // KEY=VALUE of axes of designs (comparison.h); a sample has it among its designs
  unsigned noise = 5;  // without replicates: as many of the baseline measure the noise of single runs; 0: none
  words run_options;   // further words for every `gt200 run`
  std::vector<stated> counters;                        // further columns
  words keep = {"stats", "csv", "config", "figures"};  // files of every point; config and figures always are
  std::string out;
  study::engine_options how;
  std::string threads;  // for the option of every run, a number or "auto"; empty: how.threads
};

// True for a TOML file that is no launch description, which has a 'schema'. Throws input_error for TOML that cannot
// be read.
bool is_study_file(const std::string& path);

// Paths in the file are relative to its folder. Throws input_error with file and line.
definition read_study_file(const std::string& path);

// Adds the axis of replicates, and takes the --seed of all runs as the first input seed. None if there are none.
// Throws input_error for numbers that differ.
void add_replicates(const replicates& wanted, definition& to);

// Throws input_error: an axis twice, a name of a constraint that no axis has, nothing left to run.
std::vector<point> points_of(const definition& what);

// Why a sample is smaller than it should be, in one line; empty if it is not.
std::string note_on_sample(const definition& what, const std::vector<point>& points);

}  // namespace gt200::apps::sweep
