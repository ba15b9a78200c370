#include "toolchain/data_folder.h"

#include <cstring>
#include <filesystem>
#include <system_error>

namespace gt200 {

namespace fs = std::filesystem;

std::string data_folder(const std::string& installed, const std::string& in_sources, const std::string& part) {
  std::error_code error;
  const fs::path executable = fs::read_symlink("/proc/self/exe", error);
  if (error) return "";
  const fs::path home = executable.parent_path();
  for (const fs::path& folder : {home / installed, home.parent_path() / "share/gt200" / installed})
    if (fs::exists(folder / part, error)) return folder.string();
  // Only a program in its build folder uses the source tree. One that was copied elsewhere must not.
  const std::string from = home.string() + "/";
  const fs::path sources = (fs::path(GT200_SOURCE_DIR) / in_sources).lexically_normal();
  if (from.compare(0, std::strlen(GT200_BINARY_DIR "/"), GT200_BINARY_DIR "/") == 0 &&
      fs::exists(sources / part, error))
    return sources.string();
  return "";
}

}  // namespace gt200
