// Files that appear whole or not at all.
#pragma once

#include <fstream>
#include <optional>
#include <string>
#include <string_view>

#include "toolchain/left_behind.h"

namespace gt200 {

// Writes to a new file beside `path` and renames it; if anything fails, an older file stays as it is. Anything but
// a regular file (a pipe, /dev/null) is written directly. Throws input_error with path and reason.
void write_file(const std::string& path, std::string_view content);

// The same for files that other code writes: it writes to path(), a new file, which commit() moves into place.
// Without commit() nothing appears. While it is unfinished the process holds a lock on it, so that the next one
// that writes the same file can remove what killed processes have left.
class new_file {
 public:
  explicit new_file(const std::string& path);
  ~new_file();
  new_file(const new_file&) = delete;
  new_file& operator=(const new_file&) = delete;

  const std::string& path() const { return written_; }
  void commit();
  // Removes what has been written, before its end: the place on the disk is free for other files. errno stays.
  void discard();

 private:
  std::string path_;
  std::string written_;                        // `path_`, or the new file beside it
  std::optional<unfinished_path> unfinished_;  // the new file
  int lock_ = -1;
  bool committed_ = false;
};

// The same for a file written piece by piece: it appears on close(), and not at all without it.
class growing_file {
 public:
  explicit growing_file(const std::string& path);

  std::ostream& stream() { return stream_; }
  void close();

 private:
  std::string path_;
  new_file file_;
  std::ofstream stream_;
};

// Throws what write_file() would throw now, so that a long run finds it at its start. Changes no file, and opens no
// pipe or device.
void require_writable(const std::string& path);

// Removes what a writer leaves that has failed: a regular file, but no pipe or device. errno stays.
void discard_file(const std::string& path);

// Removes the file if it is there. Throws input_error.
void remove_file(const std::string& path);

// Makes the folder and its parents. Throws input_error.
void make_folder(const std::string& path);

}  // namespace gt200
