#include "apps/support/kernels.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "toolchain/data_folder.h"
#include "toolchain/error.h"

namespace gt200::apps {
namespace {

namespace fs = std::filesystem;

// The part tells it from a folder of a build.
std::string folder_of_kernels() { return data_folder("kernels", "kernels", "vector_add/launch.toml"); }

std::string first_comment(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  const std::size_t text = line.find_first_not_of("# ");
  return line.rfind('#', 0) != 0 || text == std::string::npos ? "" : line.substr(text);
}

}  // namespace

std::vector<known_kernel> known_kernels() {
  std::vector<known_kernel> result;
  const std::string folder = folder_of_kernels();
  if (folder.empty()) return result;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (const fs::path launch = entry.path() / "launch.toml"; fs::exists(launch, ignored))
      result.push_back({entry.path().filename().string(), entry.path().string(), first_comment(launch)});
  std::sort(result.begin(), result.end(),
            [](const known_kernel& a, const known_kernel& b) { return a.name < b.name; });
  return result;
}

std::string find_kernel(const std::string& path_or_name) {
  std::error_code ignored;
  if (fs::exists(path_or_name, ignored)) return path_or_name;
  const bool is_word = path_or_name.find('/') == std::string::npos;
  if (is_word && !path_or_name.empty())
    for (const known_kernel& kernel : known_kernels())
      if (kernel.name == path_or_name) return kernel.folder;
  throw input_error(path_or_name, 0,
                    std::string("no such kernel folder or file") +
                        (is_word ? "; gt200 kernels lists those that have names" : ""));
}

}  // namespace gt200::apps
