// Finds files that the system's loader maps although they are cut short; the program would die when it reads the
// pages beyond the end.
#pragma once

#include <string>

namespace gt200 {

// Throws input_error with `file` as it is named by the user: there is no such file, it is a folder, is no shared
// object for 64 bits (ELF), or is shorter than its headers say.
void require_whole_shared_object(const std::string& file);

}  // namespace gt200
