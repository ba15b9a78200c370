// Running other programs, and folders for their files.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "toolchain/left_behind.h"

namespace gt200::cuda {

// A folder in $TMPDIR, else /tmp. It is removed with all it holds when the object ends, and by clear_away(). The
// process holds a lock on a file in it, so that the next one which makes such a folder can remove those of
// processes that were killed. Throws input_error if it cannot be made.
class temporary_folder {
 public:
  temporary_folder();
  ~temporary_folder();
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  // A signal comes only when the folder is known as unfinished.
  explicit temporary_folder(const class held_signals& until_it_is_known);
  // With the descriptor of its lock.
  explicit temporary_folder(const std::pair<std::filesystem::path, int>& made)
      : path_(made.first), unfinished_(made.first.string()), lock_(made.second) {}

  std::filesystem::path path_;
  unfinished_path unfinished_;
  int lock_;
};

// Runs the program, found by PATH, to its end. Returns its exit code, 126 if a signal ended it, 127 if there is no
// such program. Its standard output goes nowhere and its error output to the file `log`; without one, both go where
// those of this process go. The program does not outlive this process. Throws input_error if there can be no
// further process.
int run_program(const std::vector<std::string>& words, const std::string& log = "");

// Prepares a process that is about to run another program: the signals are as this process got them, and it gets
// `signal` when its parent, `parent`, has ended.
void become_ordinary_child(int parent, int signal);

// Empty, or why nothing can be written in the folder.
std::string refusal_to_write(const std::filesystem::path& folder);

}  // namespace gt200::cuda
