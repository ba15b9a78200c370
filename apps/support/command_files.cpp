#include "apps/support/command_files.h"

#include <CLI/CLI.hpp>

#include "toolchain/same_file.h"

namespace gt200::apps {

void command_files::reads(const std::string& path) {
  if (!path.empty()) read_.push_back(path);
}

void command_files::writes(const std::string& option, const std::string& path) {
  if (!path.empty()) written_.emplace_back(option, path);
}

void command_files::check() const {
  for (auto output = written_.begin(); output != written_.end(); ++output) {
    const auto& [option, path] = *output;
    for (const std::string& input : read_)
      if (same_file(input, path))
        throw CLI::ValidationError(option, "would write over '" + input + "', which the command reads");
    for (auto other = written_.begin(); other != output; ++other)
      if (same_file(other->second, path))
        throw CLI::ValidationError(option, "writes the file that another option writes: '" + path + "'");
  }
}

}  // namespace gt200::apps
