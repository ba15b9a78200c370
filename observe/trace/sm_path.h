// Reads the SM from paths of modules and signals.
#pragma once

#include <algorithm>
#include <cctype>
#include <charconv>
#include <string>
#include <system_error>

#include "observe/trace/glob.h"
#include "toolchain/error.h"

namespace gt200::observe {

// The path of the SM that contains it: "gt200.tpc_0.sm_1" of "gt200.tpc_0.sm_1.issue.issued". Empty if none does;
// other modules of a TPC have names that begin with "sm_", too.
inline std::string sm_in(const std::string& path) {
  for (std::size_t at = path.find(".sm_"); at != std::string::npos; at = path.find(".sm_", at + 1))
    if (at + 4 < path.size() && std::isdigit(static_cast<unsigned char>(path[at + 4])) != 0)
      return path.substr(0, path.find('.', at + 1));
  return "";
}

// The number at this place of a path. Throws input_error: of a damaged log.
inline unsigned number_at(const std::string& path, std::size_t at) {
  unsigned number = 0;
  const auto [end, wrong] =
      std::from_chars(path.data() + std::min(at, path.size()), path.data() + path.size(), number);
  if (wrong != std::errc()) throw input_error("the log has a path without a number: '" + path + "'");
  return number;
}

// Whether instructions issue into the pipe with this path: those of an operand collector, or of an operand path
// (Volta).
inline bool is_issue_pipe(const std::string& path) {
  return matches("*.operand_collector.from_*", path) || matches("*.operand_path.from_*", path);
}

}  // namespace gt200::observe
