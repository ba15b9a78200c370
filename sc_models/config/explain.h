// What a key means: for `gt200 config explain`.
#pragma once

#include <string>

#include "sc_models/config/load.h"

namespace gt200::config {

// Value, meaning, unit, allowed values, source and place of a key; all keys of a group; every key for "".
// Throws input_error for an unknown name, with near ones.
std::string explain(const resolved_config& config, const std::string& key_or_group);

}  // namespace gt200::config
