// Published figures with their measurement on the model, and sets of them.
//
// The program of a set, run by scripts/validate, leaves one record per figure under docs/validation/. Tests hold
// the quick figures against their tolerances in every run and compare every record's configuration hash with the
// preset.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sc_models/config/chip_config.h"

namespace gt200::validation {

// How a measured value is compared with the published one.
enum class relation : std::uint8_t {
  within,    // |value - published| <= tolerance
  at_least,  // value >= published - tolerance
  reported   // only recorded beside the published value, because another figure rules it out
};

struct figure {
  std::string id;    // lower_snake_case, unique in its set; names the record's file
  std::string what;  // one line: what is measured, and its unit
  double published_value = 0;
  double tolerance = 0;  // absolute, in the unit of the value
  relation is = relation::within;
  std::string source;                  // of the published value
  std::vector<std::string> overrides;  // of the set's preset, "key=value"
  // Measures on a chip of this configuration. Must simulate in child processes only.
  std::function<double(const config::gpu_config&)> measure;
  bool quick = true;     // a second or less: part of the regression tests
  std::string preset{};  // in place of the set's; empty: that one
};

struct figure_set {
  std::string name;    // folder of the records
  std::string title;   // of the table
  std::string preset;  // configs/<preset>.toml
  // Keys the figures depend on: full paths, or whole groups such as "tpc.sm.sp.". See hash_of().
  std::vector<std::string> keys;
  std::vector<figure> figures;
};

bool holds(const figure& f, double value);

// The figure's preset with its overrides.
config::gpu_config configuration_of(const figure_set& set, const figure& f);

// 64-bit FNV-1a over "path = value" of the keys of the set, in the order of the configuration, as 16 hexadecimal
// digits. Other keys do not affect it. Throws std::logic_error for a key or group that does not exist.
std::string hash_of(const figure_set& set, const config::gpu_config& config);

}  // namespace gt200::validation
