// The configuration as a flat list of keys with their full paths, gathered from the descriptions.
#pragma once

#include <string>
#include <vector>

#include "sc_models/config/chip_config.h"
#include "sc_models/config/parameter.h"

namespace gt200::config {

struct key_info {
  std::string path;  // tpc.sm.fetch.policy
  parameter about;
  leaf_ref value;  // into the configuration the list was gathered from
};
struct group_info {
  std::string path;  // tpc.sm.fetch
  const char* text;
};

// Keys and groups in the order of the descriptions; `values` refer into `config`, which must outlive the schema.
struct schema {
  explicit schema(gpu_config& config);

  std::vector<key_info> keys;
  std::vector<group_info> groups;

  const key_info* find_key(const std::string& path) const;
  const group_info* find_group(const std::string& path) const;
  // "; did you mean 'a' (in core cycles)?" for keys and groups near to an unknown path; empty when nothing is near.
  std::string suggestion(const std::string& path) const;
};

}  // namespace gt200::config
