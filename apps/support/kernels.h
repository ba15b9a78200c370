// The kernels that come with the program: kernels/NAME, beside it or in the source tree it was built from.
#pragma once

#include <string>
#include <vector>

namespace gt200::apps {

struct known_kernel {
  std::string name;
  std::string folder;
  std::string about;  // the first comment of its launch description
};
// By name; empty if the folder is not there.
std::vector<known_kernel> known_kernels();

// Returns the path if something is there; else, for a word without '/', the folder of the kernel of that name.
// Throws input_error for neither.
std::string find_kernel(const std::string& path_or_name);

}  // namespace gt200::apps
