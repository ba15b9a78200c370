// Files that appear whole or not at all.
#pragma once

#include <fstream>
#include <string>
#include <string_view>

namespace gt200::apps {

// Writes to a new file beside `path` and renames it; an older file stays as it is when anything fails. What is not
// a regular file (a pipe, /dev/null) is written directly. Throws input_error with path and reason.
void write_file(const std::string& path, std::string_view content);

// The same for what is written bit by bit: the file appears by close(), and not at all without it.
class growing_file {
 public:
  explicit growing_file(const std::string& path);
  ~growing_file();
  growing_file(const growing_file&) = delete;
  growing_file& operator=(const growing_file&) = delete;

  std::ostream& stream() { return stream_; }
  void close();

 private:
  std::string path_;
  std::string written_;  // `path_`, or the new file beside it
  std::ofstream stream_;
  bool closed_ = false;
};

// Removes the file if it is there. Throws input_error.
void remove_file(const std::string& path);

// Makes the folder and its parents. Throws input_error.
void make_folder(const std::string& path);

}  // namespace gt200::apps
