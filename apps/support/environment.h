// Options that variables of the environment give.
#pragma once

#include <cstdlib>
#include <string>

namespace gt200::apps {

// Empty if there is no such variable.
inline std::string setting(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace gt200::apps
