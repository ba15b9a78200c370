// Links the PTX of several files that clang compiled (`gt200 nvcc -rdc=true`) to one module.
#pragma once

#include <string>
#include <vector>

namespace gt200::cuda {

// Names that a file keeps to itself get an ending where two files have them. Of weak definitions the first counts,
// and declarations give way to definitions. Line numbers are those of the first file alone. Throws input_error for
// a kernel that two files keep to themselves, and for what none of them defines.
std::string link_ptx(const std::vector<std::string>& modules);

}  // namespace gt200::cuda
