// Values at the ends of what keys allow, for tests of keys that nothing uses.
#pragma once

#include <fmt/format.h>

#include <set>
#include <string>
#include <variant>
#include <vector>

#include "sc_models/config/hints.h"
#include "sc_models/config/schema.h"

namespace gt200::config::test {

using settings = std::vector<std::string>;

// "key=value" for all values that a choice or a flag may have; nothing for other keys.
inline settings values_of(const key_info& key) {
  settings result;
  if (std::holds_alternative<bool*>(key.value)) return {key.path + "=false", key.path + "=true"};
  if (const auto* const choice = std::get_if<choice_ref>(&key.value))
    for (std::size_t k = 0; k < choice->count; ++k) result.push_back(key.path + "=" + choice->names[k]);
  return result;
}

inline std::string extreme_of(const key_info& key, bool largest) {
  if (const auto* const number = std::get_if<number_ref>(&key.value)) {
    const range& r = number->allowed;
    const std::uint64_t first = (r.low + r.step - 1) / r.step * r.step;
    return fmt::format("{}={}", key.path, largest ? r.high / r.step * r.step : first);
  }
  if (const auto* const real = std::get_if<real_ref>(&key.value))
    return fmt::format("{}={}", key.path, largest ? real->allowed.high : real->allowed.low);
  return "";
}

// Caches and, but for Volta, units without effect are made all the same: they must have a shape and times.
inline bool is_made_anyway(const std::string& path, bool is_volta) {
  for (const char* unit : {"tpc.sm.sp.", "tpc.sm.sfu.", "tpc.sm.dp."})
    if (!is_volta && path.rfind(unit, 0) == 0) return true;
  for (const char* cache :
       {"l3.", "tpc.l2.", "partition.texture_l2.", "tpc.sm.icache.", "tpc.sm.constant_cache.", "tpc.texture.l1."})
    if (path.rfind(cache, 0) == 0) return true;
  return false;
}

// "key=value" for all quantities that have no effect in this configuration, at their least or largest values.
inline settings extremes_without_effect(gpu_config config, bool largest) {
  settings result;
  const std::set<std::string> unused = keys_without_effect(config);
  for (const key_info& key : schema(config).keys)
    if (unused.count(key.path) != 0 && !is_made_anyway(key.path, config.chip.is_volta()))
      if (const std::string extreme = extreme_of(key, largest); !extreme.empty()) result.push_back(extreme);
  return result;
}

}  // namespace gt200::config::test
