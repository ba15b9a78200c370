// A sweep in its folder: what its rows are, and the table of those that have ended.
//
//   DIR/sweep.json    axes, counters, and for every row its values and its point
//   DIR/points.csv    the values of every row and the folder of its point
//   DIR/sweep.csv     the figures of the rows that have ended (table.h)
//   DIR/summary.csv, DIR/comparison.csv, DIR/designs.csv   where designs are compared (comparison.h)
//   DIR/noise.csv     without replicates: what replicates of the baseline say of the noise of a single run
//   DIR/hints.txt     what the program says about keys and grids; absent without any
//   DIR/failures.txt  the rows with an exit code other than 0, and those without a result
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/study/study.h"
#include "apps/sweep/comparison.h"
#include "apps/sweep/definition.h"
#include "apps/sweep/table.h"

namespace gt200::apps::sweep {

struct planned_row {
  point values;
  std::size_t number = 0;  // of its point in the study; rows whose runs are the same share one
  std::string refusal;     // why it cannot run; empty: it can
};

struct planned_sweep {
  std::vector<axis> axes;
  words counters;
  words baseline;  // KEY=VALUE
  std::vector<planned_row> rows;
  std::vector<planned_row> noise;  // replicates of the baseline, with one value more; in no table of rows
  study::study work;
  std::string note;  // what the user should know, in one line; usually empty
  words hints;       // on keys that are capped or without effect (sc_models/config/hints.h), each once
};

// Finds the points and their keys. A row that the run would refuse stays, with the reason; when all are refused,
// the first reason is thrown. A counter that no chip of the sweep has is refused. Throws input_error.
planned_sweep plan(const definition& what);

// Reads the sweep that plan() would make of the folder's files. Throws input_error.
planned_sweep read_sweep(const std::string& folder);

// Writes sweep.json and points.csv, for those who look at the study while it runs.
void write_plan(const planned_sweep& what);

struct table_counts {
  std::size_t rows = 0;    // that have ended
  std::size_t failed = 0;  // of them
  std::string first_failure;
  std::size_t missing = 0;  // rows without a result
  words hints;              // of the runs that have ended, with their number; each once
};

// All rows, with a value for every axis.
std::vector<row> rows_of(const planned_sweep& what);

// `rows` with their verdicts, those of single runs by the noise. Throws input_error as compare() of comparison.h.
comparison compare(const planned_sweep& what, const std::vector<row>& rows, const words& baseline);
// Calls noise_text() of comparison.h; empty if no noise was measured.
std::string noise_of(const planned_sweep& what);

// Writes sweep.csv, failures.txt and the tables of comparisons, of the rows that have ended. Throws input_error.
table_counts write_table(const planned_sweep& what);

// True if the sweep has something to compare: replicates or noise, or a baseline, or several kernels on several
// designs.
bool has_comparison(const planned_sweep& what);

std::string table_path(const std::string& folder);
std::string failures_path(const std::string& folder);
std::string hints_path(const std::string& folder);

}  // namespace gt200::apps::sweep
