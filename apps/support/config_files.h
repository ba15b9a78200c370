// Finds configurations that the user names without a whole path.
#pragma once

#include <string>

namespace gt200::apps {

inline constexpr const char* default_config = "gt200";

// The folder of the presets: $GT200_CONFIG_DIR when set, else `configs` beside the executable or in ../share/gt200,
// else `configs` of the source checkout the program was built from. Throws input_error when there is none.
std::string config_folder();

// A bare preset name ("gtx260") means that preset. Otherwise an existing file means itself, and "gtx260.toml" means
// the preset if there is no such file. Throws input_error with the names of the presets for anything else.
std::string find_config(const std::string& file_or_preset);

}  // namespace gt200::apps
