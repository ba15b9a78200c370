#include "apps/study/cache.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "apps/study/ending.h"
#include "apps/study/own_name.h"

namespace gt200::apps::study {
namespace {

namespace fs = std::filesystem;

// A second name for the file, or a copy where that is impossible.
bool share(const fs::path& from, const fs::path& to) {
  (void)chmod(from.c_str(), 0444);
  if (link(from.c_str(), to.c_str()) == 0) return true;
  std::error_code error;
  return fs::copy_file(from, to, error) && !error;
}

void remove_folder(const fs::path& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
}

}  // namespace

std::string default_cache_folder() {
  for (const auto& [variable, below] : {std::pair{"GT200_RESULT_CACHE", ""}, std::pair{"XDG_CACHE_HOME", "/gt200"},
                                        std::pair{"HOME", "/.cache/gt200"}})
    if (const char* const value = std::getenv(variable); value != nullptr && *value != '\0')
      return std::string(value) + below;
  return {};
}

std::string result_cache::place_of(const std::string& key) const {
  return folder_ + "/points/" + key.substr(0, 2) + "/" + key;
}

result_cache::found result_cache::fetch(const std::string& key, const std::string& target) const {
  if (!keeps(key)) return {};
  const std::string place = place_of(key);
  std::error_code error;
  if (!fs::exists(place, error)) return {};
  const auto stored = read_ending(place, verify::all);
  if (!stored || stored->key != key || !is_result(stored->end.exit_code)) {
    // Aside first: others must not find half of it. Another process may have replaced it by a good one since; that
    // one is made again when it is needed.
    const std::string aside = folder_ + "/damaged." + own_name();
    fs::rename(place, aside, error);
    if (!error) remove_folder(aside);
    return {};
  }
  for (const auto& [name, file] : stored->files)
    if (!share(place + "/" + name, target + "/" + name)) {
      for (const auto& entry : fs::directory_iterator(target, error)) fs::remove(entry, error);
      return {};
    }
  return {true, stored->end.exit_code, stored->end.seconds, stored->end.peak_kib, stored->end.reason};
}

void result_cache::store(const std::string& key, const std::string& folder) const {
  if (!keeps(key)) return;
  const std::string place = place_of(key);
  std::error_code error;
  if (fs::exists(place, error)) return;
  const std::string aside = folder_ + "/new." + own_name();
  fs::create_directories(fs::path(place).parent_path(), error);
  if (error || !fs::create_directories(aside, error)) return;
  bool whole = true;
  for (const auto& entry : fs::directory_iterator(folder, error))
    whole = whole && share(entry.path(), fs::path(aside) / entry.path().filename());
  // Fails when another process was faster: a folder with files in it is not replaced.
  if (whole && !error) fs::rename(aside, place, error);
  if (!whole || error) remove_folder(aside);
}

}  // namespace gt200::apps::study
