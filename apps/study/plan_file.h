// study.json: what a study consists of, for every process that works on it.
#pragma once

#include <string>

#include "apps/study/study.h"

namespace gt200::apps::study {

std::string plan_path(const std::string& folder);

// Writes study.json whole, and only when it differs from what is there. Throws input_error.
void write_plan(const study& work);

// Throws input_error when there is none or it is damaged. Commands are relative to `working_folder`.
struct stored_plan {
  study work;
  std::string working_folder;  // of the process that planned it
  std::string hash;            // SHA-256 over the points and what they depend on, not over the engine options
};
stored_plan read_plan(const std::string& folder);

// The hash of a plan as it would be read.
std::string hash_of_plan(const study& work);

}  // namespace gt200::apps::study
