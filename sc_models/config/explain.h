// What a key means: for `gt200 config explain`.
#pragma once

#include <string>

#include "sc_models/config/load.h"
#include "sc_models/config/schema.h"

namespace gt200::config {

// Value, meaning, unit, allowed values, source and place of a key; all keys of a group; every key for "".
// Throws input_error for an unknown name, with near ones.
std::string explain(const resolved_config& config, const std::string& key_or_group);

// Where the value of a key comes from. The descriptions of the keys cite sources for the values of the base of all
// files. A file on top of it says in a comment behind the value, or behind the name of the table, what its own are.
std::string source_of(const key_info& key, const location& at);

}  // namespace gt200::config
