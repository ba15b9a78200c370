#include "apps/support/config_files.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

#include "toolchain/data_folder.h"
#include "toolchain/error.h"

namespace gt200::apps {
namespace {

namespace fs = std::filesystem;

bool is_folder(const fs::path& path) {
  std::error_code error;
  return fs::is_directory(path, error);
}
bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::exists(path, error) && !fs::is_directory(path, error);
}

std::string presets_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

}  // namespace

std::string config_folder() {
  if (const char* named = std::getenv("GT200_CONFIG_DIR"); named != nullptr && *named != '\0') {
    if (!is_folder(named)) throw input_error(named, 0, "GT200_CONFIG_DIR is not a folder");
    return named;
  }
  if (const std::string folder = data_folder("configs", "configs", ""); !folder.empty()) return folder;
  throw input_error(
      "no folder 'configs' beside the program or in ../share/gt200; set GT200_CONFIG_DIR, or name a file with "
      "--config");
}

std::string find_config(const std::string& file_or_preset) {
  const fs::path given = file_or_preset;
  const bool is_path = file_or_preset.find('/') != std::string::npos;
  // In a build folder the program itself is called like a preset.
  if (!is_path && given.extension().empty())
    if (const fs::path preset = fs::path(config_folder()) / (file_or_preset + ".toml"); is_file(preset))
      return preset.string();
  if (is_file(given)) return file_or_preset;
  if (is_folder(given)) throw input_error(file_or_preset, 0, "is a folder, not a configuration");
  if (is_path) throw input_error(file_or_preset, 0, "no such file");
  const fs::path folder = config_folder();
  if (const fs::path preset = folder / given; is_file(preset)) return preset.string();
  throw input_error(file_or_preset, 0, "neither a file nor a preset; presets are " + presets_in(folder));
}

}  // namespace gt200::apps
