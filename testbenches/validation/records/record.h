// Records of measured figures: one JSON file per figure, docs/validation/<set>/<id>.json.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "testbenches/validation/records/figure.h"

namespace gt200::validation {

struct record {
  std::string id;
  std::string what;
  double value = 0;
  double published_value = 0;
  double tolerance = 0;
  std::string relation;  // name of validation::relation
  std::string source;
  std::string commit;
  std::string config_hash;
  double cpu_seconds = 0;
};

// Measures the figure now.
record measured(const figure_set& set, const figure& f, const std::string& commit);

// Folder of the set's records below `root` (the docs/validation folder).
std::string folder_of(const std::string& root, const figure_set& set);
// Replaces the file atomically, so that an interrupted run leaves whole records only.
void write_record(const std::string& folder, const record& r);
// nullopt when there is no such file. Throws input_error when it is not a record.
std::optional<record> read_record(const std::string& folder, const std::string& id);
// Ids of all records in the folder, in order.
std::vector<std::string> ids_in(const std::string& folder);

// Lists the faults of the records in `folder`, one line each: a figure without a record, a record without a figure,
// or a record that was measured with another configuration, has another published value or tolerance than the
// figure, or misses it. `config_of` gives the current configuration of a figure.
std::vector<std::string> complaints(const figure_set& set, const std::string& folder,
                                    const std::function<config::gpu_config(const figure&)>& config_of);

}  // namespace gt200::validation
