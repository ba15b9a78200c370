// Names of files that no other process on any machine uses.
#pragma once

#include <string>

namespace gt200::apps::study {

// HOST.PID.N, with another N for every call.
std::string own_name();

// True for a name of own_name() on this host whose process is gone. `name` may have anything and a dot before it.
bool is_left_over(const std::string& name);

}  // namespace gt200::apps::study
