// Reads the SM from paths of modules and signals.
#pragma once

#include <cctype>
#include <string>

#include "observe/trace/glob.h"

namespace gt200::observe {

// The path of the SM that contains it: "gt200.tpc_0.sm_1" of "gt200.tpc_0.sm_1.issue.issued". Empty if none does;
// other modules of a TPC have names that begin with "sm_", too.
inline std::string sm_in(const std::string& path) {
  for (std::size_t at = path.find(".sm_"); at != std::string::npos; at = path.find(".sm_", at + 1))
    if (at + 4 < path.size() && std::isdigit(static_cast<unsigned char>(path[at + 4])) != 0)
      return path.substr(0, path.find('.', at + 1));
  return "";
}

// Whether instructions issue into the pipe with this path: those of an operand collector, or of an operand path
// (Volta).
inline bool is_issue_pipe(const std::string& path) {
  return matches("*.operand_collector.from_*", path) || matches("*.operand_path.from_*", path);
}

}  // namespace gt200::observe
