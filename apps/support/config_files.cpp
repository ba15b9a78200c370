#include "apps/support/config_files.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

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
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  const fs::path home = executable.parent_path();
  if (!error && is_folder(home / "configs")) return (home / "configs").string();
  // A program that was copied elsewhere must not follow the source tree it was built from.
  const std::string from = home.string() + "/";
  if (!error && from.compare(0, std::strlen(GT200_BINARY_DIR "/"), GT200_BINARY_DIR "/") == 0 &&
      is_folder(GT200_SOURCE_DIR "/configs"))
    return GT200_SOURCE_DIR "/configs";
  throw input_error("no folder 'configs' beside the program; set GT200_CONFIG_DIR, or name a file with --config");
}

std::string find_config(const std::string& file_or_preset) {
  if (is_file(file_or_preset)) return file_or_preset;
  if (is_folder(file_or_preset)) throw input_error(file_or_preset, 0, "is a folder, not a configuration");
  if (file_or_preset.find('/') != std::string::npos) throw input_error(file_or_preset, 0, "no such file");
  const fs::path folder = config_folder();
  for (const fs::path& candidate : {folder / file_or_preset, folder / (file_or_preset + ".toml")})
    if (is_file(candidate)) return candidate.string();
  throw input_error(file_or_preset, 0, "neither a file nor a preset; presets are " + presets_in(folder));
}

}  // namespace gt200::apps
