// The files one command reads and writes. Overwriting an input destroys the user's work; two outputs in one file
// destroy each other.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace gt200::apps {

class command_files {
 public:
  void reads(const std::string& path);
  // `option`: the option the user would have to change. An empty path means no file.
  void writes(const std::string& option, const std::string& path);
  // Throws CLI::ValidationError for an output that is also an input or another output. Pipes and devices may take
  // several outputs.
  void check() const;

 private:
  std::vector<std::string> read_;
  std::vector<std::pair<std::string, std::string>> written_;  // option, path
};

}  // namespace gt200::apps
