// The names of the folders below kernels/ that hold a kernel.
#pragma once

#include <sstream>
#include <string>
#include <vector>

namespace gt200::cli {

inline std::vector<std::string> all_kernels() {
  std::istringstream names(GT200_KERNELS);
  std::vector<std::string> result;
  for (std::string name; names >> name;) result.push_back(name);
  return result;
}

}  // namespace gt200::cli
