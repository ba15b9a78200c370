// The files one command reads and writes. Writing over what it reads destroys the user's work; two outputs in one
// file destroy each other.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace gt200::apps {

class command_files {
 public:
  void reads(const std::string& path);
  // `option`: what the user would have to change. An empty path is no file.
  void writes(const std::string& option, const std::string& path);
  // Throws CLI::ValidationError for a file that is written and has another part too. Pipes and devices may have
  // several.
  void check() const;

 private:
  std::vector<std::string> read_;
  std::vector<std::pair<std::string, std::string>> written_;  // option, path
};

}  // namespace gt200::apps
