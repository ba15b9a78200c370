// Files that appear whole or not at all.
#pragma once

#include <string>
#include <string_view>

namespace gt200::apps {

// Writes to a new file beside `path` and renames it; an older file stays as it is when anything fails. What is not
// a regular file (a pipe, /dev/null) is written directly. Throws input_error with path and reason.
void write_file(const std::string& path, std::string_view content);

// Makes the folder and its parents. Throws input_error.
void make_folder(const std::string& path);

}  // namespace gt200::apps
