// Folders with files that a program needs besides itself.
#pragma once

#include <string>

namespace gt200 {

// The folder `installed` beside the executable, else ../share/gt200/`installed` (cmake --install), else, for an
// executable in its build folder, the folder `in_sources` of the source tree. A folder without `part` does not
// count. Empty if there is none.
std::string data_folder(const std::string& installed, const std::string& in_sources, const std::string& part);

}  // namespace gt200
