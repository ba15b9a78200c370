// From files and command line to a checked configuration.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "sc_models/config/chip_config.h"
#include "sc_models/config/entries.h"

namespace gt200::config {

struct resolved_config {
  gpu_config values;
  std::map<std::string, location> set_at;  // every key, by full path
};

// Loads `file` with its bases, then applies `overrides` ("key=value", later ones win), and checks everything.
//
// A number may be written as a string with its unit ("16 KiB", "1.296 GHz", "24 shader cycles"); a unit the key is
// not counted in is an error. Throws one input_error with file and line (or the --set text), key and allowed values
// for an unknown or missing key, a wrong type or unit, a value out of range, or keys that contradict each other.
resolved_config load(const std::string& file, const std::vector<std::string>& overrides = {});
// The same for text that is, or will be, the content of `file`.
resolved_config parse(const std::string& text, const std::string& file,
                      const std::vector<std::string>& overrides = {});

}  // namespace gt200::config
