// Running other programs, and folders for their files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace gt200::cuda {

// Removed with all it holds when the object ends. Throws input_error if it cannot be made.
class temporary_folder {
 public:
  temporary_folder();
  ~temporary_folder();
  temporary_folder(const temporary_folder&) = delete;
  temporary_folder& operator=(const temporary_folder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Runs the program, found by PATH, to its end. Returns its exit code, 126 if a signal ended it, 127 if there is no
// such program. Its standard output goes nowhere and its error output to the file `log`; without one, both go where
// those of this process go.
int run_program(const std::vector<std::string>& words, const std::string& log = "");

}  // namespace gt200::cuda
