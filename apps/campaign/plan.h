// The plan of a campaign: the run without a fault, and the sites that are injected one by one. It is a file
// (plan.json, with the golden outputs in golden.bin), so that any process can run a part of it.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/campaign/faulty_run.h"
#include "inject/draw.h"
#include "inject/site.h"

namespace gt200::apps::campaign {

struct planned_injection {
  std::string structure;
  inject::site at;
  std::string next_access;  // of the bit, without the fault: "read", "write", "none"; empty: unknown
};

struct planned_structure {
  std::string name;
  std::uint64_t bits = 0;
  double share_in_use = -1;  // of bits x cycles; negative: not measured
};

struct plan {
  std::string kernel;                // for readers
  std::vector<std::string> options;  // words of the command line that decide the results
  golden_run golden;
  bool drawn = true;  // false: the sites were given
  std::vector<planned_structure> structures;
  std::vector<planned_injection> injections;
};

// Whole files or none. Throws input_error.
void write_plan(const std::string& folder, const plan& p);
plan read_plan(const std::string& folder);

// Golden runs on their way between processes.
std::string packed(const golden_run& golden);
golden_run unpacked_golden(const std::string& text);

}  // namespace gt200::apps::campaign
