#include "testbenches/validation/records/figure.h"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "sc_models/config/load.h"
#include "sc_models/config/print.h"
#include "sc_models/config/schema.h"
#include "sc_models/config/text.h"
#include "tlm_bus/stall_injection.h"

namespace gt200::validation {
namespace {

bool selects(const std::string& pattern, const std::string& path) {
  return pattern.back() == '.' ? path.compare(0, pattern.size(), pattern) == 0 : path == pattern;
}

}  // namespace

bool holds(const figure& f, double value) {
  switch (f.is) {
    case relation::within: return std::abs(value - f.published_value) <= f.tolerance;
    case relation::at_least: return value >= f.published_value - f.tolerance;
    case relation::reported: return true;
  }
  return false;
}

config::gpu_config configuration_of(const figure_set& set, const figure& f) {
  const std::string& preset = f.preset.empty() ? set.preset : f.preset;
  return config::load(GT200_SOURCE_DIR "/configs/" + preset + ".toml", f.overrides).values;
}

std::string hash_of(const figure_set& set, const config::gpu_config& config) {
  config::gpu_config copy = config;  // descriptions need members that can be written
  const config::schema all(copy);
  std::vector<bool> used(set.keys.size());
  std::string text;
  for (const config::key_info& key : all.keys) {
    bool selected = false;
    for (std::size_t i = 0; i < set.keys.size(); ++i) {
      if (!selects(set.keys[i], key.path)) continue;
      used[i] = selected = true;
    }
    const std::string value = config::value_text(key.value);
    if (selected && !config::is_later_and_off(key.path, value)) text += key.path + " = " + value + "\n";
  }
  for (std::size_t i = 0; i < used.size(); ++i)
    if (!used[i]) throw std::logic_error("figures '" + set.name + "': there is no key " + set.keys[i]);
  return fmt::format("{:016x}", tlm_bus::name_hash_of(text));
}

}  // namespace gt200::validation
