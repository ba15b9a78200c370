#include "rtl_ref/library/files.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "toolchain/data_folder.h"
#include "toolchain/error.h"

namespace gt200::rtl {
namespace {

namespace fs = std::filesystem;

// The name in `#include "name"` or "`include "name"", empty for any other line.
std::string included_by(const std::string& line) {
  const std::size_t first = line.find_first_not_of(" \t");
  if (first == std::string::npos || (line[first] != '#' && line[first] != '`')) return "";
  const std::size_t word = line.find_first_not_of(" \t", first + 1);
  if (word == std::string::npos || line.compare(word, 7, "include") != 0) return "";
  const std::size_t open = line.find_first_not_of(" \t", word + 7);
  if (open == std::string::npos || line[open] != '"') return "";
  return line.substr(open + 1, line.find('"', open + 1) - open - 1);
}

std::string found(const std::string& name, const fs::path& beside, const std::vector<std::string>& folders) {
  std::error_code error;
  if (fs::is_regular_file(beside / name, error)) return (beside / name).lexically_normal().string();
  for (const fs::path folder : folders)
    if (fs::is_regular_file(folder / name, error)) return (folder / name).lexically_normal().string();
  return "";
}

}  // namespace

std::string source_folder() {
  const char* const named = std::getenv("GT200_RTL_DIR");
  const bool chosen = named != nullptr && *named != '\0';
  std::error_code error;
  if (chosen && !fs::is_directory(std::string(named) + "/rtl_ref", error))
    throw input_error(named, 0, "GT200_RTL_DIR is not a folder with rtl_ref");
  const std::string folder = chosen ? named : data_folder("rtl", ".", "rtl_ref");
  // Without a slash at the end: paths of files below must be the same however they were found.
  if (!folder.empty()) return (fs::absolute(folder) / "rtl_ref").lexically_normal().parent_path().string();
  throw input_error("no folder 'rtl' beside the program or in ../share/gt200; set GT200_RTL_DIR");
}

std::string content_of(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  std::error_code error;
  if (!in || fs::is_directory(file, error)) throw input_error(file, 0, "cannot be read");
  return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<std::string> with_included(const std::vector<std::string>& files,
                                       const std::vector<std::string>& folders) {
  std::vector<std::string> all = files;
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::ifstream in(all[i]);
    const fs::path beside = fs::path(all[i]).parent_path();
    for (std::string line; std::getline(in, line);) {
      const std::string name = included_by(line);
      if (name.empty()) continue;
      const std::string file = found(name, beside, folders);
      if (!file.empty() && std::find(all.begin(), all.end(), file) == all.end()) all.push_back(file);
    }
  }
  return all;
}

std::string hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return fmt::format("{:016x}", hash);
}

}  // namespace gt200::rtl
