// The folder that a user named for results, or one that is removed at the end.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

#include "toolchain/error.h"
#include "toolchain/left_behind.h"

namespace gt200::apps {

class scratch_folder {
 public:
  // `out` empty: a new folder below that for temporary files. Throws input_error.
  explicit scratch_folder(const std::string& out) : path_(out), kept_(!out.empty()) {
    if (kept_) return;
    path_ = (std::filesystem::temp_directory_path() / "gt200.XXXXXX").string();
    if (mkdtemp(path_.data()) == nullptr) throw input_error(path_, 0, "cannot be made");
    unfinished_.emplace(path_);
  }
  ~scratch_folder() {
    std::error_code ignored;
    if (!kept_) std::filesystem::remove_all(path_, ignored);
  }
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
  bool kept_;
  std::optional<unfinished_path> unfinished_;  // a signal removes it
};

}  // namespace gt200::apps
