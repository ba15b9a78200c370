// Whether two names mean one file: two outputs in one file destroy each other.
#pragma once

#include <string>

namespace gt200 {

// The same regular file under any name: through links or other paths, whether it exists or is still to be made.
// Pipes and devices may take several outputs: they are never the same.
bool same_file(const std::string& a, const std::string& b);

}  // namespace gt200
