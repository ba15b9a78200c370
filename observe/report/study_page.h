// The page of a study: its designs and points as tables, and charts of its axes and figures.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "observe/report/pages.h"

namespace gt200::observe::report {

struct study_axis {
  std::string name;
  std::vector<std::string> values;
  bool is_workload = false;  // a kernel or one of its parameters; others are of the design
  bool is_replicate = false;
};

// A figure of a group, as a mean over its replicates.
struct study_mean {
  double mean = 0;
  double half_width = 0;  // of the 95 % interval; 0 without one
};

// The runs of a design and a workload that differ in nothing but the replicate.
struct study_group {
  std::vector<std::size_t> values;  // a value for every axis, of its first replicate
  std::size_t replicates = 0;
  std::vector<study_mean> figures;         // in the order of study_figures::names
  double speed_up = 0, low = 0, high = 0;  // against the baseline; 0: unknown
  std::string verdict;                     // in words
  std::vector<std::string> links;          // relative addresses of its runs
};

struct study_figures {
  std::string folder;
  std::vector<study_axis> axes;
  std::vector<std::string> names;  // of figures
  std::vector<study_group> groups;
  std::vector<std::string> notes;  // hints, and what is missing
  std::string baseline;            // design
};

// The whole page; or the inside of a live one, as HTML, and its figures.
std::string show_study(const study_figures& study, page_style style = page_style::explorer);
std::string study_body(const study_figures& study);
nlohmann::ordered_json study_data(const study_figures& study);

}  // namespace gt200::observe::report
