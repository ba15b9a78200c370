// JSON as text.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace gt200::apps {

// Names, sources and command lines may hold arbitrary bytes. Bytes that are not UTF-8 become U+FFFD, because JSON
// allows nothing else. `indent`: per level; -1: all in one line.
inline std::string json_text(const nlohmann::ordered_json& value, int indent = -1) {
  return value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace gt200::apps
